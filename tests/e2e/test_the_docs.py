"""The documentation in a real browser; its examples run unchanged against the service."""

import json
import os
import re
import shutil
import subprocess
import sys
import uuid
from collections.abc import Callable
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import httpx
import pytest
from lxml import html
from selenium.webdriver.common.keys import Keys

from kit import bodies, dotnet, npm, operator
from kit.browser import Browser
from kit.run import REPOSITORY
from kit.waiting import wait_for

EXAMPLES = REPOSITORY / "shared" / "templates" / "docs" / "examples"

GUIDES = [file.stem for file in sorted(EXAMPLES.parent.joinpath("guides").glob("*.md"))]

# A page of each kind, and every guide in both languages.
PAGES = [
    ("index", "/docs"),
    ("index", "/docs/ar"),
    *((f"guide-{name}", f"/docs/guides/{name}") for name in GUIDES),
    *((f"guide-{name}", f"/docs/ar/guides/{name}") for name in GUIDES),
    ("search", "/docs/search?q=invoice+number"),
    ("search", "/docs/ar/search?q=invoice"),
    ("reference", "/docs/reference"),
    ("operation", "/docs/reference/send_invoice"),
    ("object", "/docs/reference/send_invoice/body.line_items"),
    ("event", "/docs/reference/document.status"),
    ("errors", "/docs/errors"),
    ("error", "/docs/errors/validation_failed"),
    ("rules", "/docs/rules"),
    ("rule-family", "/docs/rules/ap-json"),
    ("rule", "/docs/rules/AP-JSON-code"),
    ("samples", "/docs/rules/samples"),
    ("validator", "/docs/validator"),
    ("changelog", "/docs/changelog"),
    ("nothing", "/docs/nothing"),
]


@pytest.mark.parametrize(("name", "path"), PAGES)
def test_every_page_of_the_documentation_is_judged_light_and_dark_narrow_and_wide(run, browser, axe, name, path):
    browser.open(f"{run.api_url}{path}")
    # One of them is the page for unknown paths. The guides in Arabic have the layout of the English ones.
    browser.judge(f"docs-{name}", axe, status=404 if name == "nothing" else 200, briefly="/ar/guides/" in path)


def test_every_kind_of_page_is_judged():
    """Every route of the documentation has a page above, except files and redirects."""
    source = (REPOSITORY / "shared" / "src" / "docs" / "mod.rs").read_text()
    no_pages = {"/docs/openapi.json", "/docs/changelog.atom", "/docs/assets", "/docs/assets/{name}"}
    routes = set(re.findall(r'"(/docs[^"]*)"', source)) - no_pages
    assert len(routes) > 7
    paths = [path.split("?")[0] for _, path in PAGES]
    for route in routes:
        pattern = re.sub(r"\{\w+\}", "[^/]+", route)
        assert any(re.fullmatch(pattern, path) for path in paths), route


def test_a_document_of_anybody_is_validated(run, browser):
    browser.open(f"{run.api_url}/docs/validator")
    body = json.loads((REPOSITORY / "events" / "invoices" / "minimal.json").read_text())
    body["line_items"][0]["vat"]["category_code"] = "Q"
    browser.fill("#text", json.dumps(body))
    browser.push("button[value='validate']")
    browser.wait_for("Invalid")
    browser.look("docs-validator-findings")
    assert "/line_items/0/vat/category_code" in browser.text()
    browser.open(f"{run.api_url}/docs/validator")
    body["line_items"][0]["vat"]["category_code"] = "S"
    browser.fill("#text", json.dumps(body))
    browser.push("button[value='validate']")
    browser.wait_for("Valid 0 errors")


