"""The verification code that is shown to integrators, in each of its languages, over one table of cases (specification 6.4)."""

import base64
import json
import os
import shutil
import subprocess
import time
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import pytest
from standardwebhooks import Webhook, WebhookVerificationError

from kit import dotnet
from kit.run import REPOSITORY

SHOWN = REPOSITORY / "shared" / "templates" / "verify"
DRIVERS = Path(__file__).parent / "verify"

SECRET, OTHER, OLD = ("whsec_" + base64.b64encode(bytes([letter]) * 32).decode() for letter in b"sno")
EVENT = "evt_0198a7c2b1d47f3e8a5b6c7d8e9f0a1b"
BODY = '{"id":"evt_0198a7c2b1d47f3e8a5b6c7d8e9f0a1b","note":"«ضريبة» & <b>\\n"}'.encode()


@dataclass(frozen=True)
class Case:
    """A request. A value of None is not sent."""

    verified: bool
    signature: str | None
    timestamp: str | None
    event: str | None = EVENT
    secret: str = SECRET
    body: bytes = BODY


def cases(now: int) -> dict[str, Case]:
    """Signed and unsigned requests at a time."""

    def signed(secret: str = SECRET, at: int = 0, body: bytes = BODY) -> str:
        return Webhook(secret).sign(EVENT, datetime.fromtimestamp(now + at, UTC), body.decode())

    def case(verified: bool, signature: str | None = signed(), *, at: int = 0, **told) -> Case:
        return Case(verified, signature, **{"timestamp": str(now + at)} | told)

    good = signed()
    encoded = good.removeprefix("v1,")
    longer = base64.b64encode(base64.b64decode(encoded) + b"x").decode()
    return {
        "valid": case(True),
        "an empty body": case(True, signed(body=b""), body=b""),
        "rotated, the new secret first": case(True, f"{good} {signed(OLD)}"),
        "rotated, the old secret first": case(True, f"{signed(OLD)} {good}"),
        "among signatures of other kinds": case(True, f"v1a,AAAA v2,{encoded} v1,!!! {good}"),
        "four minutes ago": case(True, signed(at=-240), at=-240),
        "in four minutes": case(True, signed(at=240), at=240),
        "a body that was changed": case(False, body=BODY + b" "),
        "a body that was parsed and written again": case(False, body=BODY.replace(b'":"', b'": "')),
        "another event": case(False, event="evt_other"),
        "another time": case(False, at=1),
        "stale": case(False, signed(at=-400), at=-400),
        "from the future": case(False, signed(at=400), at=400),
        "the wrong secret": case(False, signed(OTHER)),
        "two signatures by wrong secrets": case(False, f"{signed(OTHER)} {signed(OLD)}"),
        "no webhook-id": case(False, event=None),
        "no webhook-timestamp": case(False, timestamp=None),
        "no webhook-signature": case(False, None),
        "a time that is none": case(False, timestamp="soon"),
        "a negative time": case(False, timestamp=f"-{now}"),
        "a time with a fraction": case(False, timestamp=f"{now}.0"),
        "a time beyond all numbers": case(False, timestamp="9" * 40),
        "a signature that is not base64": case(False, "v1,ÿ!"),
        "a signature that is cut": case(False, good[:-8]),
        "a signature that is longer": case(False, f"v1,{longer}"),
        "a version without a signature": case(False, "v1,"),
        "a signature without a version": case(False, encoded),
        "another version": case(False, good.replace("v1,", "v2,")),
        "another separator": case(False, good.replace("v1,", "v1=")),
    }


NAMES = list(cases(0))


def line(case: Case) -> str:
    headers = [case.event or "-", case.timestamp or "-", case.signature or "-"]
    return "\t".join([case.secret, *headers, base64.b64encode(case.body).decode()]) + "\n"


def needs(program: str) -> str:
    found = shutil.which(program)
    if found is None:
        pytest.skip(f"!!! THE VERIFICATION CODE IS NOT PROVEN HERE: there is no {program} !!!")
    return found


def run(command: list, folder: Path, **more) -> str:
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=300, **more)
    assert done.returncode == 0, done.stderr
    return done.stdout


def copied(folder: Path, *files: Path) -> Path:
    for file in files:
        shutil.copy(file, folder)
    return folder


def python(folder: Path) -> list:
    copied(folder, SHOWN / "verify.py", DRIVERS / "drive.py")
    return [needs("python3"), "drive.py"]


def javascript(folder: Path) -> list:
    copied(folder, SHOWN / "verify.mjs", DRIVERS / "drive.mjs")
    return [needs("node"), "drive.mjs"]


def java(folder: Path) -> list:
    copied(folder, SHOWN / "WebhookVerifier.java", DRIVERS / "Drive.java")
    compiler = needs("javac")
    run([compiler, "-encoding", "UTF-8", "WebhookVerifier.java", "Drive.java"], folder)
    return [needs("java"), "Drive"]


def csharp(folder: Path) -> list:
    return dotnet.program(folder, DRIVERS / "Drive.cs", SHOWN / "WebhookVerifier.cs")


def go(folder: Path) -> list:
    compiler = needs("go")
    copied(folder, SHOWN / "verify.go", DRIVERS / "drive.go")
    (folder / "go.mod").write_text("module verify\n\ngo 1.21\n")
    environment = os.environ | {"GOCACHE": str(folder / "cache"), "GOFLAGS": "-mod=mod", "GOTOOLCHAIN": "local"}
    run([compiler, "build", "-o", "drive", "."], folder, env=environment)
    return ["./drive"]


def rust(folder: Path) -> list:
    """Built below .local once."""
    compiler, built = needs("cargo"), REPOSITORY / ".local" / "verify"
    command = [compiler, "build", "--locked", "--quiet", "--manifest-path", DRIVERS / "rust" / "Cargo.toml", "--target-dir", built]
    environment = {name: value for name, value in os.environ.items() if name != "CARGO_BUILD_TARGET"}
    run(command, folder, env=environment)
    return [built / "debug" / "verify"]


LANGUAGES = {"Python": python, "JavaScript": javascript, "Java": java, "C#": csharp, "Go": go, "Rust": rust}


@pytest.fixture(scope="module", params=LANGUAGES)
def judged(request, tmp_path_factory) -> dict[str, tuple[Case, str]]:
    """Each case, and the result of the code of a language."""
    folder = tmp_path_factory.mktemp(request.param)
    command = LANGUAGES[request.param](folder)
    told = cases(int(time.time()))
    said = run(command, folder, input="".join(map(line, told.values()))).splitlines()
    assert len(said) == len(told), said
    return {name: (told[name], outcome) for name, outcome in zip(told, said, strict=True)}


@pytest.mark.parametrize("name", NAMES)
def test_the_code_verifies_what_is_signed_and_nothing_else(judged, name):
    case, said = judged[name]
    assert said.startswith("refused ") if not case.verified else said == f"verified {EVENT}"


@pytest.mark.parametrize("name", NAMES)
def test_the_reference_library_agrees(name):
    """standardwebhooks of PyPI, about the same cases."""
    if name == "a time with a fraction":
        pytest.skip("the reference takes what Standard Webhooks, which has whole seconds, does not")
    case = cases(int(time.time()))[name]
    headers = {"webhook-id": case.event, "webhook-timestamp": case.timestamp, "webhook-signature": case.signature}
    try:
        Webhook(case.secret).verify(case.body, {name: value for name, value in headers.items() if value is not None})
        agrees = True
    except json.JSONDecodeError:
        # It reads the body as JSON once it is verified.
        agrees = True
    except (WebhookVerificationError, ValueError):
        agrees = False
    assert agrees == case.verified
