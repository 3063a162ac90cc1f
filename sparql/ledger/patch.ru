#+ title: Take out and put in the quads of one net patch, in one transaction
#+ parameters: removed added
DELETE DATA { %removed% } ;
INSERT DATA { %added% }