def test_a_file_is_validated_when_it_is_dropped_and_when_it_is_chosen(run, browser, falcon, tmp_path):
    validator, body = f"{run.api_url}/docs/validator", bodies.invoice()
    document = falcon.ubl(falcon.send(body).json()["document_id"]).text
    wrong = document.replace(">AED<", ">ZZZ<", 1)
    assert wrong != document
    # What is dropped is validated at once; with scripts only.
    browser.scripts(run=True)
    browser.open(validator)
    assert browser.driver.find_element("css selector", "[data-drop-hint]").is_displayed()
    browser.drop("form[data-drop]", "invoice.xml", wrong)
    browser.wait_for("Invalid")
    lines = browser.driver.find_elements("css selector", "main pre .found")
    assert any("ZZZ" in line.text for line in lines)
    browser.look("docs-validator-dropped")
    browser.scripts(run=False)
    browser.open(validator)
    assert not browser.driver.find_element("css selector", "[data-drop-hint]").is_displayed()
    file = tmp_path / "invoice.xml"
    file.write_text(document)
    browser.pick("#file", file)
    browser.push("button[value='validate']")
    browser.wait_for("Valid 0 errors")
    # As people read it, in a tab of its own.
    browser.open(validator)
    browser.pick("#file", file)
    browser.push("button[value='view']")
    here = browser.driver.current_window_handle
    (there,) = wait_for("the other tab", lambda: [tab for tab in browser.driver.window_handles if tab != here])
    browser.driver.switch_to.window(there)
    browser.wait_for(bodies.number_of(body))
    browser.driver.close()
    browser.driver.switch_to.window(here)


def tried(browser, **fields: str) -> None:
    """Fills in the form of the open operation, and submits it."""
    for name, value in fields.items():
        # Header names have hyphens, names of paths and queries have underscores.
        named = f"//*[translate(@id, '_', '-') = 'try-{name.replace('_', '-')}']"
        field = browser.driver.find_element("xpath", named)
        field.clear()
        field.send_keys(value)
    browser.driver.find_element("css selector", "#try form button").click()


def test_an_operation_is_tried_with_a_key_of_the_sandbox_alone(run, browser):
    browser.scripts(run=True)
    browser.size(1_440)
    browser.open(f"{run.api_url}/docs/reference/get_me")
    for key, expected in [("pk_live_" + "a" * 43, "no API key of Sandbox"), (run.sandbox_key, run.organization_id)]:
        tried(browser, key=key)
        browser.wait_for(expected)
    browser.look("docs-tried")
    browser.open(f"{run.api_url}/docs/reference/send_invoice")
    body = json.dumps(bodies.invoice() | {"currency": "EURO"})
    tried(browser, key=run.sandbox_key, header_x_ae_taxpayer_id=run.taxpayer("Falcon").taxpayer_id, body=body)
    browser.wait_for("is not a code of ISO 4217")
    # Without scripts the form is not shown, since it would do nothing.
    browser.scripts(run=False)
    browser.open(f"{run.api_url}/docs/reference/get_me")
    assert not browser.driver.find_element("css selector", "#try").is_displayed()


def test_what_is_no_text_is_saved_and_what_is_elsewhere_is_said_to_be_there(run, browser, falcon, tmp_path):
    browser.scripts(run=True)
    taxpayer = run.taxpayer("Falcon").taxpayer_id
    document = falcon.send(bodies.invoice()).json()["document_id"]
    browser.open(f"{run.api_url}/docs/reference/get_document_pdf")
    tried(browser, key=run.sandbox_key, header_x_ae_taxpayer_id=taxpayer, path_document_id=document)
    browser.wait_for("bytes, application/pdf")
    link = browser.driver.find_element("css selector", "#try a[download]")
    assert link.is_displayed() and link.get_attribute("download") == f"{document}.pdf"
    # The saved file is the received one; the policy of the page allows it.
    browser.save_to(tmp_path)
    link.click()
    saved = tmp_path / f"{document}.pdf"
    assert wait_for("the file", lambda: saved.exists() and saved.read_bytes()).startswith(b"%PDF-")
    assert "%PDF" not in browser.text()
    period = {"issued_from": "2026-01-01", "issued_to": "2026-12-31"}
    browser.open(f"{run.api_url}/docs/reference/create_archive")
    tried(browser, key=run.sandbox_key, header_x_ae_taxpayer_id=taxpayer, **{f"query_{name}": day for name, day in period.items()})
    answer = browser.driver.find_element("css selector", "#try [role=status]")
    archive = wait_for("the answer", lambda: re.search(r"arc_[0-9A-Za-z]+", answer.text))[0]
    wait_for("the archive", lambda: falcon.request("GET", f"/archives/{archive}").json()["status"] == "completed", seconds=90)
    browser.open(f"{run.api_url}/docs/reference/get_archive_file")
    tried(browser, key=run.sandbox_key, header_x_ae_taxpayer_id=taxpayer, path_archive_id=archive)
    browser.wait_for("the answer is a file at another address")
    assert "curl -sL" in browser.text()


