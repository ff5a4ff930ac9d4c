"""Generates each client from the OpenAPI document and compiles it together with its program."""

import importlib.util
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from kit import npm
from kit.run import REPOSITORY

DOCUMENT = REPOSITORY / "shared" / "openapi.json"
PROGRAMS = Path(__file__).resolve().parent
WORK = REPOSITORY / ".local" / "clients"

# The other generators are pinned by requirements.txt and typescript/package-lock.json.
OPENAPI_GENERATOR = "7.25.0"
DEPENDENCY_PLUGIN = "org.apache.maven.plugins:maven-dependency-plugin:3.8.1"
# Warnings of openapi-generator in both languages.
KNOWN = ("OpenAPI 3.1 support is still in beta", "Failed to get the schema name: null")


@dataclass(frozen=True)
class Client:
    """A compiled program, and the warnings of its generator."""

    command: list[str]
    folder: Path
    warnings: list[str]
    # Texts of harmless warnings, or of those that README describes.
    known: tuple[str, ...] = ()

    def run(self, environment: dict[str, str]) -> str:
        """The program's output; it must succeed."""
        done = started(self.command, self.folder, environment)
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout


def started(command: list[str], folder: Path, environment: dict[str, str] | None = None) -> subprocess.CompletedProcess:
    return subprocess.run(command, cwd=folder, env=os.environ | (environment or {}), capture_output=True, text=True, timeout=600)


def ran(command: list[str], folder: Path) -> list[str]:
    """The output lines of a generator or compiler; it must succeed."""
    done = started(command, folder)
    assert done.returncode == 0, f"{command}: {done.stdout}{done.stderr}"
    return (done.stdout + done.stderr).splitlines()


def fetched(command: list[str], folder: Path) -> None:
    """Downloads from a registry; skips the test if the machine cannot reach it."""
    done = started(command, folder)
    if done.returncode != 0:
        pytest.skip(f"!!! {' '.join(command[:3])} failed: {' '.join((done.stdout + done.stderr).split())[:400]} !!!")


def needed(*tools: str) -> None:
    for tool in tools:
        if shutil.which(tool) is None:
            pytest.skip(f"!!! there is no {tool} !!!")


def empty(name: str) -> Path:
    folder = WORK / name
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    return folder


def openapi_generator(language: str, folder: Path, *options: str) -> list[str]:
    """Generates a client, and returns the warnings."""
    needed("java", "mvn")
    artifact = f"org.openapitools:openapi-generator-cli:{OPENAPI_GENERATOR}"
    fetched(["mvn", "-B", "-q", f"{DEPENDENCY_PLUGIN}:copy", f"-Dartifact={artifact}", f"-DoutputDirectory={WORK}"], WORK)
    jar = WORK / f"openapi-generator-cli-{OPENAPI_GENERATOR}.jar"
    no_tests = ["--global-property", "apiTests=false,modelTests=false,apiDocs=false,modelDocs=false"]
    generate = ["java", "-jar", str(jar), "generate", "-g", language, "-i", str(DOCUMENT), "-o", str(folder)]
    return [line for line in ran([*generate, *no_tests, *options], folder) if " WARN " in line]


def java() -> Client:
    needed("javac")
    folder = empty("java")
    # Answers may get more fields; without this the client refuses them.
    warnings = openapi_generator("java", folder, "--additional-properties=disallowAdditionalPropertiesIfNotPresent=false")
    fetched(["mvn", "-B", "-q", "dependency:copy-dependencies", "-DincludeScope=runtime"], folder)
    ran(["mvn", "-B", "-q", "compile"], folder)
    command = ["java", "-cp", "target/classes:target/dependency/*", str(PROGRAMS / "java" / "Program.java")]
    return Client(command, folder, warnings, (*KNOWN, "Ignoring complex example on request body"))


def go() -> Client:
    needed("go")
    folder = empty("go")
    # Allows additional fields. Constants are named after their type, since some would otherwise exist twice. An enum inside a schema gets
    # its own type, since the code for its default would otherwise not compile.
    properties = "packageName=einvoicing,enumClassPrefix=true,disallowAdditionalPropertiesIfNotPresent=false"
    module = ["--git-host", "example.com", "--git-user-id", "clients", "--git-repo-id", "einvoicing"]
    named = ["--inline-schema-options", "RESOLVE_INLINE_ENUMS=true"]
    warnings = openapi_generator("go", folder, "--additional-properties", properties, *named, *module)
    shutil.copytree(PROGRAMS / "go", folder / "program")
    fetched(["go", "mod", "download"], folder)
    ran(["go", "vet", "./..."], folder)
    ran(["go", "build", "-o", "program/program", "./program"], folder)
    known = (*KNOWN, "promoted to its own schema due to resolveInlineEnums", "type (reserved word) cannot be used as")
    return Client([str(folder / "program" / "program")], folder, warnings, known)


def typescript() -> Client:
    needed("node", "npm")
    folder = npm.install(empty("typescript"), str(PROGRAMS / "typescript"))
    # A field with a default may be left out of a request.
    options = ["--default-non-nullable", "false", "--output", "schema.d.ts"]
    said = ran(["node_modules/.bin/openapi-typescript", str(DOCUMENT), *options], folder)
    ran(["node_modules/.bin/tsc"], folder)
    return Client(["node", "out/program.js"], folder, [line for line in said if "⚠" in line])


def python() -> Client:
    for module in ("openapi_python_client", "mypy"):
        if importlib.util.find_spec(module) is None:
            pytest.skip(f"!!! there is no {module}: tests/clients/requirements.txt is not installed !!!")
    folder = empty("python")
    options = ["--config", str(PROGRAMS / "python" / "generator.yaml"), "--meta", "none", "--output-path", "einvoicing"]
    said = ran([sys.executable, "-m", "openapi_python_client", "generate", "--path", str(DOCUMENT), *options], folder)
    shutil.copy(PROGRAMS / "python" / "program.py", folder)
    ran([sys.executable, "-m", "mypy", "--strict", "program.py"], folder)
    warnings = [line for line in said if line.startswith("WARNING")]
    return Client([sys.executable, "program.py"], folder, warnings, ("WARNING parsing POST /imports within imports.",))


CLIENTS: list[Callable[[], Client]] = [java, go, typescript, python]
