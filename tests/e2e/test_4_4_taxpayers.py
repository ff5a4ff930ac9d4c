"""Section 4.4: the taxpayers and grants of an organization, with Authorization alone."""

import pytest

from kit.bodies import unique
from kit.client import detail, encode
from kit.waiting import wait_for


@pytest.fixture
def organization(falcon):
    """The demo organization, for no taxpayer."""
    return falcon.but(taxpayer_id=None)


def pages(client, path: str, limit: int):
    """The entries of a list, page by page."""
    query, found = {"limit": limit}, []
    while True:
        page = client.request("GET", path, params=query).json()
        assert len(page["items"]) <= limit
        found += page["items"]
        if page["next_cursor"] is None:
            return found
        query = {"limit": limit, "cursor": page["next_cursor"]}


def test_a_connected_taxpayer_is_found_by_its_participant_id_and_acted_for(organization, run):
    """Each entry has the taxpayer_id that other operations accept as x-ae-taxpayer-id (5.1, point 3)."""
    falcon = run.taxpayer("Falcon")
    (found,) = organization.request("GET", "/taxpayers", params={"participant_id": falcon.participant_id}).json()["items"]
    assert (found["taxpayer_id"], found["status"]) == (falcon.taxpayer_id, "active")
    assert falcon.grant_id in [grant["grant_id"] for grant in found["grants"]]
    assert organization.but(taxpayer_id=found["taxpayer_id"]).list(limit=1).status_code == 200
    details = organization.request("GET", f"/taxpayers/{found['taxpayer_id']}").json()
    assert (details["name"], details["profile"]["name"]) == (falcon.name, falcon.name)


def test_taxpayers_and_grants_are_listed_page_by_page(organization, run):
    taxpayers = {each["taxpayer_id"] for each in pages(organization, "/taxpayers", 1)}
    assert {run.taxpayer("Falcon").taxpayer_id, run.taxpayer("Oasis").taxpayer_id} <= taxpayers
    assert run.taxpayer("Pearl").taxpayer_id not in taxpayers
    grants = pages(organization, "/grants", 1)
    assert {each["taxpayer_id"] for each in grants if each["status"] == "active"} == taxpayers
    assert len({each["grant_id"] for each in grants}) == len(grants)


def test_a_taxpayer_that_granted_nothing_is_nobodys_business(organization, run):
    """7: 403, request outside the organization's grants."""
    detail(organization.request("GET", f"/taxpayers/{run.taxpayer('Pearl').taxpayer_id}"), 403, "grant_required")


@pytest.fixture
def app(tenants, run):
    """Another organization that the demo's Falcon granted access: its organization, its client for Falcon and its grant."""
    organization = tenants.organization()
    falcon = run.taxpayer("Falcon").taxpayer_id
    grant = tenants.grant(organization, falcon)
    return organization, tenants.client(organization, falcon), grant


def test_a_grant_that_is_given_up_ends_at_once(app, items, run):
    """3.1, DELETE /grants/{grant_id} by the organization; taxpayer.deleted if it was the last."""
    _, client, grant = app
    falcon = run.taxpayer("Falcon").taxpayer_id
    assert client.list(limit=1).status_code == 200
    before = items.count_events(falcon)
    for prefix in ("/v1", "/api/v1", "/api"):
        revoked = client.but(prefix=prefix, taxpayer_id=None).request("DELETE", f"/grants/{grant}")
        assert revoked.status_code == 200, revoked.text
        assert (revoked.json()["status"], revoked.json()["revoked_by"]) == ("revoked", "organization")
    assert items.count_events(falcon) == before + 1
    detail(client.list(limit=1), 403, "grant_required")
    detail(client.but(taxpayer_id=None).request("DELETE", "/grants/tgr_0"), 404, "not_found")


def test_a_grant_of_another_organization_is_not_found(app, organization):
    _, client, grant = app
    detail(organization.request("DELETE", f"/grants/{grant}"), 404, "not_found")
    assert client.list(limit=1).status_code == 200


def test_metadata_are_the_organizations_own_and_settings_the_taxpayers(falcon, webhooks):
    """6.3: previous_attributes has the changed metadata keys alone, null for a new one."""
    key, other = unique("key"), unique("key")
    detail(falcon.request("PATCH", "/taxpayer", content=b'{"status": "inactive"}'), 422, "validation_failed")
    changed = patch(falcon, {"metadata": {key: "1", other: "1"}})
    assert changed["metadata"][key] == "1"
    patch(falcon, {"metadata": {key: "2", other: None}})
    found = falcon.request("GET", "/taxpayer").json()
    assert found["metadata"][key] == "2" and other not in found["metadata"]
    assert found["profile"]["name"] == found["name"] and found["settings"]["language"] == "en"
    changes = wait_for("both changes to be told", lambda: told(webhooks, key, times=2))
    previous = [change["previous_attributes"] for change in changes]
    assert {"metadata": {key: None, other: None}} in previous
    assert {"metadata": {key: "1", other: "1"}} in previous


def told(webhooks, key: str, times: int) -> list[dict] | None:
    """The events of changes of a metadata key, once there are so many of them."""
    updates = [each.envelope for each in webhooks.deliveries() if each.envelope["type"] == "taxpayer.updated"]
    found = [event for event in updates if key in event["previous_attributes"].get("metadata", {})]
    return found if len(found) >= times else None


def patch(client, body: dict) -> dict:
    answer = client.request("PATCH", "/taxpayer", headers={"content-type": "application/merge-patch+json"}, content=encode(body))
    assert answer.status_code == 200, answer.text
    return answer.json()


def test_the_audit_trail_tells_who_did_what_and_from_where(app):
    _, client, grant = app
    client = client.but(taxpayer_id=None)
    assert client.request("DELETE", f"/grants/{grant}").status_code == 200
    (entry,) = client.request("GET", "/audit-events", params={"action": "grant.revoked"}).json()["items"]
    assert (entry["subject"], entry["actor"]["kind"], entry["ip"]) == (grant, "api_key", "127.0.0.1")
    assert entry["request_id"] and "httpx" in entry["user_agent"]


def test_a_key_tells_whose_it_is(organization, run):
    me = organization.request("GET", "/me").json()
    assert (me["environment"], me["organization_id"]) == ("sandbox", run.organization_id)
    assert run.sandbox_key not in str(me)
    detail(organization.but(key=None).request("GET", "/me"), 401, "unauthorized")