def test_the_search_is_used_by_keyboard_and_without_scripts(run, browser):
    browser.scripts(run=True)
    browser.size(1_440)
    browser.open(f"{run.api_url}/docs")
    browser.press("/")
    assert browser.driver.switch_to.active_element.get_attribute("id") == "q"
    browser.press("ap-json-code")
    options = wait_for("the list", lambda: browser.driver.find_elements("css selector", "#hits [role=option]"))
    assert options[0].text.startswith("AP-JSON-code")
    browser.look("docs-search-open")
    field = browser.driver.find_element("id", "q")
    assert field.get_attribute("aria-expanded") == "true"
    browser.press(Keys.ARROW_DOWN)
    assert field.get_attribute("aria-activedescendant") == "hit-0"
    browser.press(Keys.ENTER)
    browser.wait_for_url(f"{run.api_url}/docs/rules/AP-JSON-code")
    browser.chord(Keys.CONTROL, "k")
    assert browser.driver.switch_to.active_element.get_attribute("id") == "q"
    # Without scripts the form leads to a page of results.
    browser.scripts(run=False)
    browser.open(f"{run.api_url}/docs")
    browser.fill("#q", "idempotency_key_reused")
    browser.push("form.search button")
    browser.wait_for_url(f"{run.api_url}/docs/search?q=idempotency_key_reused")
    assert "/docs/errors/idempotency_key_reused" in browser.driver.page_source


def programs(browser) -> list[str]:
    """The visible versions of programs."""
    shown = browser.driver.find_elements("css selector", ".tabs > .code pre")
    return [each.get_attribute("id") for each in shown if each.is_displayed()]


def test_the_chosen_language_of_programs_is_remembered(run, browser):
    browser.scripts(run=True)
    browser.open(f"{run.api_url}/docs/guides/first-invoice")
    assert programs(browser) == ["first-invoice.sh"]
    browser.driver.find_element("css selector", ".tabs label[for='first-invoice-4']").click()
    browser.open(f"{run.api_url}/docs/guides/corrections")
    assert programs(browser) == ["CreditNote.java"]
    # Without scripts the tabs work, and nothing is remembered.
    browser.scripts(run=False)
    browser.open(f"{run.api_url}/docs/guides/errors")
    browser.driver.find_element("css selector", ".tabs label[for='errors-2']").click()
    assert programs(browser) == ["errors.py"]
    browser.scripts(run=True)
    browser.driver.execute_script("localStorage.clear()")


def test_examples_have_the_key_of_the_reader_until_it_is_forgotten(run, browser):
    browser.scripts(run=True)
    browser.open(f"{run.api_url}/docs/reference/get_me")
    browser.driver.execute_script("sessionStorage.clear()")
    browser.open(f"{run.api_url}/docs/reference/get_me")
    assert "$KEY" in browser.text()
    tried(browser, key=run.sandbox_key)
    browser.wait_for(run.organization_id)
    # The key is in the examples and the forms of other pages, with a taxpayer of the organization.
    browser.open(f"{run.api_url}/docs/reference/list_documents")
    assert run.sandbox_key in browser.text() and f"{run.api_url}/v1/invoices" in browser.text()
    wait_for("a taxpayer", lambda: "txpay_" in browser.text() and "$TAXPAYER" not in browser.text())
    assert browser.driver.find_element("id", "try-key").get_attribute("value") == run.sandbox_key
    browser.look("docs-own-key")
    browser.driver.find_element("css selector", ".own-key button").click()
    assert run.sandbox_key not in browser.text() and "$KEY" in browser.text()
    assert browser.driver.execute_script("return sessionStorage.length") == 0


def test_an_anchor_is_where_an_error_leads(run, browser, falcon):
    browser.scripts(run=True)
    refused = falcon.send(bodies.invoice() | {"currency": "EURO"})
    detail = refused.json()["detail"]
    for url in [detail["doc_url"], detail["errors"][0]["doc_url"]]:
        page, anchor = url.split("#")
        answer = httpx.get(page, trust_env=False, timeout=30)
        assert answer.status_code == 200 and f'id="{anchor}"' in answer.text, url
    # The index of rules leads on to the page of the rule.
    browser.open(detail["errors"][0]["doc_url"])
    browser.wait_for_url(f"{run.api_url}/docs/rules/AP-JSON-code")
    # A link to a field opens the folds around it.
    browser.open(f"{run.api_url}/docs/reference/send_invoice#body.delivery_address.city")
    assert browser.driver.find_element("id", "body.delivery_address.city").is_displayed()


