"""Code shared by both methods for the bounded problem: states of rows, the interior point method, the residual."""
