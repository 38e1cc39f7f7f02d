"""What Hydra is taught: the groups that one script has alone, and the names that settings had before."""

from pathlib import Path
from typing import Any, ClassVar, Final

from hydra._internal.core_plugins.file_config_source import FileConfigSource
from hydra._internal.sources_registry import SourcesRegistry
from hydra.core.config_search_path import ConfigSearchPath
from hydra.core.config_store import ConfigStore
from hydra.core.plugins import Plugins
from hydra.plugins.config_source import ConfigResult
from hydra.plugins.search_path_plugin import SearchPathPlugin
from omegaconf import DictConfig, OmegaConf

from alphadiamond.settings.renames import with_new_names

_stored: Final[dict[str, type[Any]]] = {}


class OwnGroups(SearchPathPlugin):
    """Groups in a directory that is called as the script: a group is known to every script that finds it, and where
    one is, a setting of the same name cannot be given."""

    directory: ClassVar[Path | None] = None

    def manipulate_search_path(self, search_path: ConfigSearchPath) -> None:
        if self.directory is not None and self.directory.is_dir():
            search_path.append("alphadiamond", str(self.directory))


class RenamingSource(FileConfigSource):
    """Files whose keys may be old names of settings."""

    settings: ClassVar[type[Any] | None] = None

    def load_config(self, config_path: str) -> ConfigResult:
        result = super().load_config(config_path)
        if self.settings is not None and isinstance(result.config, DictConfig):
            plain = OmegaConf.to_container(result.config, resolve=False)
            assert isinstance(plain, dict)
            result.config = OmegaConf.create(with_new_names(self.settings, plain))
        return result


def prepare(name: str, settings: type[Any], directory: Path) -> None:
    """Let the next configuration that Hydra composes be one of this script, whose own groups lie there."""
    plugins = Plugins.instance()
    if OwnGroups not in plugins.discover(SearchPathPlugin):
        plugins.register(OwnGroups)
    SourcesRegistry.instance().types[FileConfigSource.scheme()] = RenamingSource
    if _stored.get(name) is not settings:  # to read a class again takes as long as to read the files
        ConfigStore.instance().store(name=f"{name}_settings", node=settings)
        _stored[name] = settings
    RenamingSource.settings, OwnGroups.directory = settings, directory


def store_option(group: str, option: str, node: Any) -> None:
    """An option that has no file."""
    ConfigStore.instance().store(group=group, name=option, node=node, package="_global_")


def forget_options(group: str) -> None:
    ConfigStore.instance().repo.pop(group, None)
