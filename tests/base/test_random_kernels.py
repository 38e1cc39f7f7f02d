"""Random numbers of compiled code."""

import numpy as np

from alphadiamond.base.random_kernels import random_bits, splitmix

# The first numbers of splitmix64 seeded with 0, as its authors publish them.
PUBLISHED = (0xE220A8397B1DCDAF, 0x6E789E6AA1B965F4, 0x06C45D188009454F, 0xF88BB8A8724C81EC, 0x1B39896A51A8749B)


def test_a_stream_is_splitmix64() -> None:
    stream = np.zeros(1, dtype=np.uint64)
    assert tuple(int(random_bits(stream)) for _ in PUBLISHED) == PUBLISHED
    assert int(splitmix(np.uint64(0))) == PUBLISHED[0]
