"""Runs last: no issued secret is in the table, the bucket, the logs, or in a mail or event for somebody else."""

import re

from kit import issued
from kit.items import text_of

# Keys, codes, tokens, clients' and signing secrets have recognizable prefixes. The handle of an authorization request (ar_…) is no secret:
# it is only valid in the browser of the request, and mails and links contain it.
SHAPE = re.compile(r"\b(?:(?:pk|cs|ac|at|rt)_(?:live|test)_[0-9A-Za-z_-]{43}|whsec_[0-9A-Za-z+/=]{32,})")
LINK = re.compile(r"(?<=/confirm\?token=)[0-9A-Za-z_-]{43}")
# Items that prove that secrets of each kind were issued: otherwise an empty search proves nothing.
USED = {"API key": "#APIKEY#", "client": "#CLIENT#", "code": "#CODE#", "token": "#TOKEN#", "session": "#SESSION#", "link": "#LINK#"}


def secrets_in(text: str) -> list[str]:
    return [f"{each[:11]}…" for each in SHAPE.findall(text) + [secret for secret in issued.SECRETS if secret in text]]


def test_the_search_finds_what_it_looks_for(run):
    assert secrets_in(f'{{"key": "{run.sandbox_key}"}}') == [f"{run.sandbox_key[:11]}…"]
    assert secrets_in(f"whsec_{'x' * 43}=") and not secrets_in("pk_test_… and pk_live_short")
    assert len(issued.SECRETS) > 10


def test_the_table_holds_no_secret(items):
    everything = items.scan()
    for what, kind in USED.items():
        assert any(kind in item["pk"] for item in everything), f"no {what} was issued"
    found = {(item["pk"].split("#")[1], item["sk"].split("#")[0]): secrets for item in everything if (secrets := secrets_in(text_of(item)))}
    assert found == {}


def test_the_bucket_holds_no_secret(items):
    pages = items.s3.get_paginator("list_objects_v2").paginate(Bucket=items.bucket)
    keys = [entry["Key"] for page in pages for entry in page.get("Contents", [])]
    assert keys
    found = {key: secrets for key in keys if (secrets := secrets_in(key + items.contents(key).decode(errors="replace")))}
    assert found == {}


def test_no_log_holds_a_secret(run):
    files = [path for path in run.logs.iterdir() if path.is_file()]
    assert files
    found = {path.name: secrets for path in files if (secrets := secrets_in(path.read_text(errors="replace")))}
    assert found == {}


def test_mails_hold_their_own_link_alone_and_events_nothing(run):
    folder = run.logs.parent
    mails = [line for line in (folder / "mails.jsonl").read_text().splitlines() if line]
    assert mails
    for mail in mails:
        links = set(LINK.findall(mail))
        assert len(links) <= 1
        assert secrets_in(LINK.sub("", mail)) == []
    assert secrets_in((folder / "webhooks.jsonl").read_text()) == []
