//! Successful and failing lookups, with responses from memory.

use std::{collections::BTreeMap, sync::Mutex};

use super::*;
use crate::{
    peppol::{
        identifiers::{DocumentType, Process},
        pki::{
            Certificate, LocalKey, RevocationPolicy, Revocations, Role, Trust,
            testing::{AP_CRL, Authority, Flaw, PKI, now, ready},
        },
        smp::{
            NotCapable, Reach, Redirect, ServiceEndpoint, ServiceGroup, ServiceInformation,
            ServiceMetadata, ServiceProcess, group_path, metadata_path,
        },
    },
    types::ParticipantId,
};

const ZONE: &str = "sml.example";
const SMP: &str = "https://smp.example";
const OTHER_SMP: &str = "https://other-smp.example/metadata";

/// A network with one participant, and its responses.
struct Network {
    names: BTreeMap<String, Result<Vec<Naptr>, AskError>>,
    pages: BTreeMap<String, Result<Answer, AskError>>,
    asked: Mutex<Vec<String>>,
    /// The revocations of the authorities.
    revocations: fn() -> Revocations,
}

impl Ask for Network {
    async fn naptr(&self, name: &str) -> Result<Vec<Naptr>, AskError> {
        self.asked.lock().unwrap().push(name.to_owned());
        self.names.get(name).cloned().unwrap_or(Ok(Vec::new()))
    }

    async fn get(&self, url: &str) -> Result<Answer, AskError> {
        self.asked.lock().unwrap().push(url.to_owned());
        let nothing = Answer { status: 404, body: Vec::new() };
        self.pages.get(url).cloned().unwrap_or(Ok(nothing))
    }

    async fn revocations(&self, _: &Certificate, _: Role) -> Revocations {
        (self.revocations)()
    }
}

fn page(status: u16, body: impl Into<Vec<u8>>) -> Result<Answer, AskError> {
    Ok(Answer { status, body: body.into() })
}

fn silence() -> AskError {
    AskError("no answer within 5s".to_owned())
}

fn participant() -> ParticipantId {
    "0235:1234567890".parse().unwrap()
}

fn invoice() -> Query {
    Query {
        participant: participant(),
        document_type: DocumentType::INVOICE,
        process: Process::BILLING,
        sought: None,
    }
}

/// A Message Level Status: a document type of the exact scheme.
fn status() -> Query {
    Query {
        participant: participant(),
        document_type: DocumentType::MESSAGE_LEVEL_STATUS,
        process: Process::MESSAGE_LEVEL_STATUS,
        sought: None,
    }
}

fn naptr(address: &str) -> Naptr {
    let regexp = format!("!.*!{address}!");
    Naptr { order: 100, preference: 10, flags: "U".into(), services: "Meta:SMP".into(), regexp }
}

/// The registration for a query; the certificate of its access point has the flaw.
fn registration(query: &Query, by: &Authority, flaw: Flaw) -> ServiceInformation {
    let certificate = PKI.issue(by, "PAE000001", flaw).certificate;
    let endpoint =
        ServiceEndpoint::ours("https://ap.example/as4", &certificate, "https://ap.example");
    ServiceInformation {
        participant: query.participant.clone(),
        document_type: query.document_type.registration(),
        processes: vec![ServiceProcess {
            process: query.process.clone(),
            endpoints: vec![endpoint],
        }],
    }
}

fn good(query: &Query) -> ServiceInformation {
    registration(query, &PKI.ap, Flaw::None)
}

fn publish(metadata: ServiceMetadata, key: &LocalKey) -> Result<Answer, AskError> {
    page(200, ready(metadata.sign(key)).unwrap())
}

/// The address of the metadata for a query.
fn place(query: &Query) -> String {
    format!("{SMP}{}", metadata_path(&query.participant, &query.document_type.registration()))
}

fn group_place() -> String {
    format!("{SMP}{}", group_path(&participant()))
}

impl Network {
    /// A network without faults.
    fn new() -> Self {
        let registrations = [invoice(), status()].map(|query| query.document_type.registration());
        let group =
            ServiceGroup { participant: participant(), document_types: registrations.to_vec() };
        let mut network = Network {
            names: BTreeMap::from([(dns_name(&participant(), ZONE), Ok(vec![naptr(SMP)]))]),
            pages: BTreeMap::from([(group_place(), page(200, group.write(SMP)))]),
            asked: Mutex::default(),
            revocations: || PKI.revocations(),
        };
        for query in [invoice(), status()] {
            network.register(&query, good(&query));
        }
        network
    }

