#+ title: Empty a graph of a mirror
#+ parameters: graph
CLEAR SILENT GRAPH %graph%
