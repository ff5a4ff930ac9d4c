"""More organizations, taxpayers, grants, keys and webhook endpoints than the demo data has.

They are copies of the demo data's items with other ids, written directly to the table. The portal and the authorization flow, which
normally create them, are not tested here.
"""

import base64
import hashlib
import os
import secrets
import uuid

from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from kit.client import Client
from kit.items import Items, aws
from kit.run import Run

ALL_SCOPES = ["taxpayer:read", "invoices:read", "invoices:write", "inbound:read"]


def new_id(prefix: str) -> str:
    return prefix + uuid.uuid4().hex


def replaced(value, changes: dict[str, str]):
    """The value with texts replaced at any depth."""
    if isinstance(value, str):
        for old, new in changes.items():
            value = value.replace(old, new)
        return value
    if isinstance(value, dict):
        return {replaced(name, changes): replaced(entry, changes) for name, entry in value.items()}
    if isinstance(value, list):
        return [replaced(entry, changes) for entry in value]
    return value


class Tenants:
    def __init__(self, run: Run, items: Items, client: Client):
        self.run, self.items, self.base = run, items, client
        self._tins: dict[str, str] = {}
        self._keys: dict[str, str] = {}
        self._scan: list[dict] | None = None
        self._next_tin = 1_500_000_000 + secrets.randbelow(400_000_000)

    def taxpayer(self, status: str = "active", mode: str = "sandbox", taxpayer_id: str | None = None) -> str:
        """A taxpayer like Falcon, with another TIN."""
        falcon = self.run.taxpayer("Falcon")
        made = taxpayer_id or new_id("txpay_")
        self._next_tin += 1
        tin = str(self._next_tin)
        self._tins[made] = tin
        changes = {falcon.taxpayer_id: made, falcon.tin: tin} | other_mode(mode)
        for item in self._demo_items():
            if falcon.taxpayer_id in str(item) and ("PARTICIPANT" in item["pk"] or item["sk"] == "PROFILE"):
                item = replaced(item, changes)
                # The status is in the taxpayer's record and in its participant's record, which senders read.
                item["status"] = status
                self.items.table.put_item(Item=item)
        return made

    def tin(self, taxpayer_id: str) -> str:
        return self._tins[taxpayer_id]

    def organization(self, mode: str = "sandbox") -> str:
        """An organization with one API key, without grants or endpoints."""
        made = new_id("org_")
        key = ("pk_live_" if mode == "live" else "pk_test_") + secrets.token_urlsafe(32)
        self._keys[made] = key
        demo_key = hashlib.sha256(self.run.sandbox_key.encode()).hexdigest()
        changes = {
            self.run.organization_id: made,
            demo_key: hashlib.sha256(key.encode()).hexdigest(),
        } | other_mode(mode)
        for item in self._demo_items():
            if demo_key in item["pk"] or (item["pk"].endswith(self.run.organization_id) and item["sk"] == "PROFILE"):
                self.items.table.put_item(Item=replaced(item, changes))
        return made

    def grant(self, organization: str, taxpayer: str, scopes: list[str] | None = None, mode: str = "sandbox") -> str:
        """An active grant of the taxpayer to the organization."""
        falcon = self.run.taxpayer("Falcon")
        made = new_id("tgr_")
        changes = {
            falcon.grant_id: made,
            self.run.organization_id: organization,
            falcon.taxpayer_id: taxpayer,
        } | other_mode(mode)
        for item in self._demo_items():
            if item["sk"] == f"CONNECTION#{falcon.taxpayer_id}":
                self.items.table.put_item(Item=replaced(item, changes))
            elif falcon.grant_id in item["sk"]:
                item = replaced(item, changes)
                item["scopes"] = type(item["scopes"])(scopes or ALL_SCOPES)
                self.items.table.put_item(Item=item)
                if "#TAXPAYER#" in item["pk"]:
                    grant = {name: value for name, value in item.items() if name not in ("pk", "sk")}
                    self._change_access(item["pk"], made, "SET #grant = :grant", {":grant": grant})
        return made

    def _change_access(self, partition: str, grant: str, update: str, values: dict) -> None:
        """Adds or removes a grant among the active ones in the partition of a taxpayer's grants."""
        self.items.table.update_item(
            Key={"pk": partition, "sk": "ACCESS"},
            UpdateExpression=update,
            ExpressionAttributeNames={"#grant": grant},
            **({"ExpressionAttributeValues": values} if values else {}),
        )

    def revoke(self, organization: str, taxpayer: str, grant: str) -> None:
        """Ends a grant, as the taxpayer or the organization does."""
        for partition in (f"SANDBOX#TAXPAYER#{taxpayer}#GRANTS", f"SANDBOX#ORGANIZATION#{organization}#GRANTS"):
            for item in self.items.query(partition, "GRANT#"):
                if grant in item["sk"]:
                    self.items.table.put_item(Item=item | {"status": "revoked"})
        self._change_access(f"SANDBOX#TAXPAYER#{taxpayer}#GRANTS", grant, "REMOVE #grant", {})

    def subscription(self, organization: str, active: bool, confirmed_at: str | None = None) -> None:
        """A Live organization's subscription; with the billing provider's last confirmation if the provider set it."""
        item = {"pk": f"LIVE#ORGANIZATION#{organization}#SUBSCRIPTION", "sk": "SUBSCRIPTION", "active": active, "version": 1}
        self.items.table.put_item(Item=item | ({"confirmed_at": confirmed_at} if confirmed_at else {}))

    def quota(self, organization: str, most: int) -> None:
        """Sets the daily Sandbox quota of an organization."""
        self.items.table.put_item(Item={"pk": f"SANDBOX#ORGANIZATION#{organization}#QUOTA", "sk": "QUOTA", "most": most})

    def client(self, organization: str, taxpayer: str, mode: str = "sandbox") -> Client:
        return self.base.but(key=self._keys[organization], taxpayer_id=taxpayer, grant_id=None)

    def endpoint(self, organization: str, url: str) -> str:
        """A webhook endpoint of the organization; returns its signing secret."""
        made, secret = new_id("we_"), "whsec_" + base64.b64encode(os.urandom(32)).decode()
        changes = {self.run.endpoint_id: made, self.run.organization_id: organization}
        (demo,) = [item for item in self._demo_items() if item["sk"] == f"ENDPOINT#{self.run.endpoint_id}"]
        item = replaced(demo, changes) | {"url": url, "sealed_secret": self._sealed(secret, made)}
        self.items.table.put_item(Item=item)
        return secret

    def _sealed(self, secret: str, endpoint: str) -> str:
        """AES-256-GCM under the hash of the sealing key's text, bound to this endpoint (shared/src/webhook/seal.rs)."""
        nonce = os.urandom(12)
        owner = f"SANDBOX#ENDPOINT#{endpoint}".encode()
        sealed = nonce + AESGCM(self._sealing_key()).encrypt(nonce, secret.encode(), owner)
        return base64.b64encode(sealed).decode()

    def _sealing_key(self) -> bytes:
        secret = aws(self.run, "secretsmanager").get_secret_value(SecretId=self.run.described["environment"]["SEALING_KEY_SECRET_ARN"])
        return hashlib.sha256(secret["SecretString"].encode()).digest()

    def _demo_items(self) -> list[dict]:
        """The items of the seed, read once."""
        if self._scan is None:
            demo = [self.run.organization_id, self.run.taxpayer("Falcon").taxpayer_id]
            kinds = ("DOCUMENT", "EVENT", "IDEMPOTENCY", "DELIVERY#")
            self._scan = [
                item
                for item in self.items.scan()
                if not item["sk"].startswith(kinds) and "#LIST#" not in item["pk"] and any(known in str(item) for known in demo)
            ]
        return self._scan


def other_mode(mode: str) -> dict[str, str]:
    return {"SANDBOX#": "LIVE#", "sandbox": "live"} if mode == "live" else {}
