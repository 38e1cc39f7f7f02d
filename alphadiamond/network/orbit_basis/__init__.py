"""The orbit network in the basis of its board's symmetry group: the same function as its dense form, several times as
fast on a CPU, for boards of one family alone. `basis.bases_of(shape)` says whether a board is of it."""
