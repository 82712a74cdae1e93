"""The motion of a step: from where to where bodies go, and when their geoms first meet on the way."""
