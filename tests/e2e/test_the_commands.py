"""Runs every command of the README files and the guides unchanged."""

import json
import os
import re
import subprocess
from pathlib import Path

import pytest

from kit import bodies
from kit.documents import GUIDES, Terminal, block, blocks, commands, documents
from kit.run import REPOSITORY
from kit.waiting import wait_for

# The blocks that this file runs: a document, and the beginning of the block.
HERE = [
    ("README.md", "run() {"),
    ("README.md", "AUTH=("),
    ("infra/README.md", "export PATH=\"$PWD/.local/venv/bin:$PATH\"\nPORT="),
    ("infra/README.md", "infra/local --help"),
    ("infra/README.md", "run() {"),
    ("infra/README.md", "PROVIDER="),
    ("infra/OPERATE.md", "access-point org create"),
    ("infra/OPERATE.md", "access-point subscription"),
    ("infra/OPERATE.md", "cargo install --path shared --root .local/operator"),
    ("shared/README.md", "cargo install --path shared"),
    (f"{GUIDES}/archives.md", "# 202"),
    (f"{GUIDES}/authentication.md", "curl -s -H"),
    (f"{GUIDES}/authentication.md", "curl -s \"$API/v1/invoices"),
    (f"{GUIDES}/command-line.md", "cargo install --path shared"),
    (f"{GUIDES}/idempotency.md", "BODY="),
    (f"{GUIDES}/imports.md", "curl"),
    (f"{GUIDES}/paging.md", "CURSOR="),
    (f"{GUIDES}/taxpayers.md", "curl -s -H"),
    (f"{GUIDES}/taxpayers.md", "curl -s -X PATCH"),
    (f"{GUIDES}/testing.md", "curl"),
]

# The blocks that other tests run, and where.
ELSEWHERE = [
    ("README.md", "infra/local ", "starts what this runs on"),
    ("infra/README.md", "infra/local --network", "starts what tests/network runs on"),
    ("infra/README.md", "export PATH=\"$PWD/.local/venv/bin:$PATH\"      ", "compiles a function; runs until it is stopped"),
    ("infra/README.md", "PORTAL=", "tests/network"),
    ("infra/README.md", "AUTHORITY=", "tests/network"),
    ("infra/README.md", "OPENPEPPOL=", "tests/network"),
    ("infra/OPERATE.md", "pip install", "needs an account of AWS; .ci/run builds with SAM"),
    ("infra/OPERATE.md", "aws ", "needs an account of AWS"),
    ("infra/OPERATE.md", "cat > falcon.json", "tests/network"),
    ("infra/OPERATE.md", "access-point cost", "names a price file of the operator; the unit tests of cli::cost compute"),
    ("infra/OPERATE.md", "access-point smp-register", "needs an SML; tests/network registers"),
    ("infra/OPERATE.md", "cargo build --profile server", "tests/network serves"),
    ("infra/OPERATE.md", ".local/operator/bin/access-point peppol-report", "needs a network; tests/network reports"),
    ("tests/README.md", "", ".ci/run, and runs of minutes to hours"),
]

# Skipped commands of a block above, and the reason.
LEFT_OUT = {
    "cargo install": "compiles for minutes; the program of the run is the same",
    "access-point open": "needs a desktop; test_command_line.py has one",
    "access-point listen": "runs until it is stopped; test_command_line.py listens",
    "access-point trigger document.reported": "needs somebody who listens; test_command_line.py does",
    "export TABLE_NAME=…": "names the table of a deployment",
}


@pytest.fixture
def terminal(run, tmp_path) -> Terminal:
    """A new terminal."""
    return Terminal(run, Path(os.environ.get("ACCESS_POINT_RUN", REPOSITORY / ".local" / "run.json")), tmp_path)


def told(run) -> str:
    """The variables that the guides assume."""
    taxpayer = run.taxpayer("Falcon").taxpayer_id
    return f'API="{run.api_url}" KEY="{run.sandbox_key}" TAXPAYER="{taxpayer}"\n'


def typed(text: str) -> list[str]:
    """The commands of a block without comments and the skipped ones."""
    return [command for command in commands(text) if not command.startswith(("#", *LEFT_OUT))]


@pytest.mark.parametrize("document", documents())
def test_every_block_of_commands_is_run_somewhere_and_is_what_a_shell_reads(document):
    for text in blocks(document):
        places = [begins for where, begins, *_ in [*HERE, *ELSEWHERE] if where == document and text.startswith(begins)]
        assert places, f"{document}: nothing runs\n{text}"
        read = subprocess.run(["bash", "-n"], input=text, capture_output=True, text=True)
        assert read.returncode == 0, f"{document}: {read.stderr}"


def test_the_first_invoice_of_the_readme_is_sent_and_read(terminal):
    first, then = (block("README.md", begins) for begins in ("run() {", "AUTH=("))
    said = terminal.type(first + then)
    assert "201 Created" in said or "HTTP/1.1 201" in said, said
    assert '"document_id"' in said and "<Invoice" in said
    # A person types slower than a first event of a fresh service arrives.
    wait_for("the event", lambda: '"webhook-id"' in terminal.type(first + then))


def test_the_local_runner_explains_its_options(terminal):
    assert "--movable-clock" in terminal.type(f"cd {REPOSITORY}\n" + block("infra/README.md", "infra/local --help"))


def test_an_oauth_client_is_registered_on_the_local_service(terminal):
    said = terminal.type(block("infra/README.md", "run() {"))
    assert "client_" in said and "authorization_endpoint" in said