    fn register(&mut self, query: &Query, information: ServiceInformation) {
        let metadata = ServiceMetadata::Information(information);
        self.pages.insert(place(query), publish(metadata, &PKI.publisher().key()));
    }

    /// Redirects the metadata for invoices to another address, signed by `key`.
    fn redirect(&mut self, uid: &str, href: &str, key: &LocalKey) {
        let redirect = Redirect { href: href.to_owned(), certificate_uid: uid.to_owned() };
        let redirect = ServiceMetadata::Redirect(redirect);
        self.pages.insert(place(&invoice()), publish(redirect, &PKI.publisher().key()));
        let metadata = ServiceMetadata::Information(good(&invoice()));
        self.pages.insert(href.to_owned(), publish(metadata, key));
    }

    fn find(&self, query: &Query) -> Result<Found, LookupError> {
        self.find_with(query, &PKI.trust())
    }

    fn find_with(&self, query: &Query, trust: &Trust) -> Result<Found, LookupError> {
        let terms = Terms { zone: ZONE, reach: Reach::Https, trust, now: now() };
        ready(find(self, query, &terms))
    }
}

/// The outcome of a lookup for an invoice in a changed network: its code and its message.
fn outcome(change: impl FnOnce(&mut Network)) -> (&'static str, String) {
    outcome_for(&invoice(), change)
}

fn outcome_for(query: &Query, change: impl FnOnce(&mut Network)) -> (&'static str, String) {
    let mut network = Network::new();
    change(&mut network);
    let error = network.find(query).unwrap_err();
    (error.code(), error.to_string())
}

