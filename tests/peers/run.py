#!/usr/bin/env python3
"""Sends and receives between our AS4 and that of independent peers, each a real server or client on loopback, and prints what came of
it. Exits with 1 when something came out otherwise than it must; what cannot run here is said loudly and left out.

ACCESS_POINT_BIN, ACCESS_POINT_AS4_PEER   programs of the product: the converter, and as4-peer
ACCESS_POINT_ASX_PEER                     tests/peers/asx, built; its column is left out without it
ACCESS_POINT_REFERENCE                    a folder with conformance/phase4 and conformance/as4_check.py
"""
import contextlib
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time

import answers
import columns
import matrix
import ours
import pki
import smp
import spoil
from matrix import Column, Skipped


def program(variable):
    path = pathlib.Path(os.environ.get(variable) or os.devnull)
    return path if path.is_file() else None


def phase4_of(reference):
    """phase4's program, or why there is none."""
    run = reference and reference / "conformance/phase4/run"
    if not run or not run.exists():
        return None, "ACCESS_POINT_REFERENCE does not name a folder with conformance/phase4"
    if not shutil.which("java"):
        return None, "there is no Java 17"
    done = subprocess.run([run, "help"], capture_output=True, text=True)
    if done.returncode not in (0, 64):
        return None, f"phase4 could not be built: {done.stderr.strip()[-300:]}"
    return run, None


def peppol_py_columns(world, base, proxy, inbox):
    name = "peppol-py → ours"
    try:
        version = columns.peppol_py_version()
        import peppol_py.as4_sender  # noqa: F401
        import xmlsec  # noqa: F401
    except ImportError as error:
        return [Skipped(name, f"{error}; tests/peers/requirements.txt is not installed")]
    except columns.importlib.metadata.PackageNotFoundError as error:
        return [Skipped(name, f"{error} is not installed")]
    print(f"peppol-py {version}, libxmlsec {'.'.join(map(str, xmlsec.get_libxmlsec_version()))}")
    return [Column(name, columns.PeppolPy.expected, columns.PeppolPy(world.pki, base, proxy, world.documents, inbox).run)]


class World:
    """What all directions share."""

    def __init__(self, work, peer, converter):
        self.work, self.pki = work, work / "pki"
        pki.make(self.pki)
        self.sender = ours.Ours(peer, self.pki, pki.SENDER)
        self.receiver = ours.Ours(peer, self.pki, pki.RECEIVER)
        self.documents = ours.Documents(converter, peer, work / "documents")
        self.key = self.pki / f"{pki.RECEIVER}.key.pem"

    def to(self, name, base, arrived, expected):
        """A column of what we send to a receiver of theirs."""
        proxy = spoil.Proxy(base, self.key)
        return Column(name, expected, columns.OursTo(self.sender, self.documents, f"{base}/as4", proxy, arrived).run)


def directions(world, servers, phase4, why_not, asx, reference):
    """Every column, its servers started."""
    inbox = ours.Inbox(world.work / "ours.jsonl")
    us = servers.enter_context(world.receiver.serve(inbox.file, world.work / "ours.log", columns.PeppolPy.takes))
    proxy = spoil.Proxy(us.base, world.key)
    found = []
    if phase4:
        java = columns.Phase4(phase4, world.pki, world.work / "phase4")
        theirs = servers.enter_context(java.serve())
        found.append(world.to("ours → phase4", theirs.base, java.arrived, java.expected))
        found.append(Column("phase4 → ours", columns.BY_OURS, lambda row: java.sends(row, us.base, world.documents, inbox)))
    else:
        found += [Skipped(name, why_not) for name in ("ours → phase4", "phase4 → ours")]
    if asx:
        rust = columns.Asx(asx, world.pki, world.work / "asx.jsonl")
        theirs = servers.enter_context(rust.serve())
        found.append(world.to("ours → asx-rs", theirs.base, rust.arrived, rust.expected))
        found.append(Column("asx-rs → ours", rust.expected_of_it, lambda row: rust.sends(row, us.base, proxy, world.documents)))
    else:
        reason = "it is not built: PEERS_ASX=build tests/run peers"
        found += [Skipped(name, reason) for name in ("ours → asx-rs", "asx-rs → ours")]
    found += peppol_py_columns(world, us.base, proxy, inbox)
    script = reference and reference / "conformance/as4_check.py"
    if script and script.exists():
        checked = columns.Checked(script, world.sender, world.documents, world.pki)
        found.append(Column("ours, by as4_check", checked.expected, checked.run))
    else:
        found.append(Skipped("ours, by as4_check", "ACCESS_POINT_REFERENCE does not name a folder with conformance/as4_check.py"))
    return found


def captured(peer, reference):
    """The message that phase4 sent over Peppol's test network; what is wrong with how it is judged."""
    message = reference and reference / "artefacts/as4/phase4-message.as4out"
    if not message or not message.exists():
        return Skipped("captured message", "ACCESS_POINT_REFERENCE does not name a folder with artefacts/as4")
    told = ours.lines([peer, "captured", message])[0]
    print(f"\nA captured message of phase4, signed by {told['signer']}: signature holds: {json.dumps(told['signature_holds'])}")
    return int(told["signature_holds"] is not True)


def main():
    begun = time.monotonic()
    peer, converter = program("ACCESS_POINT_AS4_PEER"), program("ACCESS_POINT_BIN")
    if not peer or not converter:
        sys.exit("ACCESS_POINT_AS4_PEER and ACCESS_POINT_BIN must name the product's programs")
    # peppol-py runs a script of ours, which needs what is installed beside this Python.
    os.environ["PATH"] = f"{pathlib.Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    reference = os.environ.get("ACCESS_POINT_REFERENCE")
    reference = pathlib.Path(reference) if reference else None
    phase4, why_not = phase4_of(reference)
    with tempfile.TemporaryDirectory(prefix="peers-") as work, contextlib.ExitStack() as servers:
        world = World(pathlib.Path(work), peer, converter)
        every = directions(world, servers, phase4, why_not, program("ACCESS_POINT_ASX_PEER"), reference)
        tried = [column for column in every if isinstance(column, Column)]
        skipped = [column for column in every if isinstance(column, Skipped)]
        wrong = matrix.show_table(tried, matrix.run(tried))
        if phase4:
            print("\nTwo tries of one message")
            wrong += matrix.show_list(answers.run(world, phase4))
            print("\nSMPs: what lookups made of them")
            wrong += matrix.show_list(smp.run(smp.Publishers(phase4, world.pki, world.work, world.receiver)))
        else:
            skipped += [Skipped(name, why_not) for name in ("answers of phase4", "SMPs")]
        judged = captured(peer, reference)
        if isinstance(judged, Skipped):
            skipped.append(judged)
        else:
            wrong += judged
    print(f"\n{wrong} otherwise than expected, {time.monotonic() - begun:.0f} s")
    for one in skipped:
        print(f"!!! SKIPPED {one.name}: {one.reason} !!!")
    if out := os.environ.get("PEERS_SKIPPED"):
        pathlib.Path(out).write_text("".join(f"{one.name} ({one.reason})\n" for one in skipped))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