@pytest.fixture(scope="module")
def environment(run) -> dict[str, str]:
    told = {"API": run.api_url, "KEY": run.sandbox_key, "TAXPAYER": run.taxpayer("Falcon").taxpayer_id}
    return os.environ | told | {"NO_PROXY": "127.0.0.1,localhost"}


def ran(command: list[str], environment: dict[str, str], folder: Path) -> str:
    """The output of an example; it must succeed."""
    done = subprocess.run(command, env=environment, cwd=folder, capture_output=True, text=True, timeout=240)
    assert done.returncode == 0, f"{command}: {done.stdout}{done.stderr}"
    return done.stdout


def bash(folder: Path, name: str) -> list[str]:
    needed(*(tool for tool in ("curl", "jq") if tool in (EXAMPLES / name).read_text()))
    return ["bash", "-euo", "pipefail", str(EXAMPLES / name)]


def python(folder: Path, name: str) -> list[str]:
    return ["python3", str(EXAMPLES / name)]


def java(folder: Path, name: str) -> list[str]:
    needed("java")
    return ["java", str(EXAMPLES / name)]


def typescript(folder: Path, name: str) -> list[str]:
    """Compiles in strict mode; a compiler error fails the test."""
    needed("node", "npm")
    node = npm.install(folder / "node")
    options = ["--strict", "--target", "es2022", "--module", "nodenext", "--outDir", str(folder / "out")]
    source = folder / name.replace(".ts", ".mts")
    source.write_bytes((EXAMPLES / name).read_bytes())
    ran([str(node / "node_modules" / ".bin" / "tsc"), *options, str(source)], os.environ | {}, folder)
    return ["node", str(folder / "out" / source.name.replace(".mts", ".mjs"))]


def csharp(folder: Path, name: str) -> list[str]:
    return dotnet.program(folder, EXAMPLES / name)


def needed(*tools: str) -> None:
    for tool in tools:
        if shutil.which(tool) is None:
            pytest.skip(f"!!! THIS EXAMPLE IS SKIPPED: there is no {tool} !!!")


Runner = Callable[[Path, str], list[str]]


@pytest.mark.parametrize(
    ("language", "name"),
    [
        (bash, "first-invoice.sh"),
        (python, "first_invoice.py"),
        (typescript, "first-invoice.ts"),
        (java, "FirstInvoice.java"),
        (csharp, "FirstInvoice.cs"),
    ],
)
def test_the_first_invoice_is_sent_in_every_language(environment, falcon, tmp_path, language: Runner, name):
    told = ran(language(tmp_path, name), environment, tmp_path)
    document = re.search(r"doc_[0-9A-Za-z]+", told)
    assert document, told
    record = falcon.get(document[0]).json()
    assert (record["status"], record["total_with_vat"]) == ("sent", "945.00")


def node(folder: Path, name: str) -> list[str]:
    """A program without types is JavaScript too."""
    needed("node")
    return ["node", "--input-type=module", "--eval", (folder / name).read_text()]


@pytest.mark.parametrize(
    ("command", "name"),
    [
        (lambda folder, name: ["bash", "-euo", "pipefail", name], "request.sh"),
        (lambda folder, name: [sys.executable, name], "request.py"),
        (node, "request.ts"),
    ],
)
def test_the_requests_of_the_reference_run_in_every_language(run, environment, falcon, tmp_path, command: Runner, name):
    document = falcon.send(bodies.invoice()).json()["document_id"]
    values = {"$KEY": environment["KEY"], "$TAXPAYER": environment["TAXPAYER"], "$DOCUMENT_ID": document}
    # With a body of JSON, of text and none; with an answer of JSON, of XML and a file at another address.
    expected = {"send_invoice": "doc_", "create_import": "imp_", "get_document": document, "get_document_ubl": "Invoice"}
    expected["get_document_pdf"] = ""
    for operation, part in expected.items():
        page = html.fromstring(httpx.get(f"{run.api_url}/docs/reference/{operation}", trust_env=False, timeout=30).text)
        [element] = page.xpath(f"//pre[@id='request-{name}']")
        program = element.text_content()
        for variable, value in (values | {"$UNIQUE_TO_THIS_REQUEST": str(uuid.uuid4())}).items():
            program = program.replace(variable, value)
        assert "$" not in program.replace("${", ""), program
        (tmp_path / name).write_text(program)
        told = ran(command(tmp_path, name), environment, tmp_path)
        assert part in told, f"{operation}: {told}"
    assert (tmp_path / "file").read_bytes().startswith(b"%PDF-")


