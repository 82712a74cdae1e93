"""What both methods of solving the bounded problem share: states of rows, the interior point method, the residual."""