def test_one_function_is_invoked_alone(terminal):
    terminal.type(block("infra/README.md", 'export PATH="$PWD/.local/venv/bin:$PATH"\nPORT='))


def test_a_subscription_is_set_at_the_local_billing_provider(run, terminal):
    script = block("infra/README.md", "PROVIDER=").replace("org_…", run.organization_id)
    terminal.type(script)


def test_an_archive_is_asked_for_and_its_files_are_what_its_manifest_says(run, falcon, terminal):
    falcon.send(bodies.invoice())
    ask, look, take, unpack = typed(block(f"{GUIDES}/archives.md", "# 202"))
    archive = re.search(r"arc_\w+", terminal.type(told(run) + ask))[0]
    known = f"{told(run)}ARCHIVE={archive}\n"
    wait_for("the archive", lambda: json.loads(terminal.type(known + look))["status"] == "completed", seconds=90)
    terminal.type(f"{known}{take}\n{unpack}")
    assert list(terminal.folder.glob("arc_*/manifest-sha256.txt"))


def test_a_file_is_imported_and_its_result_read(run, terminal):
    (terminal.folder / "july.ndjson").write_bytes((REPOSITORY / "events" / "imports" / "invoices.ndjson").read_bytes())
    send, compressed, look, result = typed(block(f"{GUIDES}/imports.md", "curl"))
    for command in (send, compressed):
        made = re.search(r"imp_\w+", terminal.type(told(run) + command))[0]
        known = f"{told(run)}IMPORT={made}\n"
        wait_for("the import", lambda known=known: json.loads(terminal.type(known + look))["status"] == "completed", seconds=90)
        assert "accepted" in terminal.type(known + result) or "already_sent" in terminal.type(known + result)


def test_a_taxpayer_is_read_changed_and_disconnected(run, tenants, terminal):
    organization, taxpayer = tenants.organization(), tenants.taxpayer()
    grant = tenants.grant(organization, taxpayer)
    known = f"API={run.api_url} KEY={tenants.client(organization, taxpayer).key} TAXPAYER={taxpayer} GRANT={grant}\n"
    changed = terminal.type(known + block(f"{GUIDES}/taxpayers.md", "curl -s -X PATCH"))
    assert json.loads(changed)["metadata"] == {"erp_customer": "4711"}
    said = terminal.type(known + block(f"{GUIDES}/taxpayers.md", "curl -s -H"))
    assert organization in said and "grant.revoked" in said


def test_a_key_is_used_and_a_document_is_checked_and_sent_twice(run, terminal):
    first, then = (block(f"{GUIDES}/authentication.md", begins) for begins in ("curl -s -H", 'curl -s "$API/v1/invoices'))
    said = terminal.type(told(run) + first)
    assert run.organization_id in said and run.taxpayer("Falcon").taxpayer_id in said
    assert '"items"' in terminal.type(told(run) + then)
    assert "AP-JSON-code" in terminal.type(told(run) + block(f"{GUIDES}/testing.md", "curl"))
    twice = terminal.type(told(run) + block(f"{GUIDES}/idempotency.md", "BODY="))
    assert twice.lower().count("idempotent-replayed: true") >= 1
    assert len(set(re.findall(r"doc_[0-9a-f]{20,}", twice))) == 1


def test_a_list_is_read_page_by_page(run, falcon, terminal):
    documents = {falcon.send(bodies.invoice()).json()["document_id"] for _ in range(2)}
    said = terminal.type(told(run) + block(f"{GUIDES}/paging.md", "CURSOR="))
    assert documents <= set(re.findall(r"doc_[0-9A-Za-z]+", said))


def test_the_command_line_of_an_integrator_does_what_its_guide_says(run, terminal):
    text = block(f"{GUIDES}/command-line.md", "cargo install").replace("we_…", run.endpoint_id)
    said = terminal.type(told(run) + "\n".join(typed(text)))
    assert "document.sent" in said


def test_the_command_line_of_an_operator_does_what_its_document_says(run, tenants, terminal):
    known = {"txpay_…": tenants.taxpayer(mode="live")}
    for text in [block("infra/OPERATE.md", "access-point org create"), block("infra/OPERATE.md", "access-point subscription")]:
        for command in typed(text):
            if "tgr_…" in command:
                known["tgr_…"] = tenants.grant(known["org_…"], known["txpay_…"], mode="live")
            sandbox = {"org_…": run.organization_id} if "quota" in command else {}
            for placeholder, value in (known | sandbox).items():
                command = command.replace(placeholder, value)
            said = terminal.type(command, **run.described["environment"])
            for prefix, rest in re.findall(r"\b(org|key|client|txpay)_(\w{20,})", said):
                known[f"{prefix}_…"] = f"{prefix}_{rest}"
    parked = block("infra/OPERATE.md", "cargo install --path shared --root .local/operator")
    terminal.type("\n".join(typed(parked)), **run.described["environment"])


def test_a_document_is_validated_and_its_tax_data_made_without_the_service(run, falcon, terminal):
    sent = falcon.send(bodies.invoice()).json()["document_id"]
    (terminal.folder / "invoice.xml").write_bytes(falcon.request("GET", f"/invoices/{sent}/ubl").content)
    (terminal.folder / "file-names.txt").write_text("invoice.xml\n")
    said = terminal.type("\n".join(typed(block("shared/README.md", "cargo install --path shared"))))
    assert "TaxData" in said or "TDD" in said, said
