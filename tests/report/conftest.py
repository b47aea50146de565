"""Every test reads without the user's own cache."""

from pathlib import Path

import pytest


@pytest.fixture(autouse=True)
def no_shared_cache(monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("cache")
    monkeypatch.setenv("XDG_CACHE_HOME", str(folder))
    return folder
