"""Monte Carlo simulation and Monte Carlo tree search as small pure functions."""
