# written by the entrance helper
