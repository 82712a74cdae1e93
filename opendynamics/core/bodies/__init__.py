"""Bodies: free rotation and integrators; shapes with their mass properties; polyhedra and triangle surfaces in memory."""
