"""What people take back and decide (DESIGN 5)."""
