"""Settings of the whole suite."""

from hypothesis import settings

# Compilation makes first examples slow; the derandomised profile makes a failure repeat.
settings.register_profile("project", deadline=None, derandomize=True)
settings.load_profile("project")
