"""The methods that solvers are put together from. Signs and symbols are the same in all of them:

    A = J M⁻¹ Jᵀ + cfm, b = rhs, x = λ, w = A x - b
    row i is solved when  lo < x < hi and w = 0,  or x = lo and w >= 0,  or x = hi and w <= 0

A row's Jacobian stands as twelve numbers: six for its body 0, six for its body 1. A slot is a body's place in the
island; -1 is the static world or a kinematic body, neither of which a force can move.
"""