#[track_caller]
fn assert_outcome(found: (&'static str, String), code: &str, part: &str) {
    assert_eq!(found.0, code, "{}", found.1);
    assert!(found.1.contains(part), "{part}: {}", found.1);
}

#[test]
fn a_document_of_the_wildcard_scheme_is_found_by_the_group() {
    let network = Network::new();
    let found = network.find(&invoice()).unwrap();
    assert_eq!(found.address, "https://ap.example/as4");
    assert_eq!(found.certificate.common_name(), "PAE000001");
    assert_eq!(found.registration, DocumentType::INVOICE.registration());
    assert_eq!(found.publisher, SMP);
    let asked = network.asked.lock().unwrap().clone();
    assert_eq!(asked, [dns_name(&participant(), ZONE), group_place(), place(&invoice())]);
    let steps: Vec<_> = found.steps.iter().map(|step| step.asked.clone()).collect();
    assert_eq!(steps, asked);
    assert_eq!(
        found.steps[2].learned,
        "signed by CN=PAE000901,OU=PEPPOL TEST SMP,O=Example\\, LLC,C=AE"
    );
}

#[test]
fn a_document_of_the_exact_scheme_is_asked_for_itself() {
    let network = Network::new();
    let found = network.find(&status()).unwrap();
    assert_eq!(found.registration, DocumentType::MESSAGE_LEVEL_STATUS);
    let asked = network.asked.lock().unwrap().clone();
    assert_eq!(asked, [dns_name(&participant(), ZONE), place(&status())]);
}

#[test]
fn the_way_can_be_walked_from_any_thread() {
    fn is_send(_: &impl Send) {}
    let (network, trust) = (Network::new(), PKI.trust());
    let terms = Terms { zone: ZONE, reach: Reach::Https, trust: &trust, now: now() };
    let query = invoice();
    is_send(&find(&network, &query, &terms));
}

#[test]
fn nobody_registered_is_not_registered() {
    let name = dns_name(&participant(), ZONE);
    let none = outcome(|network| network.names.clear());
    assert_outcome(none, "recipient_not_registered", &name);
    let empty = outcome(|network| _ = network.names.insert(name.clone(), Ok(vec![])));
    assert_outcome(empty, "recipient_not_registered", &name);
    for status in [404, 410] {
        let gone = outcome(|network| _ = network.pages.insert(group_place(), page(status, "")));
        assert_outcome(gone, "recipient_not_registered", "its SMP has nothing under https://smp");
    }
}

#[test]
fn what_a_recipient_does_not_receive_is_not_capable() {
    let code = "recipient_not_capable";
    let other = ServiceGroup {
        participant: participant(),
        document_types: vec![DocumentType::CREDIT_NOTE.registration()],
    };
    let group = page(200, other.write(SMP));
    let found = outcome(|network| _ = network.pages.insert(group_place(), group));
    assert_outcome(found, code, "no documents of this type");
    let found = outcome_for(&status(), |network| _ = network.pages.remove(&place(&status())));
    assert_outcome(found, code, "no documents of this type");

    let changed = |change: &dyn Fn(&mut ServiceEndpoint)| {
        let mut information = good(&invoice());
        change(&mut information.processes[0].endpoints[0]);
        outcome(|network| network.register(&invoice(), information))
    };
    let at = |text: &str| Some(text.parse().unwrap());
    let found = changed(&|one| one.transport_profile = "peppol-transport-as4-v1_0".to_owned());
    assert_outcome(found, code, "but by peppol-transport-as4-v1_0");
    let found = changed(&|one| one.expiration = at("2026-06-01T00:00:00Z"));
    assert_outcome(found, code, "until 2026-06-01T00:00:00Z");
    let found = changed(&|one| one.activation = at("2026-07-01T00:00:00Z"));
    assert_outcome(found, code, "from 2026-07-01T00:00:00Z");
    let mut information = good(&invoice());
    information.processes[0].process = Process::SELF_BILLING;
    let found = outcome(|network| network.register(&invoice(), information));
    assert_outcome(found, code, "not in the process cenbii-procid-ubl::urn:peppol:bis:billing");
}

#[test]
fn what_nobody_can_say_failed_and_may_be_tried_again() {
    let name = dns_name(&participant(), ZONE);
    let servfail = outcome(|network| {
        network.names.insert(name, Err(AskError("SERVFAIL".to_owned())));
    });
    assert_outcome(servfail, "lookup_failed", "SERVFAIL");
    for url in [group_place(), place(&invoice())] {
        for (answer, part) in [
            (Err(silence()), "did not answer: no answer within 5s"),
            (page(500, "oops"), "answered with status 500"),
            (page(503, ""), "answered with status 503"),
            (page(429, ""), "answered with status 429"),
            (page(403, ""), "answered with status 403"),
            (page(301, ""), "answered with status 301"),
            (page(204, ""), "answered with status 204"),
            (page(200, ""), "answered what is not a S"),
            (page(200, "<html><body>Welcome</body></html>"), "the root element is \"html\""),
            (page(200, "{}"), "answered what is not a S"),
            (page(200, vec![b'x'; crate::peppol::smp::MAX_BYTES + 1]), "more than 1048576"),
            (page(200, "<!DOCTYPE a><a/>"), "answered what is not a S"),
        ] {
            let found = outcome(|network| _ = network.pages.insert(url.clone(), answer.clone()));
            assert_outcome(found, "lookup_failed", part);
        }
    }
    let network = Network { revocations: Revocations::default, ..Network::new() };
    let error = network.find_with(&invoice(), &PKI.trust()).unwrap_err();
    assert_eq!(error.code(), "lookup_failed");
    assert!(error.is_retryable());
    let soft = PKI.trust().with_revocation(RevocationPolicy::SoftFail);
    assert!(network.find_with(&invoice(), &soft).is_ok());
}

#[test]
fn a_defect_of_dns_is_named() {
    let name = dns_name(&participant(), ZONE);
    for (record, part) in [
        (Naptr { services: "E2U+sip".to_owned(), ..naptr(SMP) }, "none of service Meta:SMP"),
        (naptr("http://smp.example"), "is not one of https"),
        (naptr("https://\\1.example"), "does not give one address"),
    ] {
        let found = outcome(|network| _ = network.names.insert(name.clone(), Ok(vec![record])));
        assert_outcome(found, "recipient_defective", part);
    }
}

#[test]
fn an_smp_that_lies_is_named() {
    let code = "recipient_defective";
    let other: ParticipantId = "0235:1234567891".parse().unwrap();
    let group = ServiceGroup { participant: other.clone(), document_types: vec![] };
    let found =
        outcome(|network| _ = network.pages.insert(group_place(), page(200, group.write(SMP))));
    assert_outcome(found, code, "about iso6523-actorid-upis::0235:1234567891, asked about");

    let information = ServiceInformation { participant: other, ..good(&invoice()) };
    let found = outcome(|network| network.register(&invoice(), information));
    assert_outcome(found, code, "about iso6523-actorid-upis::0235:1234567891, asked about");

    let document_type = DocumentType::CREDIT_NOTE.registration();
    let information = ServiceInformation { document_type, ..good(&invoice()) };
    let found = outcome(|network| network.register(&invoice(), information));
    assert_outcome(found, code, "CreditNote##urn:peppol:pint:billing-1@ae-1*::2.1, asked about");

    let found = outcome(|network| _ = network.pages.remove(&place(&invoice())));
    assert_outcome(found, code, "has nothing there");
}

#[test]
fn an_smp_whose_signature_proves_nothing_is_named() {
    let code = "recipient_defective";
    for (by, flaw, part) in [
        (&PKI.foreign, Flaw::None, "was issued by CN=PEPPOL ACCESS POINT TEST CA - G3"),
        (&PKI.ap, Flaw::None, "was issued by CN=PEPPOL ACCESS POINT TEST CA - G3"),
        (&PKI.smp, Flaw::Expired, "expired at 2026-01-01T00:00:00Z"),
        (&PKI.smp, Flaw::NotYetValid, "not valid before 2026-09-01T00:00:00Z"),
        (&PKI.smp, Flaw::Revoked, "revoked at 2026-05-01T00:00:00Z (keyCompromise)"),
        (&PKI.smp, Flaw::ServerAuth, "lacks the usage clientAuth"),
    ] {
        let metadata = ServiceMetadata::Information(good(&invoice()));
        let answer = publish(metadata, &PKI.issue(by, "PAE000901", flaw).key());
        let found = outcome(|network| _ = network.pages.insert(place(&invoice()), answer));
        assert_outcome(found, code, part);
    }
    for (from, to, part) in [
        ("https://ap.example/as4", "https://ap.example/as5", "changed after it was signed"),
        ("<ds:SignatureValue>", "<ds:SignatureValue>AAAA", "does not belong to these bytes"),
        ("<ds:SignedInfo>", "<ds:SignedInfo/><ds:SignedInfo>", "has 2 of SignedInfo"),
    ] {
        let found = outcome(|network| {
            let answer = network.pages[&place(&invoice())].clone().unwrap();
            let text = String::from_utf8(answer.body).unwrap().replacen(from, to, 1);
            network.pages.insert(place(&invoice()), page(200, text));
        });
        assert_outcome(found, code, part);
    }
}

#[test]
fn an_access_point_that_cannot_be_used_is_named() {
    let code = "recipient_defective";
    for (by, flaw, part) in [
        (&PKI.foreign, Flaw::None, "whose signature it does not bear"),
        (&PKI.smp, Flaw::None, "was issued by CN=PEPPOL SERVICE METADATA PUBLISHER TEST CA"),
        (&PKI.ap, Flaw::Expired, "expired at 2026-01-01T00:00:00Z"),
        (&PKI.ap, Flaw::NotYetValid, "not valid before 2026-09-01T00:00:00Z"),
        (&PKI.ap, Flaw::Revoked, "revoked at 2026-05-01T00:00:00Z"),
        (&PKI.ap, Flaw::NoEncipherment, "lacks the usage keyEncipherment"),
    ] {
        let information = registration(&invoice(), by, flaw);
        let found = outcome(|network| network.register(&invoice(), information));
        assert_outcome(found, code, part);
    }
    for (address, certificate, part) in [
        ("http://ap.example/as4", None, "is not one of https"),
        ("", None, "is not a URL"),
        ("https://ap.example/as4", Some("AAAA"), "not a certificate in DER"),
        ("https://ap.example/as4", Some(""), "not a certificate in DER"),
    ] {
        let mut information = good(&invoice());
        let endpoint = &mut information.processes[0].endpoints[0];
        endpoint.address = address.to_owned();
        if let Some(certificate) = certificate {
            endpoint.certificate = certificate.to_owned();
        }
        let found = outcome(|network| network.register(&invoice(), information));
        assert_outcome(found, code, part);
    }
}

#[test]
fn one_redirect_is_followed_to_the_smp_that_was_announced() {
    let other = PKI.issue(&PKI.smp, "PAE000904", Flaw::None);
    let mut network = Network::new();
    network.redirect(&other.certificate.subject(), OTHER_SMP, &other.key());
    let found = network.find(&invoice()).unwrap();
    assert_eq!(found.publisher, SMP);
    let last = found.steps.last().unwrap();
    assert_eq!(last.asked, OTHER_SMP);
    assert!(last.learned.starts_with("signed by CN=PAE000904,"), "{}", last.learned);
}

#[test]
fn a_redirect_to_nowhere_or_to_somebody_else_is_named() {
    let code = "recipient_defective";
    let other = PKI.issue(&PKI.smp, "PAE000904", Flaw::None);
    let (uid, key) = (&other.certificate.subject(), other.key());

    let found = outcome(|network| network.redirect("CN=PAE000905", OTHER_SMP, &key));
    assert_outcome(found, code, "is signed by CN=PAE000904,OU=PEPPOL TEST SMP");
    let found = outcome(|network| network.redirect(uid, "http://other-smp.example", &key));
    assert_outcome(found, code, "redirects: the address");
    let revoked = PKI.issue(&PKI.smp, "PAE000904", Flaw::Revoked).key();
    let found = outcome(|network| network.redirect(uid, OTHER_SMP, &revoked));
    assert_outcome(found, code, "revoked at");
    let found = outcome(|network| {
        network.redirect(uid, OTHER_SMP, &key);
        network.pages.remove(OTHER_SMP);
    });
    assert_outcome(found, code, "has nothing there");
    let found = outcome(|network| {
        network.redirect(uid, OTHER_SMP, &key);
        let again = Redirect { href: SMP.to_owned(), certificate_uid: uid.to_owned() };
        network.pages.insert(OTHER_SMP.to_owned(), publish(ServiceMetadata::Redirect(again), &key));
    });
    assert_outcome(found, code, "for a second time");
    let found = outcome(|network| {
        network.redirect(uid, OTHER_SMP, &key);
        network.pages.insert(OTHER_SMP.to_owned(), page(502, ""));
    });
    assert_outcome(found, "lookup_failed", "answered with status 502");
    let found = outcome(|network| {
        network.redirect(uid, OTHER_SMP, &key);
        let others = ServiceInformation {
            participant: "0235:1234567891".parse().unwrap(),
            ..good(&invoice())
        };
        network
            .pages
            .insert(OTHER_SMP.to_owned(), publish(ServiceMetadata::Information(others), &key));
    });
    assert_outcome(found, code, "asked about");
}

#[test]
fn what_was_found_is_remembered_as_text_and_trusted_anew() {
    let mut information = good(&invoice());
    let until = "2027-01-01T00:00:00Z".parse().unwrap();
    information.processes[0].endpoints[0].expiration = Some(until);
    let mut network = Network::new();
    network.register(&invoice(), information);
    let found = network.find(&invoice()).unwrap();
    let text = serde_json::to_string(&Remembered::from(&found)).unwrap();
    let remembered: Remembered = serde_json::from_str(&text).unwrap();

    let recheck = |remembered: &Remembered, revocations, at: &str| {
        let network = Network { revocations, ..Network::new() };
        let (trust, now) = (PKI.trust(), at.parse().unwrap());
        let terms = Terms { zone: ZONE, reach: Reach::Https, trust: &trust, now };
        ready(remembered.recheck(&network, &terms))
    };
    let known: fn() -> Revocations = || PKI.revocations();
    assert_eq!(recheck(&remembered, known, &now().to_string()).unwrap(), found);

    let late = recheck(&remembered, known, "2027-01-01T00:00:01Z").unwrap_err();
    assert_eq!(late, NotCapable::Expired(until).into());
    let unknown = recheck(&remembered, Revocations::default, &now().to_string()).unwrap_err();
    assert_eq!(unknown.code(), "lookup_failed");
    let revoked = recheck(&remembered, revoked, &now().to_string()).unwrap_err();
    assert_outcome((revoked.code(), revoked.to_string()), "recipient_defective", "was revoked");
    for certificate in ["?", "AAAA"] {
        let certificate = certificate.to_owned();
        let damaged = Remembered { certificate, ..remembered.clone() };
        let damaged = recheck(&damaged, known, &now().to_string()).unwrap_err();
        assert_eq!(damaged.code(), "recipient_defective");
    }
}

/// The authority has revoked the valid certificate.
fn revoked() -> Revocations {
    let serial = crate::peppol::pki::testing::serial(Flaw::None);
    let list = crate::peppol::pki::RevocationList::from_der(&PKI.ap.list(&[serial])).unwrap();
    Revocations::default().with_list(AP_CRL, list)
}
