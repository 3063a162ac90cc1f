"""What stands around a thing: its mentions, neighbours, dates, places, rights and history."""
