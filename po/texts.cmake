# written by the texts helper
