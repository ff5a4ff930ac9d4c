"""Runs the command line and the official judge, each as its own process."""
import json
import os
import pathlib
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
BODIES = HERE / "bodies"
TAXPAYERS = HERE / "taxpayers"
EVENTS = ROOT / "events"

# Folder of the bodies, folder of the samples (the operation's path), name of the operation.
OPERATIONS = (
    ("invoices", "invoices", "invoice"),
    ("credit-notes", "credit-notes", "credit_note"),
    ("self-billing-invoices", "self-billing/invoices", "self_billed_invoice"),
    ("self-billing-credit-notes", "self-billing/credit-notes", "self_billed_credit_note"),
)


def body_name(official):
    """The name of our body for an official example: folder and file in plain letters."""
    profile, kind = official.parts[-4], official.parts[-2]
    folder = ("self-billing-" if profile == "selfbilling" else "") + ("credit-notes" if kind == "creditnote" else "invoices")
    return f"{folder}/{re.sub(r'[^a-z0-9]+', '-', official.stem.lower()).strip('-')}"


def binary(variable, name):
    """Path of a built binary, from the environment or the debug build."""
    path = pathlib.Path(os.environ.get(variable) or ROOT / "target" / "debug" / name)
    assert path.is_file(), f"{path} is not there: build it with cargo, or set {variable}"
    return path


def convert(operation, bodies, out, taxpayer=None, today="2025-06-30"):
    """UBL files of the bodies, in order; a refused body fails with its findings."""
    out.mkdir(parents=True, exist_ok=True)
    command = [binary("ACCESS_POINT_BIN", "access-point"), "convert", "--operation", operation, "--today", today,
               "--out", out]
    if taxpayer:
        command += ["--taxpayer", taxpayer]
    done = subprocess.run([*command, *bodies], capture_output=True, text=True)
    assert done.returncode == 0, f"convert --operation {operation} refused:\n{done.stderr}"
    return [out / f"{body.stem}.xml" for body in bodies]


def content(documents, out):
    """The content of UBL files, in order: type, content, customer, unmapped and unmapped_cut."""
    command = [binary("ACCESS_POINT_BIN", "access-point"), "content", "--out", out]
    done = subprocess.run([*command, *documents], capture_output=True, text=True)
    assert done.returncode == 0, f"content refused:\n{done.stderr}"
    return [json.loads((out / f"{document.stem}.json").read_text()) for document in documents]


def judge(reference, files, processes=1):
    """The exact official verdict of each file, in any order."""
    oracle = reference / "conformance" / "oracle.py"
    shares = [files[n::processes] for n in range(processes)]

    def one(share):
        if not share:
            return []
        done = subprocess.run([sys.executable, oracle, "--list", "/dev/stdin"], text=True, capture_output=True,
                              input="".join(f"{file}\n" for file in share))
        assert done.returncode in (0, 2), done.stderr
        return [json.loads(line) for line in done.stdout.splitlines()]

    with ThreadPoolExecutor(processes) as pool:
        verdicts = [verdict for share in pool.map(one, shares) for verdict in share]
    assert len(verdicts) == len(files), f"{len(files)} files, {len(verdicts)} verdicts"
    return verdicts


def faults(verdicts):
    """The errors, one line for each document; empty when all are valid."""
    return [f"{pathlib.Path(v['file']).name}: {v.get('error') or ''}{v.get('crash') or ''} {v.get('xsd', '')} {v.get('fired', '')}"
            for v in verdicts if v.get("error") or v["crash"] or v["xsd"] or v["fired"]]
