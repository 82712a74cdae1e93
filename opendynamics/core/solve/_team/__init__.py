"""A team of threads that solves one large island: jobs in parts, and the words of memory that the threads share."""
