"""Building: links of a model as bodies, geoms and joints of a World."""
