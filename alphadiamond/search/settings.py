"""The numbers of a search, as compiled code takes them."""

from alphadiamond.search.edge_kernels import Rules
from alphadiamond.settings.search import SearchSettings


def rules_of(settings: SearchSettings, repetition_limit: int) -> Rules:
    return Rules(
        gumbel=settings.method == "gumbel",
        c_init=settings.c_puct,
        c_base=settings.c_base,
        fpu_reduction=settings.fpu_reduction,
        root_fpu_reduction=settings.root_fpu_reduction,
        c_visit=settings.c_visit,
        c_scale=settings.c_scale,
        widening=settings.widening,
        prove=settings.prove,
        draws=settings.prove and repetition_limit == 0,
        repetition_limit=repetition_limit,
        leaves=settings.leaves,
    )


__all__ = ["SearchSettings", "rules_of"]
