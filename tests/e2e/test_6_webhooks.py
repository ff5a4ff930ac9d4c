"""Sections 6.1 and 6.4: subscriptions, their secrets, and the outcome of each event."""

import json
import subprocess
from datetime import UTC, datetime, timedelta

import pytest
from standardwebhooks import Webhook, WebhookVerificationError

from kit import bodies, npm
from kit.client import http, sent
from kit.receiver import receiver
from kit.waiting import wait_for

VERIFY = """
import { Webhook } from "standardwebhooks";
let text = "";
for await (const chunk of process.stdin) text += chunk;
for (const { secret, body, headers } of JSON.parse(text)) {
  try {
    new Webhook(secret).verify(body, headers);
    console.log("taken");
  } catch {
    console.log("refused");
  }
}
"""


@pytest.fixture
def own(tenants):
    """An organization that manages its webhooks by its own key, and a taxpayer that granted it access."""

    class Own:
        organization, taxpayer = tenants.organization(), tenants.taxpayer()
        sender = tenants.client(organization, taxpayer)
        session = http()

        def call(self, method, path, body=None):
            headers = {"Authorization": f"Api-Key {self.sender.key}"}
            return self.session.request(method, f"{self.sender.base_url}/v1{path}", json=body, headers=headers)

        def ok(self, method, path, body=None):
            answer = self.call(method, path, body)
            assert answer.is_success, answer.text
            return answer.json() if answer.content else None

        def subscribe(self, hook, **wanted):
            made = self.ok("POST", "/webhook-endpoints", {"url": hook.url} | wanted)
            hook.secret = made["secret"]
            return made["endpoint_id"]

        def test(self, endpoint, **wanted):
            return self.ok("POST", f"/webhook-endpoints/{endpoint}/test", wanted)["event_id"]

    made = Own()
    tenants.grant(made.organization, made.taxpayer)
    return made


def came(hook, event):
    """The attempts at an event, once there is one."""
    return wait_for(f"a delivery of {event}", lambda: [it for it in hook.deliveries() if it.headers["webhook-id"] == event])


def verdicts(delivery, secrets):
    """Each way of verifying a delivery, and whether it must be taken."""
    now = datetime.now(UTC)
    signed = {name: delivery.headers[name] for name in ("webhook-id", "webhook-timestamp", "webhook-signature")}
    body = delivery.body.decode()
    # Signed well, and too long ago.
    early = now - timedelta(hours=1)
    stale = Webhook(secrets[0]).sign(signed["webhook-id"], early, body)
    stale = signed | {"webhook-timestamp": str(int(early.timestamp())), "webhook-signature": stale}
    foreign = "whsec_" + "A" * 43 + "="
    cases = [(secret, body, signed, True) for secret in secrets]
    return cases + [
        (secrets[0], body.replace("true", "false", 1), signed, False),
        (secrets[0], body, signed | {"webhook-id": "evt_other"}, False),
        (secrets[0], body, stale, False),
        (foreign, body, signed, False),
    ]


def test_both_secrets_verify_during_a_rotation_and_nothing_else_does(own, run):
    """6.4, points 1 and 4: with the Standard Webhooks libraries of PyPI and npm."""
    with receiver() as hook:
        endpoint = own.subscribe(hook)
        first = hook.secret
        second = own.ok("POST", f"/webhook-endpoints/{endpoint}/rotate-secret", {})["secret"]
        event = own.test(endpoint, event_type="document.sent")
        cases = verdicts(came(hook, event)[0], [first, second])
        third = own.ok("POST", f"/webhook-endpoints/{endpoint}/rotate-secret", {"immediately": True})["secret"]
        leaked = came(hook, own.test(endpoint, event_type="document.sent"))[0]
        after = verdicts(leaked, [third])
        after += [(old, leaked.body.decode(), after[0][2], False) for old in (first, second)]
    cases += after
    for secret, body, headers, good in cases:
        try:
            Webhook(secret).verify(body, headers)
            taken = True
        except WebhookVerificationError:
            taken = False
        assert taken == good, headers
    node = npm.install(run.logs.parent / "npm")
    (node / "verify-webhooks.mjs").write_text(VERIFY)
    asked = json.dumps([{"secret": secret, "body": body, "headers": headers} for secret, body, headers, _ in cases])
    done = subprocess.run(["node", "verify-webhooks.mjs"], cwd=node, input=asked, capture_output=True, text=True, timeout=60)
    assert done.stdout.split() == ["taken" if good else "refused" for *_, good in cases], done.stderr


def test_what_failed_is_found_with_its_attempts_and_sent_again(own):
    """6.4, point 3: "The portal shows attempts and allows manual retries"; so does the API."""
    with receiver(answers=[400]) as hook:
        endpoint = own.subscribe(hook, event_types=["document.sent"])
        document = sent(own.sender.send(bodies.invoice()))
        hook.wait_for("document.sent", document_id=document["document_id"])
        (event,) = own.ok("GET", f"/events?document_id={document['document_id']}&type=document.sent")["items"]
        path = f"/events/{event['event_id']}/deliveries/{endpoint}"
        failing = wait_for("the attempt to be noted", lambda: (it := own.ok("GET", path))["status"] == "failing" and it)
        assert failing["attempts"][0]["status"] == 400
        assert json.loads(failing["attempts"][0]["request"]["body"]) == event["payload"]
        listed = own.ok("GET", f"/webhook-endpoints/{endpoint}/deliveries?status=failing")["items"]
        assert [it["event_id"] for it in listed] == [event["event_id"]]
        hook.answer(200)
        assert own.call("POST", f"{path}/retry").status_code in (202, 409), "the schedule may have been faster"
        wait_for("the event to be taken", lambda: own.ok("GET", path)["status"] == "delivered")
        assert own.call("POST", f"{path}/retry").json()["detail"]["code"] == "already_delivered"


@pytest.mark.parametrize(("outcome", "told"), [("accepted", "REPORTED"), ("rejected", "NOT_COMPLIANT"), ("failed", "FAILED")])
def test_a_report_is_simulated_and_changes_no_document(own, outcome, told):
    """1, Sandbox 6: simulated document.reported events carry test: true."""
    with receiver() as hook:
        endpoint = own.subscribe(hook)
        document = sent(own.sender.send(bodies.invoice()))
        event = own.test(endpoint, event_type="document.reported", outcome=outcome)
        envelope = came(hook, event)[0].envelope
        assert envelope["test"] is True and envelope["data"]["report"]["outcome"] == told
        assert envelope["data"]["document_id"] != document["document_id"]
        assert own.sender.get(document["document_id"]).json()["reporting"] is None
