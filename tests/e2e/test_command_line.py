"""The commands of integrators, against the running service."""

import json
import os
import pty
import signal
import stat
import subprocess
import termios
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

from kit import bodies
from kit.receiver import receiver, verify
from kit.run import REPOSITORY
from kit.waiting import wait_for

SAMPLE = REPOSITORY / "events" / "invoices" / "minimal.json"


class CommandLine:
    """The command line with its own home directory."""

    def __init__(self, run, home: Path):
        self.program = run.functions / "access-point" / "bootstrap"
        self.file = home / "access-point" / "credentials.json"
        self.environment = {"PATH": os.environ["PATH"], "XDG_CONFIG_HOME": str(home)}

    def call(self, *arguments: str, told: str = "", **more: str) -> subprocess.CompletedProcess:
        environment = self.environment | more
        return subprocess.run([self.program, *arguments], env=environment, input=told, capture_output=True, text=True, timeout=120)

    def lines(self, *arguments: str) -> list[dict]:
        """The output of a command for programs."""
        done = self.call(*arguments, "--json")
        assert done.returncode == 0, done.stderr
        return [json.loads(line) for line in done.stdout.splitlines()]

    @contextmanager
    def listening(self, url: str):
        """A listening process, and the secret that it printed."""
        command = [self.program, "listen", "--forward", url, "--json"]
        pipe = subprocess.PIPE
        with subprocess.Popen(command, env=self.environment, stdout=pipe, stderr=pipe, text=True) as process:
            try:
                first = process.stdout.readline()
                assert first, process.stderr.read()
                yield process, json.loads(first)["secret"]
            finally:
                process.kill()


@pytest.fixture
def command_line(run, tmp_path) -> CommandLine:
    """One that is logged in to the demo organization's Sandbox."""
    made = CommandLine(run, tmp_path)
    taxpayer = run.taxpayer("Falcon").taxpayer_id
    done = made.call("login", "--url", run.api_url, "--taxpayer", taxpayer, told=run.sandbox_key + "\n")
    assert done.returncode == 0, done.stderr
    assert "sandbox" in done.stdout and run.sandbox_key not in done.stdout
    return made


def written(folder: Path, **changes) -> str:
    path = folder / "invoice.json"
    path.write_text(json.dumps(bodies.invoice(**changes)))
    return str(path)


def test_a_key_is_kept_for_its_owner_alone(command_line):
    assert stat.S_IMODE(command_line.file.stat().st_mode) == 0o600
    command_line.file.chmod(0o644)
    refused = command_line.call("documents")
    assert refused.returncode == 2 and "chmod 600" in refused.stderr


def test_a_terminal_is_asked_for_the_key_and_does_not_show_it(run, tmp_path):
    command_line = CommandLine(run, tmp_path)
    pid, terminal = pty.fork()
    if pid == 0:
        os.execve(command_line.program, ["access-point", "login", "--url", run.api_url], command_line.environment)
    shown = b""
    while b"API key" not in shown:
        shown += os.read(terminal, 1024)
    # The question is shown before the terminal stops to show what is typed.
    wait_for("the silence", lambda: not termios.tcgetattr(terminal)[3] & termios.ECHO)
    os.write(terminal, run.sandbox_key.encode() + b"\n")
    with suppress(OSError):  # the terminal ends with its program
        while read := os.read(terminal, 1024):
            shown += read
    _, status = os.waitpid(pid, 0)
    assert os.waitstatus_to_exitcode(status) == 0, shown
    assert b"saved in" in shown and run.sandbox_key.encode() not in shown
    assert json.loads(command_line.file.read_text())["api_key"] == run.sandbox_key


