"""SMPs: theirs read by our lookup, ours read by theirs."""
import functools
import itertools
import traceback
import urllib.parse
from concurrent.futures import ThreadPoolExecutor

import columns
import ours
import pki

ADDRESS = "http://127.0.0.1:9/as4"
PROCESS = "urn:peppol:bis:billing"
EXACT = "peppol-doctype-wildcard::" + columns.document_type("invoice")
WILDCARD = EXACT.replace("@ae-1::", "@ae-1*::")
OTHER = WILDCARD.replace("billing-1", "selfbilling-1")
SUBJECT = "CN=PAE000901,OU=PEPPOL TEST SMP,O=Test operator PAE000901,C=AE"
DEFECTIVE = "recipient_defective"
WORKERS = 4

# What one SMP has for a participant each: registered type, seat of the endpoint, and what our lookup must make of it.
REGISTERED = {
    "a wildcard": (WILDCARD, pki.RECEIVER, "found"),
    "the type itself": (EXACT, pki.RECEIVER, "found"),
    "another type": (OTHER, pki.RECEIVER, "recipient_not_capable"),
    "an endpoint with a revoked certificate": (WILDCARD, pki.REVOKED, DEFECTIVE),
    "an endpoint with an expired certificate": (WILDCARD, pki.EXPIRED, DEFECTIVE),
    "an endpoint with a foreign certificate": (WILDCARD, pki.FOREIGN, DEFECTIVE),
}
# What another SMP sends on to that one: which subject it says that the certificate there has.
REDIRECTS = {"a redirect": (SUBJECT, "found"), "a redirect to another subject": ("CN=other", DEFECTIVE)}
# What an SMP of its own does with the first of those, with which key and by which options of phase4's.
PUBLISHERS = {
    "exclusive canonicalization": (pki.PUBLISHER, ["--c14n", "exclusive"], "found"),
    "certificates in lines": (pki.PUBLISHER, ["--certificate-format", "lines"], "found"),
    "certificates in PEM": (pki.PUBLISHER, ["--certificate-format", "pem"], "found"),
    "a spoilt signature": (pki.PUBLISHER, ["--tamper", "signature"], DEFECTIVE),
    "spoilt contents": (pki.PUBLISHER, ["--tamper", "content"], DEFECTIVE),
    "no signature": (pki.PUBLISHER, ["--tamper", "unsigned"], DEFECTIVE),
    "the key of an access point": (pki.SENDER, [], DEFECTIVE),
    "a revoked certificate": (pki.REVOKED_PUBLISHER, [], DEFECTIVE),
    "status 503": (pki.PUBLISHER, ["--fail-first", "99"], "lookup_failed"),
}


class Publishers:
    """SMPs of phase4, and the two lookups."""

    def __init__(self, run, folder, work, us):
        self.command, self.folder, self.work, self.us = run, folder, work, us

    def serve(self, name, store, registrations, options=()):
        file = self.work / f"{name.replace(' ', '-')}.registrations"
        file.write_text("".join(f"{line}\n" for line in registrations))
        return ours.Server([self.command, "smp", "--port", "0", "--keystore", self.folder / f"{store}.p12", "--registrations", file,
                            *options], file.with_suffix(".log"))

    def entry(self, participant, registered=WILDCARD, seat=pki.RECEIVER):
        return f"{participant}|{registered}|{PROCESS}|{ADDRESS}|{self.folder / seat}.pem"

    def looked_up(self, base, participant=ours.RECEIVER):
        found = self.us.lookup(base, participant, EXACT, PROCESS)
        good = found["outcome"] != "found" or (found["address"], found["seat"]) == (ADDRESS, pki.RECEIVER)
        return found["outcome"] if good else str(found)

    def of_one(self):
        """What our lookup makes of what one SMP has, and of what another one sends on to it."""
        names = [*REGISTERED, *REDIRECTS]
        participants = {name: f"0235:10012346{at:02}" for at, name in enumerate(names)}
        own = [self.entry(participants[name], registered, seat) for name, (registered, seat, _) in REGISTERED.items()]
        own += [self.entry(participants[name]) for name in REDIRECTS]
        with columns.JAVA, self.serve("one", pki.PUBLISHER, own) as one:
            sent_on = [f"{participants[name]}|{WILDCARD}|redirect|{href(one.base, participants[name])}|{uid}"
                       for name, (uid, _) in REDIRECTS.items()]
            with self.serve("another", pki.PUBLISHER, sent_on) as another:
                bases = dict.fromkeys(REGISTERED, one.base) | dict.fromkeys(REDIRECTS, another.base)
                seen = {name: self.looked_up(bases[name], participants[name]) for name in names}
        expected = REGISTERED | REDIRECTS
        return [(f"theirs, {name}", expected[name][-1], seen[name]) for name in names]

    def of(self, name):
        """What our lookup makes of an SMP of its own."""
        store, options, expected = PUBLISHERS[name]
        with columns.JAVA, self.serve(name, store, [self.entry(ours.RECEIVER)], options) as smp:
            return [(f"theirs, {name}", expected, self.looked_up(smp.base))]

    def by_theirs(self):
        """Ours: phase4's client reads the ServiceGroup, picks the wildcard, and checks the signature and both certificates."""
        publisher = self.us.as_seat(pki.PUBLISHER)
        with publisher.publish(ours.RECEIVER, ADDRESS, self.work / "publish.log") as smp, columns.JAVA:
            found = ours.lines([self.command, "lookup", "--smp", f"{smp.base}/", "--participant", ours.RECEIVER, "--doctype", EXACT,
                                "--process", PROCESS, "--smp-trust", self.folder / "smp-trust.pem", "--wildcard", "--no-card", "--trust",
                                self.folder / "ap-trust.pem", "--crl-dir", self.folder / "crl"])[0]
        read = (found["ok"], found.get("url"), found.get("certificate_cn"), len(found.get("doctypes") or ()))
        return [("ours, by phase4's client", "found", "found" if read == (True, ADDRESS, pki.RECEIVER, 4) else str(found))]


def href(base, participant):
    """The address of a participant's metadata."""
    parts = ("iso6523-actorid-upis::" + participant, "services", WILDCARD)
    return "/".join([base, *(urllib.parse.quote(part, safe="") for part in parts)])


def run(publishers):
    """[(what, expected, seen)] of every case."""
    cases = [publishers.of_one, publishers.by_theirs]
    cases += [functools.partial(publishers.of, name) for name in PUBLISHERS]

    def seen(case):
        try:
            return case()
        except Exception as error:
            traceback.print_exc()
            return [(str(case), "an outcome", f"{type(error).__name__}: {error}")]

    with ThreadPoolExecutor(WORKERS) as pool:
        return list(itertools.chain.from_iterable(pool.map(seen, cases)))
