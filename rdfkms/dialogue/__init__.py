"""Questions and answers: what the sources say, with every word of it quoted."""