def test_it_says_whom_it_acts_for_where_a_document_is_and_forgets_the_key(command_line, run, tmp_path):
    me = command_line.lines("whoami")[0]
    assert (me["environment"], me["organization_id"]) == ("sandbox", run.organization_id)
    assert me["taxpayer_id"] in command_line.call("whoami").stdout
    document = command_line.lines("send", written(tmp_path))[0]["document"]["document_id"]
    page = command_line.call("open", "--print", document).stdout.strip()
    assert page == f"{run.api_url}/sandbox/organization/taxpayers/{me['taxpayer_id']}/documents/{document}"
    assert command_line.call("open", "--print", "doc_" + "0" * 32).returncode == 1
    for told in ("Deleted", "There is no"):
        assert told in command_line.call("logout").stdout
    assert not command_line.file.exists()
    assert command_line.call("whoami").returncode == 2


@pytest.fixture
def desktop(tmp_path) -> Path:
    """A folder with the programs that hand an address to the browser, on Linux and on macOS: they write it to a file there."""
    folder = tmp_path / "desktop"
    folder.mkdir()
    for name in ("xdg-open", "open"):
        (folder / name).write_text(f'#!/bin/sh\nprintf "%s\\n" "$@" >> {folder}/opened\n')
        (folder / name).chmod(0o755)
    return folder


def test_the_page_of_a_document_is_opened_in_the_browser(command_line, desktop, tmp_path):
    document = command_line.lines("send", written(tmp_path))[0]["document"]["document_id"]
    path = f"{desktop}:{os.environ['PATH']}"
    for arguments in ([document], []):
        opened = command_line.call("open", *arguments, PATH=path)
        assert opened.returncode == 0, opened.stderr
    address = command_line.call("open", "--print", document, PATH=path).stdout
    start = address.partition("/taxpayers/")[0] + "\n"
    # Each was opened once, and --print opened nothing.
    assert (desktop / "opened").read_text() == address + start
    # The address is printed where it cannot be opened.
    for name in ("xdg-open", "open"):
        (desktop / name).write_text("#!/bin/sh\nexit 3\n")
    failed = command_line.call("open", document, PATH=path)
    assert failed.returncode != 0 and "open" in failed.stderr and failed.stdout == address


def test_a_project_sends_its_first_invoice_as_it_is_written(command_line, tmp_path):
    folder = tmp_path / "first"
    written = command_line.call("init", "python", str(folder))
    assert written.returncode == 0, written.stderr
    commands = written.stdout.split("Then:")[1]
    sent = subprocess.run(["bash", "-euc", commands], capture_output=True, text=True, timeout=60)
    assert sent.returncode == 0, sent.stderr
    document = sent.stdout.split()[0]
    assert document in [entry["document_id"] for entry in command_line.lines("documents", "--limit", "5")]
    assert stat.S_IMODE((folder / ".env").stat().st_mode) == 0o600
    again = command_line.call("init", "python", str(folder))
    assert again.returncode == 1 and "exists" in again.stderr


def test_a_file_of_another_kind_is_named(command_line, tmp_path):
    for name, content, said in (("a.pdf", b"%PDF-1.7", "PDF"), ("a.txt", b"hello", "neither"), ("a.xml", b"<Invoice/>", "content")):
        path = tmp_path / name
        path.write_bytes(content)
        refused = command_line.call("send", str(path))
        assert refused.returncode == 2 and said in refused.stderr, refused.stderr
    path = tmp_path / "a.json"
    path.write_text("{}")
    refused = command_line.call("validate", str(path))
    assert refused.returncode == 2 and "convert" in refused.stdout, refused.stdout


def test_a_key_that_does_not_work_is_not_kept(run, tmp_path):
    command_line = CommandLine(run, tmp_path)
    refused = command_line.call("login", "--url", run.api_url, told="pk_test_" + "0" * 40 + "\n")
    assert refused.returncode == 1 and "401" in refused.stderr
    assert not command_line.file.exists()


