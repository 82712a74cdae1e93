"""Family: see opendynamics/robot/nodes/__init__.py."""
