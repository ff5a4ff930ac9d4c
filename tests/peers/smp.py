"""SMPs: those of others read by the product's lookup and by the service, that of the service read by others."""
import functools
import hashlib
import itertools
import traceback
import urllib.parse
from concurrent.futures import ThreadPoolExecutor

from cryptography.x509 import load_pem_x509_certificate

import columns
import ours
import seats
from local_aws.network.pki import spid

ADDRESS = "http://127.0.0.1:9/as4"
PROCESS = "urn:peppol:bis:billing"
EXACT = "peppol-doctype-wildcard::" + columns.document_type("invoice")
WILDCARD = EXACT.replace("@ae-1::", "@ae-1*::")
OTHER = WILDCARD.replace("billing-1", "selfbilling-1")
# The registration of an access point for statuses.
STATUS = "busdox-docid-qns::" + columns.document_type("MLS"), columns.PROCESSES["MLS"]
CARD = {"entities": [{"names": [{"name": "Oasis Supplies FZE", "language": "en"}], "country_code": "AE"}]}
PARTICIPANT = "0235:1001234500"
DEFECTIVE = "recipient_defective"
WORKERS = 4

# The registrations of one SMP for a participant each: registered type, seat of the endpoint, and the expected result of the lookup.
REGISTERED = {
    "a wildcard": (WILDCARD, seats.RECEIVER, "found"),
    "the type itself": (EXACT, seats.RECEIVER, "found"),
    "another type": (OTHER, seats.RECEIVER, "recipient_not_capable"),
    "an endpoint with a revoked certificate": (WILDCARD, seats.REVOKED, DEFECTIVE),
    "an endpoint with an expired certificate": (WILDCARD, seats.EXPIRED, DEFECTIVE),
    "an endpoint with a foreign certificate": (WILDCARD, seats.FOREIGN, DEFECTIVE),
}
# Redirects of another SMP to that one: the certificate subject in the redirect.
REDIRECTS = {"a redirect": (None, "found"), "a redirect to another subject": ("CN=other", DEFECTIVE)}
# Faults of separate SMPs for the first of those: the key, and phase4's options.
PUBLISHERS = {
    "exclusive canonicalization": (seats.PUBLISHER, ["--c14n", "exclusive"], "found"),
    "certificates in lines": (seats.PUBLISHER, ["--certificate-format", "lines"], "found"),
    "certificates in PEM": (seats.PUBLISHER, ["--certificate-format", "pem"], "found"),
    "a spoilt signature": (seats.PUBLISHER, ["--tamper", "signature"], DEFECTIVE),
    "spoilt contents": (seats.PUBLISHER, ["--tamper", "content"], DEFECTIVE),
    "no signature": (seats.PUBLISHER, ["--tamper", "unsigned"], DEFECTIVE),
    "the key of an access point": (seats.SENDER, [], DEFECTIVE),
    "a revoked certificate": (seats.REVOKED_PUBLISHER, [], DEFECTIVE),
    "status 503": (seats.PUBLISHER, ["--fail-first", "99"], "lookup_failed"),
}