def test_a_file_is_sent_once_however_often(command_line, tmp_path):
    path = written(tmp_path)
    first, again = (command_line.lines("send", path)[0] for _ in range(2))
    assert first["http_status"] == 201 and first == again
    document = first["document"]["document_id"]
    shown = command_line.call("send", path).stdout
    assert document in shown and "sent" in shown and "AED" in shown
    listed = command_line.lines("documents", "--number", first["document"]["number"])
    assert [entry["document_id"] for entry in listed] == [document]
    table = command_line.call("documents", "--limit", "3").stdout.splitlines()
    assert len(table) == 4 and table[0].startswith("created_at")


def test_every_sample_is_sent_as_it_stands_with_its_type_found_out(command_line):
    samples = [str(path) for path in sorted((REPOSITORY / "events" / "self-billing" / "invoices").glob("*.json"))]
    sent = command_line.lines("send", str(SAMPLE), *samples)
    assert [entry["http_status"] for entry in sent] == [201] * (1 + len(samples))
    assert {entry["document"]["type"] for entry in sent} == {"invoice", "self_billed_invoice"}


def test_what_is_refused_is_told_with_its_findings(command_line, tmp_path):
    refused = command_line.call("send", written(tmp_path, currency="ZZZ"))
    assert refused.returncode == 1
    assert "422 validation_failed" in refused.stdout and "/currency" in refused.stdout
    assert command_line.call("send", str(tmp_path / "nothing.json")).returncode == 2
    assert command_line.call("documents", "--status", "lost").returncode == 1
    assert command_line.call("documents", ACCESS_POINT_URL="http://127.0.0.1:9").returncode == 3


def test_a_test_event_is_signed_by_the_secret_that_is_kept(command_line):
    with receiver() as program:
        for outcome, told in (("accepted", "REPORTED"), ("failed", "FAILED")):
            done = command_line.lines("trigger", "document.reported", "--outcome", outcome, "--forward", program.url)
            assert done[0]["status"] == 200
            delivery = program.deliveries()[-1]
            verify(delivery, json.loads(command_line.file.read_text())["listen_secret"])
            assert delivery.envelope["test"] is True and delivery.envelope["data"]["report"]["outcome"] == told
    assert command_line.call("trigger", "grant.revoked", "--forward", "http://localhost:1").returncode == 2


def test_what_happens_is_forwarded_once_signed_by_one_secret_whenever_it_listens(command_line, tmp_path):
    seen, secrets = [], set()
    with receiver() as program:
        for number in range(2):
            with command_line.listening(program.url) as (process, secret):
                secrets.add(secret)
                document = command_line.lines("send", written(tmp_path, note=f"round {number}"))[0]["document"]["document_id"]
                program.secret = secret
                (delivery,) = program.wait_for("document.sent", document_id=document)
                seen.append(delivery.headers["webhook-id"])
                process.send_signal(signal.SIGINT)
                assert process.wait(timeout=20) == 0
        ids = [delivery.headers["webhook-id"] for delivery in program.deliveries()]
    assert len(secrets) == 1 and len(set(seen)) == 2
    assert len(ids) == len(set(ids))
    listed = command_line.lines("events", "--type", "document.sent", "--limit", "20")
    assert set(seen) <= {event["event_id"] for event in listed}


def test_listening_is_for_the_sandbox(command_line, run):
    refused = command_line.call("listen", "--forward", "http://localhost:1", ACCESS_POINT_API_KEY=run.live_key)
    assert refused.returncode == 2 and "pk_test_" in refused.stderr


def test_completions_are_read_by_the_shell(command_line):
    script = command_line.call("completions", "bash").stdout
    registered = "registered=$(complete -p access-point); registered=${registered#*-F }"
    asked = "COMP_WORDS=(access-point li); COMP_CWORD=1; ${registered%% *} access-point li access-point; echo ${COMPREPLY[@]}"
    done = subprocess.run(["bash", "-c", f"{script}\n{registered}; {asked}"], capture_output=True, text=True, check=True)
    assert done.stdout == "listen\n"
