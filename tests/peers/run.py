#!/usr/bin/env python3
"""Sends and receives between the service in the local network and independent peers, each a real server or client on loopback, and
prints the results. Exits with 1 if a result is not the expected one. Directions that cannot run here are reported and skipped.

ACCESS_POINT_RUN                          the run file of infra/local --network, which is up (.local/network/run.json)
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
import seats
import smp
import spoil
from kit import run as running
from matrix import Column, Skipped
from service import Registers, Service


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


def peppol_py_columns(world, proxy):
    name = "peppol-py → ours"
    try:
        version = columns.peppol_py_version()
        import peppol_py.as4_sender  # noqa: F401
        import xmlsec  # noqa: F401
    except ImportError as error:
        return [Skipped(name, f"{error}; tests/peers/requirements.txt is not installed")]
    except columns.importlib.metadata.PackageNotFoundError as error:
        return [Skipped(name, f"{error} is not installed")]
    libxmlsec = ".".join(map(str, xmlsec.get_libxmlsec_version()))
    print(f"peppol-py {version}, its scheme of PINT's document types mended but for the row 'not serviced'; libxmlsec {libxmlsec}")
    return [Column(name, columns.PeppolPy.expected, columns.PeppolPy(world, proxy).run)]


class World:
    """The common part of all directions."""

    def __init__(self, work, servers):
        network = running.described(running.REPOSITORY / ".local/network/run.json")
        self.work, self.pki = work, pathlib.Path(network["network"]["keys"])
        self.registers = servers.enter_context(Registers(network["network"]))
        self.service = Service(network, servers, work)
        self.peer, converter = pathlib.Path(network["peer"]["program"]), self.service.b.run.functions / "access-point" / "bootstrap"
        self.sender = ours.Ours(self.peer, self.pki, seats.SENDER)
        self.documents = ours.Documents(converter, self.peer, work / "documents")

    def to(self, name, guest, server):
        """A column of what we send to a receiver of theirs."""
        return Column(name, guest.expected, columns.OursTo(self, guest, server.base).run)


def directions(world, servers, phase4, asx, why_not, reference):
    """Every column, its servers started."""
    proxy = spoil.Proxy(world.service.b.edge_url, world.pki / f"{seats.RECEIVER}.key.pem")
    found = []
    if phase4:
        found.append(world.to("ours → phase4", phase4, servers.enter_context(phase4.serve())))
        found.append(Column("phase4 → ours", columns.BY_OURS, lambda row: phase4.sends(row, world)))
    else:
        found += [Skipped(name, why_not) for name in ("ours → phase4", "phase4 → ours")]
    if asx:
        found.append(world.to("ours → asx-rs", asx, servers.enter_context(asx.serve())))
        found.append(Column("asx-rs → ours", asx.expected_of_it, lambda row: asx.sends(row, world, proxy)))
    else:
        reason = "it is not built: PEERS_ASX=build tests/run peers"
        found += [Skipped(name, reason) for name in ("ours → asx-rs", "asx-rs → ours")]
    found += peppol_py_columns(world, proxy)
    script = reference and reference / "conformance/as4_check.py"
    if script and script.exists():
        found.append(Column("ours, by as4_check", columns.Checked.expected, columns.Checked(script, world).run))
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
    # peppol-py runs a script of ours, which needs what is installed beside this Python.
    os.environ["PATH"] = f"{pathlib.Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    reference = os.environ.get("ACCESS_POINT_REFERENCE")
    reference = pathlib.Path(reference) if reference else None
    phase4, why_not = phase4_of(reference)
    with tempfile.TemporaryDirectory(prefix="peers-") as work, contextlib.ExitStack() as servers:
        world = World(pathlib.Path(work), servers)
        asx = program("ACCESS_POINT_ASX_PEER")
        phase4 = phase4 and columns.Phase4(phase4, world.pki, world.work / "phase4", seats.PHASE4)
        asx = asx and columns.Asx(asx, world.pki, world.work / "asx.jsonl", seats.ASX, tens=2)
        every = directions(world, servers, phase4, asx, why_not, reference)
        tried = [column for column in every if isinstance(column, Column)]
        skipped = [column for column in every if isinstance(column, Skipped)]
        wrong = matrix.show_table(tried, matrix.run(tried))
        if phase4:
            print("\nTwo tries of one message")
            wrong += matrix.show_list(answers.run(world, phase4.command))
            print("\nSMPs: what lookups made of them")
            wrong += matrix.show_list(smp.run(smp.Publishers(world, phase4.command)))
        else:
            skipped += [Skipped(name, why_not) for name in ("answers of phase4", "SMPs")]
        twice, all_kept = world.service.twice()
        wrong += len(twice)
        print(f"\nDocuments that came: {all_kept}, not there once: {', '.join(twice) or 'none'}")
        judged = captured(world.peer, reference)
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
