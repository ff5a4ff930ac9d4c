"""The programs of some of these tests: tests/run builds and names them."""

import os
from pathlib import Path

import pytest

PROGRAMS = {"as4-peer": "ACCESS_POINT_AS4_PEER", "access-point": "ACCESS_POINT_BIN"}


@pytest.fixture(scope="session")
def programs(tmp_path_factory) -> Path:
    """The folder with NAME/bootstrap, in the layout of the runner."""
    folder = tmp_path_factory.mktemp("functions")
    for name, variable in PROGRAMS.items():
        if variable not in os.environ:
            pytest.skip(f"{variable} does not name the program {name}; tests/run unit builds it")
        (folder / name).mkdir()
        (folder / name / "bootstrap").symlink_to(Path(os.environ[variable]).resolve())
    return folder


@pytest.fixture(scope="session")
def reference() -> Path:
    """The folder of the official artefacts."""
    if "ACCESS_POINT_REFERENCE" not in os.environ:
        pytest.skip("ACCESS_POINT_REFERENCE does not name the folder of official artefacts")
    return Path(os.environ["ACCESS_POINT_REFERENCE"])