@pytest.mark.parametrize(
    ("language", "name"),
    [
        (bash, "errors.sh"),
        (python, "errors.py"),
        (typescript, "errors.ts"),
        (java, "Errors.java"),
        (csharp, "Errors.cs"),
    ],
)
def test_an_error_is_told_with_its_fields_rules_and_explanations(environment, run, tmp_path, language: Runner, name):
    told = ran(language(tmp_path, name), environment, tmp_path)
    assert "validation_failed" in told
    assert f"{run.api_url}/docs/rules#AP-JSON-code" in told and "/currency" in told


@pytest.mark.parametrize(
    ("language", "name"),
    [
        (bash, "credit-note.sh"),
        (python, "credit_note.py"),
        (typescript, "credit-note.ts"),
        (java, "CreditNote.java"),
        (csharp, "CreditNote.cs"),
    ],
)
def test_an_invoice_is_credited(environment, falcon, tmp_path, language: Runner, name):
    sent = falcon.send(bodies.invoice())
    assert sent.status_code == 201
    told = environment | {"DOCUMENT": sent.json()["document_id"]}
    credit = json.loads(ran(language(tmp_path, name), told, tmp_path))
    assert credit["status"] == "sent" and credit["previous_document_id"] == told["DOCUMENT"]


@pytest.mark.parametrize(
    ("language", "name"),
    [
        (bash, "webhook.sh"),
        (python, "webhook.py"),
        (typescript, "webhook.ts"),
        (java, "Webhook.java"),
        (csharp, "Webhook.cs"),
    ],
)
def test_an_endpoint_is_made_and_tested(environment, falcon, tmp_path, language: Runner, name):
    url = f"http://127.0.0.1:9/{uuid.uuid4()}"
    told = ran(language(tmp_path, name), environment | {"URL": url}, tmp_path)
    endpoint = re.search(r"we_[0-9A-Za-z]+", told)
    assert endpoint and "whsec_" in told and "evt_" in told, told
    assert falcon.request("DELETE", f"/webhook-endpoints/{endpoint[0]}").status_code == 204


@pytest.mark.parametrize(
    ("language", "name"),
    [
        (bash, "connect.sh"),
        (python, "connect.py"),
        (typescript, "connect.ts"),
        (java, "Connect.java"),
        (csharp, "Connect.cs"),
    ],
)
def test_a_taxpayer_is_connected(environment, run, tmp_path, language: Runner, name):
    callback = "http://127.0.0.1:1/callback"
    client = operator.tool(run, "client", "create", "--org", run.organization_id, "--name", "Docs", "--redirect", callback)
    told = environment | {"CLIENT": client["client_id"], "SECRET": client["client_secret"], "CALLBACK": callback}
    command = language(tmp_path, name)
    with subprocess.Popen(command, env=told, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as program:
        url = program.stdout.readline().strip()
        browser = Browser(run.api_url)
        page = browser.submit(browser.get(url), "/sandbox/onboarding", name="Docs LLC", email="")
        back = parse_qs(urlsplit(browser.submit(page, "/sandbox/oauth/consent", decision="approve")).query)
        answer, _ = program.communicate(back["code"][0] + "\n", timeout=60)
    assert program.returncode == 0, answer
    header = {"authorization": f"Bearer {json.loads(answer)['access_token']}"}
    me = httpx.get(f"{run.api_url}/v1/me", headers=header, trust_env=False, timeout=30)
    assert me.status_code == 200 and me.json()["credential"]["grant"]["scopes"] == ["invoices:read", "invoices:write"]


def test_every_example_is_run_here_or_with_those_that_verify():
    """Every program on a page is run by a test."""
    text = Path(__file__).read_text()
    missing = [file.name for file in EXAMPLES.iterdir() if f'"{file.name}"' not in text]
    assert missing == []
