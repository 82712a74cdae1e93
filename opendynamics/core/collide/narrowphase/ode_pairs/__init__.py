"""ODE's contact points where they are not exact (`world.collider = "ode"`). One file is one pair, as in `pairs/`."""
