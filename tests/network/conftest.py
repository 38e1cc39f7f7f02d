"""One torch thread: these models are small, and on a busy machine threads that wait for each other are very slow."""

import torch

torch.set_num_threads(1)
