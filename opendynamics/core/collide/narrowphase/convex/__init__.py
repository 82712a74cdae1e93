"""Any two convex shapes: closest points (GJK), penetration depth (SAT, EPA), contact manifold, signed distance."""
