"""Imports: many documents in one file, by the API, the command line and the portal, over real HTTP."""

import csv
import gzip
import io
import json

import pytest

from kit import bodies
from kit.run import REPOSITORY
from kit.waiting import wait_for
from test_command_line import CommandLine, command_line  # noqa: F401
from test_the_portal import invited, signed_in

# The button that sends what a chosen file says.
SEND = "form[action$='/organization/imports/create'] button"
SAMPLE = (REPOSITORY / "events" / "imports" / "invoices.csv").read_text()


def numbered(prefix: str) -> str:
    """The sample table with its own numbers."""
    return SAMPLE.replace("INV-", prefix)


def imported(client, content: bytes, media_type: str, **query) -> dict:
    """An import, when it is completed."""
    answer = client.request("POST", "/imports", headers={"content-type": media_type}, content=content, params=query)
    assert answer.status_code == 202, answer.text
    path = f"/imports/{answer.json()['import_id']}"
    assert answer.headers["location"] == f"/v1{path}"

    def completed():
        stands = client.request("GET", path).json()
        return stands if stands["status"] == "completed" else None

    return wait_for("the import", completed, seconds=60)


def result(client, stands: dict):
    answer = client.request("GET", f"/imports/{stands['import_id']}/result")
    assert answer.status_code == 200, answer.text
    return answer


def test_lines_of_json_are_sent_and_delivered_once_however_often_they_come(falcon):
    lines = [bodies.invoice() for _ in range(230)]
    lines[7] = bodies.invoice(currency="ZZZ")
    content = "".join(json.dumps(line) + "\n" for line in lines).encode()
    first = imported(falcon, gzip.compress(content), "application/gzip", name="July.ndjson")
    assert (first["name"], first["format"], first["documents"]) == ("July.ndjson", "ndjson", 230)
    assert (first["accepted"], first["already_sent"], first["refused"]) == (229, 0, 1)
    outcomes = [json.loads(line) for line in result(falcon, first).text.splitlines()]
    assert [outcome["row"] for outcome in outcomes] == list(range(1, 231))
    refused = outcomes[7]
    assert refused["outcome"] == "refused" and refused["code"] == "validation_failed"
    assert "/currency" in [finding["pointer"] for finding in refused["findings"]]
    again = imported(falcon, content, "application/x-ndjson")
    assert (again["accepted"], again["already_sent"], again["refused"]) == (0, 229, 1)
    assert again["sha256"] == first["sha256"]

    def sent():
        record = falcon.get(outcomes[-1]["document_id"]).json()
        return record if record["status"] == "sent" else None

    record = wait_for("the last document", sent, seconds=60)
    assert record["number"] == bodies.number_of(lines[-1])


def test_a_table_is_answered_by_a_table(falcon):
    prefix = bodies.unique("T")
    table = numbered(prefix).replace(",310.00", ",much")
    stands = imported(falcon, table.encode("utf-8-sig").replace(b"\n", b"\r\n"), "text/csv; charset=utf-8")
    assert (stands["format"], stands["accepted"], stands["refused"]) == ("csv", 1, 1)
    rows = list(csv.DictReader(io.StringIO(result(falcon, stands).text)))
    found = [row for row in rows if row["outcome"] == "refused"]
    assert {(row["finding_row"], row["column"]) for row in found} == {("4", "line_items.price.net_price")}
    assert [row["document_id"] for row in rows if row["outcome"] == "accepted"]


def test_a_file_that_cannot_be_one_is_refused_with_the_reason(falcon):
    for content, says in [
        (b"invoice_nr\n1\n", "did you mean invoice_number?"),
        (numbered("U").encode("utf-16"), "UTF-16"),
        (b"{}\n" * 10_001, "10001 documents"),
        (gzip.compress(SAMPLE.encode())[:-9], "gzip"),
    ]:
        answer = falcon.request("POST", "/imports", headers={"content-type": "application/gzip"}, content=content)
        assert answer.status_code == 422 and says in answer.text, answer.text
    assert falcon.request("GET", "/imports/imp_0").status_code == 404


