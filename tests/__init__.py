"""The suite. This is imported before anything else of it.

One thread for each of its processes and their scripts: libraries read this when they are imported, and where all cores
are in use threads that wait for each other cost many times what they gain.
"""

import os

for _library in ("OMP", "MKL", "OPENBLAS"):
    os.environ.setdefault(f"{_library}_NUM_THREADS", "1")
