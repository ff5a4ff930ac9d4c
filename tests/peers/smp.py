"""SMPs: theirs read by our lookup, ours read by theirs."""
import contextlib
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
SUBJECT = "CN=PAE000901,OU=PEPPOL TEST SMP,O=Test operator PAE000901,C=AE"
DEFECTIVE = "recipient_defective"

# What is served, with which key, by which options of phase4's SMP, and what our lookup must make of it.
THEIRS = (
    ("inclusive canonicalization, a wildcard", pki.PUBLISHER, WILDCARD, [], "found"),
    ("inclusive canonicalization, the type itself", pki.PUBLISHER, EXACT, [], "found"),
    ("exclusive canonicalization", pki.PUBLISHER, WILDCARD, ["--c14n", "exclusive"], "found"),
    ("certificate in lines", pki.PUBLISHER, WILDCARD, ["--certificate-format", "lines"], "found"),
    ("certificate in PEM", pki.PUBLISHER, WILDCARD, ["--certificate-format", "pem"], "found"),
    ("another document type", pki.PUBLISHER, WILDCARD.replace("billing-1", "selfbilling-1"), [], "recipient_not_capable"),
    ("signature spoilt", pki.PUBLISHER, WILDCARD, ["--tamper", "signature"], DEFECTIVE),
    ("content spoilt", pki.PUBLISHER, WILDCARD, ["--tamper", "content"], DEFECTIVE),
    ("not signed", pki.PUBLISHER, WILDCARD, ["--tamper", "unsigned"], DEFECTIVE),
    ("signed by an access point", pki.SENDER, WILDCARD, [], DEFECTIVE),
    ("signed by a revoked SMP", pki.REVOKED_PUBLISHER, WILDCARD, [], DEFECTIVE),
    ("fails", pki.PUBLISHER, WILDCARD, ["--fail-first", "99"], "lookup_failed"),
)
# Where the redirect leads, and what must come of it: the subject that the certificate there must have.
REDIRECTS = (("redirect", SUBJECT, "found"), ("redirect to another subject", "CN=other", DEFECTIVE))


class Publishers:
    """SMPs of phase4, and the two lookups."""

    def __init__(self, run, folder, logs, us):
        self.command, self.folder, self.logs, self.us = run, folder, logs, us

    def serve(self, name, store, registration, options):
        log = self.logs / f"smp-{name.replace(' ', '-')}.log"
        return ours.Server([self.command, "smp", "--port", "0", "--keystore", self.folder / f"{store}.p12", "--register", registration,
                            *options], log)

    def entry(self, registered, seat=pki.RECEIVER):
        return f"{ours.RECEIVER}|{registered}|{PROCESS}|{ADDRESS}|{self.folder / seat}.pem"

    def looked_up(self, base):
        found = self.us.lookup(base, ours.RECEIVER, EXACT, PROCESS)
        good = found["outcome"] != "found" or (found["address"], found["seat"]) == (ADDRESS, pki.RECEIVER)
        return found["outcome"] if good else str(found)

    def theirs(self, case):
        name, store, registered, options, _ = case
        with columns.JAVA, self.serve(name, store, self.entry(registered), options) as smp:
            return self.looked_up(smp.base)

    def endpoint(self, seat):
        """The access point of the endpoint is not to be trusted."""
        with columns.JAVA, self.serve(seat, pki.PUBLISHER, self.entry(WILDCARD, seat), []) as smp:
            return self.looked_up(smp.base)

    def redirected(self, case):
        name, uid, _ = case
        with contextlib.ExitStack() as servers:
            servers.enter_context(columns.JAVA)
            second = servers.enter_context(self.serve(f"{name} second", pki.PUBLISHER, self.entry(WILDCARD), []))
            parts = ("iso6523-actorid-upis::" + ours.RECEIVER, "services", WILDCARD)
            href = second.base + "/" + "/".join(urllib.parse.quote(part, safe="") for part in parts)
            line = f"{ours.RECEIVER}|{WILDCARD}|redirect|{href}|{uid}"
            return self.looked_up(servers.enter_context(self.serve(name, pki.PUBLISHER, line, [])).base)

    def by_theirs(self, _case):
        """Ours: phase4's client reads the ServiceGroup, picks the wildcard, and checks the signature and both certificates."""
        publisher = self.us.as_seat(pki.PUBLISHER)
        with publisher.publish(ours.RECEIVER, ADDRESS, self.logs / "publish.log") as smp, columns.JAVA:
            found = ours.lines([self.command, "lookup", "--smp", f"{smp.base}/", "--participant", ours.RECEIVER, "--doctype", EXACT,
                                "--process", PROCESS, "--smp-trust", self.folder / "smp-trust.pem", "--wildcard", "--no-card", "--trust",
                                self.folder / "ap-trust.pem", "--crl-dir", self.folder / "crl"])[0]
        read = (found["ok"], found.get("url"), found.get("certificate_cn"), len(found.get("doctypes") or ()))
        return "found" if read == (True, ADDRESS, pki.RECEIVER, 4) else str(found)


def run(publishers):
    """[(what, expected, seen)] of every case."""
    cases = [(f"theirs: {case[0]}", case[-1], publishers.theirs, case) for case in THEIRS]
    cases += [(f"theirs: {case[0]}", case[-1], publishers.redirected, case) for case in REDIRECTS]
    cases += [(f"theirs: an endpoint whose certificate is {what}", DEFECTIVE, publishers.endpoint, seat)
              for what, seat in columns.SEATS.items()]
    cases += [("ours, by phase4's client", "found", publishers.by_theirs, None)]

    def seen(case):
        what, expected, judge, argument = case
        try:
            return what, expected, judge(argument)
        except Exception as error:
            traceback.print_exc()
            return what, expected, f"{type(error).__name__}: {error}"

    with ThreadPoolExecutor(4) as pool:
        return list(pool.map(seen, cases))


def show(outcomes):
    """Prints what was seen; the number of cases that came out otherwise than expected."""
    width = max(len(what) for what, *_ in outcomes)
    for what, expected, outcome in outcomes:
        mark = "" if outcome == expected else f"  !!! expected {expected}"
        print(f"{what.ljust(width)}  {outcome}{mark}")
    return sum(outcome != expected for _, expected, outcome in outcomes)
