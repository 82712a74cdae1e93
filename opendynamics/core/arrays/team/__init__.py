"""A team of threads for one step: jobs in parts, and the words of memory that the threads share."""
