"""Benchmarks: this engine and its peers on the same scenes, interleaved in one run.

``python -m benchmarks.run`` (or ``make bench``) prints the table; ``peers`` holds one module for each
engine. Compare ratios measured in one run, never milliseconds from two machines or two days.
"""