class Publishers:
    """SMPs of phase4, and the two lookups."""

    def __init__(self, world, run):
        self.command, self.folder, self.work, self.us, self.world = run, world.pki, world.work, world.sender, world
        subject = load_pem_x509_certificate((self.folder / f"{seats.PUBLISHER}.pem").read_bytes()).subject
        self.subject = subject.rfc4514_string()

    def serve(self, name, store, registrations, options=()):
        file = self.work / f"{name.replace(' ', '-')}.registrations"
        file.write_text("".join(f"{line}\n" for line in registrations))
        return ours.Server([self.command, "smp", "--port", "0", "--keystore", self.folder / f"{store}.p12", "--registrations", file,
                            *options], file.with_suffix(".log"))

    def entry(self, participant, registered=WILDCARD, seat=seats.RECEIVER, address=ADDRESS):
        return f"{participant}|{registered}|{PROCESS}|{address}|{self.folder / seat}.pem"

    def looked_up(self, base, participant=PARTICIPANT):
        found = self.us.lookup(base, participant, EXACT, PROCESS)
        good = found["outcome"] != "found" or (found["address"], found["seat"]) == (ADDRESS, seats.RECEIVER)
        return found["outcome"] if good else str(found)

    def of_one(self):
        """The lookup's results for one SMP, and for redirects to it."""
        names = [*REGISTERED, *REDIRECTS]
        participants = {name: f"0235:10012346{at:02}" for at, name in enumerate(names)}
        own = [self.entry(participants[name], registered, seat) for name, (registered, seat, _) in REGISTERED.items()]
        own += [self.entry(participants[name]) for name in REDIRECTS]
        with columns.JAVA, self.serve("one", seats.PUBLISHER, own) as one:
            sent_on = [f"{participants[name]}|{WILDCARD}|redirect|{href(one.base, participants[name])}|{uid or self.subject}"
                       for name, (uid, _) in REDIRECTS.items()]
            with self.serve("another", seats.PUBLISHER, sent_on) as another:
                bases = dict.fromkeys(REGISTERED, one.base) | dict.fromkeys(REDIRECTS, another.base)
                seen = {name: self.looked_up(bases[name], participants[name]) for name in names}
        expected = REGISTERED | REDIRECTS
        return [(f"theirs, {name}", expected[name][-1], seen[name]) for name in names]

    def of(self, name):
        """The lookup's result for a separate SMP."""
        store, options, expected = PUBLISHERS[name]
        with columns.JAVA, self.serve(name, store, [self.entry(PARTICIPANT)], options) as smp:
            return [(f"theirs, {name}", expected, self.looked_up(smp.base))]

    def by_the_service(self):
        """A Live send through a foreign SMP: DNS names it, and phase4 serves its metadata."""
        receiver, registers = columns.Phase4(self.command, self.folder, self.work / "phase4-elsewhere", seats.PHASE4), self.world.registers
        participant = receiver.participants["elsewhere"]
        with columns.JAVA, receiver.serve() as server:
            entry = self.entry(participant, seat=receiver.seat, address=f"{server.base}/as4")
            with self.serve("in the SML", seats.PUBLISHER, [entry]) as smp, registers.publisher(smp.base, participant):
                said, envelope = self.world.service.sends("invoice", participant)
        kept = receiver.arrived().count(hashlib.sha256(envelope).hexdigest())
        return [("theirs, by a Live send", "receipt, kept once", f"{', then '.join(said)}, kept {'once' if kept == 1 else kept}")]

    def read(self, participant, document_type, process, *options):
        """phase4's client reads the product's SMP: the ServiceGroup, the metadata with its signature, both certificates."""
        with columns.JAVA:
            return ours.lines([self.command, "lookup", "--smp", f"{self.world.service.smp}/", "--participant", participant, "--doctype",
                               document_type, "--process", process, "--smp-trust", self.folder / "smp-trust.pem", "--trust",
                               self.folder / "ap-trust.pem", "--crl-dir", self.folder / "crl", *options])[0]

    def by_theirs(self):
        """Reads functions/smp about the product's taxpayer, by a wildcard and with its business card, and about the access point itself."""
        service = self.world.service
        service.has_card(CARD)
        taxpayer = self.read(seats.OASIS, EXACT, PROCESS, "--wildcard")
        provider = self.read(spid(seats.RECEIVER), *STATUS, "--no-card")
        place = (True, f"{service.b.edge_url}/as4", seats.RECEIVER, service.smp_id)
        card = taxpayer.get("business_card") or {}
        names = [each["names"][0]["name"] for each in CARD["entities"]]
        return [
            ("ours, a taxpayer, by phase4's client", "found", verdict(taxpayer, place, 4)),
            ("ours, its business card, by phase4's client", "found", "found" if card.get("names") == names else str(card)),
            ("ours, the access point, by phase4's client", "found", verdict(provider, place, 1)),
        ]


def verdict(found, place, document_types):
    """Whether a client found the registered data."""
    read = (found["ok"], found.get("url"), found.get("certificate_cn"), found.get("smp_signer_cn"))
    return "found" if read == place and len(found.get("doctypes") or ()) == document_types else str(found)


def href(base, participant):
    """The address of a participant's metadata."""
    parts = ("iso6523-actorid-upis::" + participant, "services", WILDCARD)
    return "/".join([base, *(urllib.parse.quote(part, safe="") for part in parts)])


def run(publishers):
    """[(what, expected, seen)] of every case."""
    cases = [publishers.by_the_service, publishers.of_one, publishers.by_theirs]
    cases += [functools.partial(publishers.of, name) for name in PUBLISHERS]

    def seen(case):
        try:
            return case()
        except Exception as error:
            traceback.print_exc()
            return [(str(case), "an outcome", f"{type(error).__name__}: {error}")]

    with ThreadPoolExecutor(WORKERS) as pool:
        return list(itertools.chain.from_iterable(pool.map(seen, cases)))