def test_the_command_line_imports_a_file_and_writes_what_became_of_it(command_line: CommandLine, tmp_path):  # noqa: F811
    template = command_line.call("import", "--template")
    assert template.returncode == 0 and template.stdout == SAMPLE
    table, to = tmp_path / "July.csv", tmp_path / "result.csv"
    table.write_text(numbered(bodies.unique("D")))
    for expected in [(2, 0), (0, 2)]:
        stands = command_line.lines("import", str(table), "--result", str(to))[0]
        assert (stands["accepted"], stands["already_sent"], stands["name"]) == (*expected, "July.csv")
        assert len(list(csv.DictReader(to.open()))) >= 2
    table.write_text(numbered(bodies.unique("E")).replace(",310.00", ",much"))
    refused = command_line.call("import", str(table))
    assert refused.returncode == 1 and "1 sent, 0 sent before, 1 refused" in refused.stdout
    assert "--result" in refused.stderr
    table.write_text("nothing\n1\n")
    refused = command_line.call("import", str(table))
    assert refused.returncode == 1 and "422 validation_failed" in refused.stderr
    assert command_line.call("import", str(table), "--type", "order").returncode == 2


@pytest.mark.parametrize("language", ["en", "ar"])
def test_a_file_is_chosen_or_dropped_in_the_portal(run, browser, axe, tmp_path, language):
    taxpayer = run.taxpayer("Falcon").taxpayer_id
    signed_in(run, browser, invited(run, run.organization_id, "developer"), language)
    path = f"{run.api_url}/sandbox/organization/taxpayers/{taxpayer}/imports"
    browser.size(1_440)
    browser.open(f"{path}?lang={language}")
    chosen = tmp_path / f"{bodies.unique('chosen')}.csv"
    chosen.write_text(numbered(bodies.unique("C")))
    driver = browser.driver
    useless = tmp_path / "useless.csv"
    useless.write_text("nothing\n1\n")
    driver.find_element("css selector", "#file").send_keys(str(useless))
    browser.push("form[data-drop] button")
    wait_for("the problem", lambda: driver.find_elements("css selector", ".problem"))
    browser.judge("portal-imports-problem", axe, status=400)
    browser.size(1_440)
    browser.open(path)
    driver.find_element("css selector", "#file").send_keys(str(chosen))
    browser.push("form[data-drop] button")
    # What was read is shown first; the button below that sends it.
    wait_for("what the file says", lambda: driver.find_elements("css selector", SEND))
    browser.judge("portal-imports-check", axe)
    browser.size(1_440)
    browser.push(SEND)
    browser.wait_for(chosen.name)

    def row_of(name: str) -> str:
        return next(row.text for row in driver.find_elements("css selector", "tbody tr") if name in row.text)

    def completed():
        browser.open(path)
        return "2/2" in row_of(chosen.name)

    wait_for("the chosen file", completed)
    # With scripts a large one is dropped, compressed on its way, and looked at again until it is done.
    browser.scripts(run=True)
    browser.open(path)
    dropped = bodies.unique("dropped") + ".csv"
    header, *rows = numbered("X").splitlines()
    many = "\n".join([header] + [rows[2].replace("X2002", bodies.unique("P")) for _ in range(30)])
    browser.drop("form[data-drop]", dropped, many, lines=3_100_000)
    # A drop chooses the file and sends nothing.
    chosen_name = "return document.querySelector('#file').files[0]?.name"
    wait_for("the packed file", lambda: driver.execute_script(chosen_name) == dropped + ".gz")
    assert driver.current_url.split("?")[0] == path
    browser.push("form[data-drop] button")
    wait_for("what the file says", lambda: driver.find_elements("css selector", SEND))
    browser.push(SEND)
    browser.wait_for(dropped + ".gz")
    # The page is loaded again and again: what it says is read at once.
    says = "return document.body ? document.body.innerText : ''"
    wait_for("the dropped file", lambda: "30/30" in driver.execute_script(says).partition(dropped)[2][:200])
    browser.scripts(run=False)
    bars = driver.find_elements("css selector", "progress")
    assert bars[0].get_attribute("value") == bars[0].get_attribute("max") == "30"
    # What was done is said once, and not again to whoever loads the page again.
    browser.scripts(run=True)
    browser.open(f"{path}?done=begun")
    assert driver.find_elements("css selector", ".notice.done") and driver.current_url == path
    browser.open(driver.current_url)
    assert not driver.find_elements("css selector", ".notice.done")
    browser.scripts(run=False)
    browser.open(path)
    browser.judge("portal-imports", axe)
