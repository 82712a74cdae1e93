"""The compiled half of the renderer: from rays to light. Geoms stand in tables, as for any query; what they look like,
and where the light comes from, in the records of `records.py`.

Every pixel is the mean of a fixed set of samples that depends on its place in the picture alone, so that neither the
number of threads nor the order of the rows changes a bit.
"""
