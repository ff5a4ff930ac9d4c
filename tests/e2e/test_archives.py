"""Archives: all documents of a period in one file, over real HTTP; read as bags by the Library of Congress's own program."""

import io
import json
import zipfile
from concurrent.futures import ThreadPoolExecutor

import bagit
import httpx
import pytest

from kit import bodies
from kit.client import sent
from kit.waiting import wait_for

YEAR = {"issued_from": "2026-01-01", "issued_to": "2026-12-31"}


def archived(client, **query) -> dict:
    """An archive, when it is completed."""
    answer = client.request("POST", "/archives", params=query or YEAR)
    assert answer.status_code == 202, answer.text
    path = f"/archives/{answer.json()['archive_id']}"
    assert answer.headers["location"] == f"/v1{path}"

    def completed():
        stands = client.request("GET", path).json()
        return stands if stands["status"] == "completed" else None

    return wait_for("the archive", completed, seconds=90)


def fetched(client, archive: dict) -> bytes:
    answer = client.request("GET", f"/archives/{archive['archive_id']}/file", follow_redirects=False)
    assert answer.status_code == 307, answer.text
    # Whoever has the address needs nothing else.
    given = httpx.get(answer.headers["location"])
    assert given.status_code == 200, given.text
    assert given.headers["content-type"] == "application/zip"
    assert f"{archive['archive_id']}.zip" in given.headers["content-disposition"]
    assert len(given.content) == archive["bytes"]
    return given.content


def unpacked(content: bytes, folder) -> bagit.Bag:
    """The bag, which is whole."""
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        assert archive.testzip() is None
        archive.extractall(folder)
    (inside,) = folder.iterdir()
    bag = bagit.Bag(str(inside))
    bag.validate()
    return bag


def test_an_archive_is_a_bag_with_every_document_as_it_is_read_back(falcon, tmp_path):
    documents = [sent(falcon.send(bodies.invoice()))["document_id"] for _ in range(30)]
    archive = archived(falcon)
    bag = unpacked(fetched(falcon, archive), tmp_path)
    assert bag.info["External-Identifier"] == archive["archive_id"]
    assert int(bag.info["Documents"]) == archive["documents"] >= len(documents)
    folders = {path.name.split("_", 1)[1]: path for path in (tmp_path / archive["archive_id"] / "data" / "documents").iterdir()}
    assert len(folders) == archive["documents"]
    for document_id in documents:
        record = falcon.get(document_id).json()
        described = json.loads((folders[document_id] / "document.json").read_text())
        assert described["document"] == record
        assert (folders[document_id] / "document.xml").read_bytes() == falcon.ubl(document_id).content


def asked(client, query: dict) -> str:
    """The name of the archive that is given for a period."""
    answer = client.request("POST", "/archives", params=query)
    assert answer.status_code == 202, answer.text
    return answer.json()["archive_id"]


def test_one_that_is_asked_for_twice_is_made_once_and_periods_are_told_apart(falcon, tmp_path):
    # At one instant, and once more: long before the first part is gathered.
    with ThreadPoolExecutor(4) as pool:
        once = set(pool.map(lambda _: asked(falcon, YEAR), range(4))) | {asked(falcon, YEAR)}
    assert len(once) == 1, once
    # What was completed is gathered anew, since there may be more by then.
    (first,) = once
    wait_for("the archive", lambda: falcon.request("GET", f"/archives/{first}").json()["status"] == "completed", seconds=90)
    assert asked(falcon, YEAR) != first
    empty = archived(falcon, issued_from="2019-01-01", issued_to="2019-12-31")
    assert empty["documents"] == 0 and empty["archive_id"] != first
    bag = unpacked(fetched(falcon, empty), tmp_path)
    assert bag.info["Payload-Oxum"] == "0.0"
    listed = falcon.request("GET", "/archives").json()["items"]
    assert empty["archive_id"] in [each["archive_id"] for each in listed]


@pytest.mark.parametrize(
    "query",
    [
        {},
        {"issued_from": "2026-01-01"},
        {"issued_from": "2026-12-31", "issued_to": "2026-01-01"},
        {"issued_from": "soon", "issued_to": "2026-01-01"},
    ],
)
def test_a_period_that_is_none_is_refused(falcon, query):
    answer = falcon.request("POST", "/archives", params=query)
    assert answer.status_code == 400, answer.text
    assert answer.json()["detail"]["code"] == "invalid_request"


def test_archives_of_others_are_not_there(falcon, oasis):
    archive = archived(oasis, issued_from="2020-01-01", issued_to="2020-12-31")
    for path in ("", "/file"):
        answer = falcon.request("GET", f"/archives/{archive['archive_id']}{path}")
        assert answer.status_code == 404, answer.text
