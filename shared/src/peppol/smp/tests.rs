//! Documents of our own, of a real SMP, of another implementation, and of those who mean harm.

use base64::{Engine, engine::general_purpose::STANDARD};
use jiff::Timestamp;
use serde_json::Value;

use super::{
    dom::{Canonicalization, Dom},
    names::{DS, SMP},
    *,
};
use crate::peppol::{
    identifiers::{DocumentType, Process, TRANSPORT_PROFILE},
    pki::{
        Anchors, Certificate, RevocationPolicy, Revocations, Role, Trust,
        testing::{Flaw, PKI, now, ready},
    },
};

const PRODUCTION: &str = include_str!("samples/production.xml");

fn information() -> ServiceInformation {
    let certificate = PKI.seat("PAE000001").certificate;
    let endpoint = ServiceEndpoint::ours(
        "https://ap.example/as4?a=1&b=2",
        &certificate,
        "mailto:help@ap.example",
    );
    ServiceInformation {
        participant: "0235:1234567890".parse().unwrap(),
        document_type: DocumentType::INVOICE.registration(),
        processes: vec![ServiceProcess { process: Process::BILLING, endpoints: vec![endpoint] }],
    }
}

fn metadata() -> ServiceMetadata {
    ServiceMetadata::Information(information())
}

fn signed(metadata: &ServiceMetadata) -> String {
    ready(metadata.sign(&PKI.publisher().key())).unwrap()
}

fn verified(document: &str) -> ServiceMetadata {
    let read = SignedMetadata::read(document.as_bytes()).unwrap();
    let signer = PKI.trusted(read.signer(), Role::Publisher);
    read.verify(&signer).unwrap()
}

/// Why a document is refused, whether before its signature is looked at or after.
fn refusal(document: &str) -> String {
    let read = match SignedMetadata::read(document.as_bytes()) {
        Ok(read) => read,
        Err(error) => return error.to_string(),
    };
    let signer = PKI.trusted(read.signer(), Role::Publisher);
    read.verify(&signer).unwrap_err().to_string()
}

#[test]
fn what_we_sign_reads_back_as_written() {
    let redirect = ServiceMetadata::Redirect(Redirect {
        href: "https://smp.example/a%3A%3Ab/services/c?d=1&e=2".to_owned(),
        certificate_uid: "CN=PAE000901,O=\"Example\" & <Sons>,C=AE".to_owned(),
    });
    let mut dated = information();
    dated.processes[0].endpoints[0].activation = Some("2026-01-01T00:00:00Z".parse().unwrap());
    dated.processes[0].endpoints[0].expiration = Some("2027-01-01T00:00:00.5Z".parse().unwrap());
    dated.processes[0].endpoints[0].description = " \t\r\n".trim().to_owned();
    for metadata in [metadata(), redirect, ServiceMetadata::Information(dated)] {
        assert_eq!(verified(&signed(&metadata)), metadata);
    }
}

#[test]
fn a_group_reads_back_as_written() {
    let group = ServiceGroup {
        participant: "0235:1234567890".parse().unwrap(),
        document_types: vec![
            DocumentType::INVOICE.registration(),
            DocumentType::CREDIT_NOTE,
            DocumentType::MESSAGE_LEVEL_STATUS,
        ],
    };
    let written = group.write("https://smp.example");
    assert!(written.contains("href=\"https://smp.example/iso6523-actorid-upis%3A%3A0235%3A1234567890/services/peppol-doctype-wildcard%3A%3Aurn"));
    assert_eq!(ServiceGroup::read(written.as_bytes()).unwrap(), group);
    // Not encoded, as some SMPs write it, and one that names nothing.
    let plain = written
        .replace("%3A", ":")
        .replace("%23", "#")
        .replace("<ServiceMetadataReference href", "<ServiceMetadataReference href=\"https://smp.example/x/services/\"></ServiceMetadataReference><ServiceMetadataReference href");
    assert_eq!(ServiceGroup::read(plain.as_bytes()).unwrap(), group);
    let empty = ServiceGroup { document_types: vec![], ..group };
    assert_eq!(ServiceGroup::read(empty.write("").as_bytes()).unwrap(), empty);
}

#[test]
fn a_card_reads_back_as_written() {
    let text = |text: &str| Some(text.to_owned());
    let card = BusinessCard {
        participant: "0235:1234567890".parse().unwrap(),
        entities: vec![
            BusinessEntity {
                names: vec![
                    EntityName { text: "Falcon & Sons <LLC>".to_owned(), language: text("en") },
                    EntityName { text: "الصقر".to_owned(), language: text("ar") },
                ],
                country: "AE".to_owned(),
                geographical_information: text("Dubai"),
                identifiers: vec![EntityIdentifier {
                    scheme: "TRN".to_owned(),
                    value: "100000000000003".to_owned(),
                }],
                websites: vec!["https://falcon.example/?a=1&b=2".to_owned()],
                contacts: vec![Contact {
                    kind: text("sales"),
                    name: None,
                    phone_number: text("+971 4"),
                    email: text("a@b.example"),
                }],
                additional_information: text("line\none"),
                registered: Some("2026-07-01".parse().unwrap()),
            },
            BusinessEntity {
                names: vec![EntityName { text: "Second".to_owned(), language: None }],
                country: "AE".to_owned(),
                ..BusinessEntity::default()
            },
        ],
    };
    assert_eq!(BusinessCard::read(card.write().as_bytes()).unwrap(), card);
    let nothing = BusinessCard { entities: vec![], ..card };
    assert_eq!(BusinessCard::read(nothing.write().as_bytes()).unwrap(), nothing);
}

#[test]
fn an_answer_of_a_production_smp_is_proven_and_read() {
    let trust =
        Trust::new(Anchors::production().unwrap()).with_revocation(RevocationPolicy::SoftFail);
    let check = |certificate: &Certificate, role| {
        trust.check(certificate, role, now(), &Revocations::default()).unwrap()
    };
    let read = SignedMetadata::read(PRODUCTION.as_bytes()).unwrap();
    let signer = check(read.signer(), Role::Publisher);
    let ServiceMetadata::Information(information) = read.verify(&signer).unwrap() else { panic!() };
    assert_eq!(information.participant.to_string(), "0088:5790002590993");
    let process =
        Process::new(Process::SCHEME, "urn:fdc:peppol.eu:2017:poacc:billing:01:1.0").unwrap();
    let endpoint = choose(&information, &process, TRANSPORT_PROFILE, now(), Reach::Https).unwrap();
    assert_eq!(endpoint.address, "https://peppol2.logiq.no/lpap-inbound/as4");
    assert_eq!(check(&endpoint.certificate, Role::AccessPoint).common_name(), "PNO000020");
}

#[test]
fn every_change_of_a_real_answer_is_noticed() {
    for (from, to) in [
        ("0088:5790002590993", "0088:5790002590994"),
        ("peppol2.logiq.no", "peppol2.logiq.example"),
        ("false<", "true<"),
        ("<smp:ProcessList>", "<smp:ProcessList> "),
        ("xmlns:wsa=", "xmlns:other=\"urn:other\" xmlns:wsa="),
        ("Logiq AS Peppol AP", "Logiq <?a?>AS Peppol AP"),
        ("kYX+EfT3jDCugXlz", "kYX+EfT3jDCugXlZ"),
    ] {
        let changed = PRODUCTION.replacen(from, to, 1);
        assert_ne!(changed, PRODUCTION);
        let error = SignedMetadata::read(changed.as_bytes()).unwrap_err();
        assert_eq!(error, SmpError::Signature(SignatureFault::Digest), "{from}");
    }
    // A comment is not signed, and changes nothing.
    let comment = PRODUCTION.replacen("5790002590993", "579000<!-- a -->2590993", 1);
    let read = |text: &str| SignedMetadata::read(text.as_bytes()).unwrap().metadata().clone();
    assert_eq!(read(&comment), read(PRODUCTION));
}

#[test]
fn canonical_forms_are_those_of_another_implementation() {
    let vectors: Value = serde_json::from_str(include_str!("samples/vectors.json")).unwrap();
    let canonical = vectors["canonical"].as_array().unwrap();
    assert_eq!(canonical.len(), 60);
    for vector in canonical {
        let text = |name: &str| vector[name].as_str().unwrap();
        let prefixes: Vec<_> = vector["prefixes"]
            .as_array()
            .unwrap()
            .iter()
            .map(|one| one.as_str().unwrap())
            .collect();
        let method = format!(
            "<SignedServiceMetadata xmlns=\"{SMP}\" Algorithm=\"{}\"><e:InclusiveNamespaces xmlns:e=\"http://www.w3.org/2001/10/xml-exc-c14n#\" \
             PrefixList=\"{}\"/></SignedServiceMetadata>",
            text("method"),
            prefixes.join(" ")
        );
        let parse = |text: &'_ str| -> Dom<'static> {
            Dom::parse(text.to_owned().leak().as_bytes(), SMP, "SignedServiceMetadata").unwrap()
        };
        let method = Canonicalization::of(parse(&method).root()).unwrap();
        let mut dom = parse(text("document"));
        let signature = dom.elements().find(|one| one.is(DS, "Signature")).unwrap();
        let info = signature.only(DS, "SignedInfo").unwrap();
        assert_eq!(
            String::from_utf8(info.canonical(&method).unwrap()).unwrap(),
            text("signed_info"),
            "{vector:#}"
        );
        let signature = signature.id;
        dom.remove(signature);
        assert_eq!(
            String::from_utf8(dom.canonical(&method).unwrap()).unwrap(),
            text("without_signature"),
            "{vector:#}"
        );
    }
}

#[test]
fn signatures_of_another_implementation_hold_with_both_canonicalizations() {
    let vectors: Value = serde_json::from_str(include_str!("samples/vectors.json")).unwrap();
    let authority = vectors["authority"].as_str().unwrap().as_bytes();
    let trust = Trust::new(Anchors::local(authority, authority).unwrap())
        .with_revocation(RevocationPolicy::SoftFail);
    let documents = vectors["signed"].as_array().unwrap();
    assert_eq!(documents.len(), 5);
    for document in documents {
        let document = document.as_str().unwrap();
        let verify = |document: &str| {
            let read = SignedMetadata::read(document.as_bytes()).unwrap();
            let signer = trust
                .check(read.signer(), Role::Publisher, now(), &Revocations::default())
                .unwrap();
            read.verify(&signer)
        };
        let ServiceMetadata::Information(information) = verify(document).unwrap() else { panic!() };
        assert_eq!(information.participant.to_string(), "0235:1234567890");
        // What is signed are the bytes of SignedInfo: a space there makes another signature.
        let spaced = document.replacen("SignedInfo>\n<", "SignedInfo>\n\n<", 1);
        assert_ne!(spaced, document);
        assert!(matches!(verify(&spaced), Err(SignatureFault::Value(_))));
    }
}

#[test]
fn a_signature_of_somebody_else_proves_nothing() {
    let read = || SignedMetadata::read(signed(&metadata()).as_bytes()).unwrap();
    let other = PKI.issue(&PKI.smp, "PAE000902", Flaw::None).certificate;
    let other = PKI.trusted(&other, Role::Publisher);
    assert!(matches!(read().verify(&other), Err(SignatureFault::Signer(_))));
    // Trusted, but as an access point.
    let seat = PKI.seat("PAE000001");
    let document = ready(metadata().sign(&seat.key())).unwrap();
    let trusted = PKI.trusted(&seat.certificate, Role::AccessPoint);
    let read = SignedMetadata::read(document.as_bytes()).unwrap();
    assert!(matches!(read.verify(&trusted), Err(SignatureFault::Signer(_))));
    // The right certificate with another key's signature.
    let certificate = |leaf: &Certificate| STANDARD.encode(leaf.der());
    let forged =
        ready(metadata().sign(&PKI.issue(&PKI.smp, "PAE000902", Flaw::None).key())).unwrap();
    let forged = forged.replace(&certificate(&other), &certificate(&PKI.publisher().certificate));
    let error = refusal(&forged);
    assert_eq!(error, "the signature does not belong to these bytes and this certificate");
}

#[test]
fn every_form_but_the_one_that_smps_use_is_refused() {
    let good = signed(&metadata());
    let signature = good
        [good.find("<ds:Signature ").unwrap()..good.find("</SignedServiceMetadata>").unwrap()]
        .to_owned();
    let replaced = |from: &str, to: &str| {
        let document = good.replacen(from, to, 1);
        assert_ne!(document, good, "{from}");
        document
    };
    let transform = |uri: &str| {
        let enveloped =
            "<ds:Transform Algorithm=\"http://www.w3.org/2000/09/xmldsig#enveloped-signature\"/>";
        replaced(enveloped, &format!("{enveloped}<ds:Transform Algorithm=\"{uri}\"/>"))
    };
    let exclusive = "http://www.w3.org/2001/10/xml-exc-c14n#";
    for (document, part) in [
        (good.replace(&signature, ""), "there are 0 signatures"),
        (good.replace(&signature, &signature.repeat(2)), "there are 2 signatures"),
        (
            // Wrapped: the signed document is where nobody reads, another stands in its place.
            replaced(
                "<ServiceMetadata>",
                &format!("<Extension>{signature}</Extension><ServiceMetadata>"),
            ),
            "there are 2 signatures",
        ),
        (
            good.replace(&signature, &format!("<Extension>{signature}</Extension>")),
            "has 0 of Signature",
        ),
        (replaced("xmldsig-more#rsa-sha256", "xmldsig-more#rsa-sha512"), "SignatureMethod"),
        (
            replaced(
                "http://www.w3.org/2001/04/xmldsig-more#rsa-sha256",
                "http://www.w3.org/2000/09/xmldsig#rsa-sha1",
            ),
            "rsa-sha1\" is not allowed",
        ),
        (
            replaced(
                "http://www.w3.org/2001/04/xmldsig-more#rsa-sha256",
                "http://www.w3.org/2000/09/xmldsig#hmac-sha1",
            ),
            "hmac-sha1\" is not allowed",
        ),
        (
            replaced(
                "http://www.w3.org/2001/04/xmlenc#sha256",
                "http://www.w3.org/2000/09/xmldsig#sha1",
            ),
            "the DigestMethod",
        ),
        (
            replaced("REC-xml-c14n-20010315", "REC-xml-c14n-20010315#WithComments"),
            "the canonicalization",
        ),
        (
            replaced(
                "http://www.w3.org/TR/2001/REC-xml-c14n-20010315",
                "http://www.w3.org/2006/12/xml-c14n11",
            ),
            "the canonicalization",
        ),
        (replaced(" URI=\"\"", " URI=\"#a\""), "it covers \"#a\""),
        (replaced(" URI=\"\"", " URI=\"https://smp.example/\""), "it covers \"https"),
        (replaced(" URI=\"\"", ""), "it covers \"nothing that is named\""),
        (transform("http://www.w3.org/TR/1999/REC-xpath-19991116"), "the transform"),
        (transform("http://www.w3.org/TR/1999/REC-xslt-19991116"), "the transform"),
        (transform("http://www.w3.org/2001/10/xml-exc-c14n#WithComments"), "the transform"),
        (replaced("xmldsig#enveloped-signature", "xmldsig#base64"), "the transform"),
        (
            replaced("http://www.w3.org/2000/09/xmldsig#enveloped-signature", exclusive),
            "the transform",
        ),
        (replaced("<ds:Transforms>", "<ds:Transforms/><ds:Transforms>"), "has 2 of Transforms"),
        (
            replaced("</ds:SignedInfo>", "<ds:Reference URI=\"\"/></ds:SignedInfo>"),
            "has 2 of Reference",
        ),
        (
            replaced("<ServiceMetadata>", "<ServiceMetadata Id=\"a\" xml:id=\"a\">"),
            "the id \"a\" stands twice",
        ),
        (replaced("<ds:DigestValue>", "<ds:DigestValue>*"), "not base64"),
        (replaced("<ds:SignatureValue>", "<ds:SignatureValue>*"), "not base64"),
        (replaced("<ds:X509Certificate>", "<ds:X509Certificate>AAAA"), "not a certificate in DER"),
        (
            replaced("ds:X509Certificate>", "ds:X509SKI>").replacen(
                "/ds:X509Certificate>",
                "/ds:X509SKI>",
                1,
            ),
            "has 0 of X509Certificate",
        ),
        (
            replaced("<ServiceMetadata>", "<ServiceMetadata></ServiceMetadata><ServiceMetadata>"),
            "changed after it was signed",
        ),
    ] {
        let refusal = refusal(&document);
        assert!(refusal.contains(part), "{part}: {refusal}");
        assert!(
            !SignedMetadata::read(document.as_bytes()).is_err_and(|error| error.is_retryable())
        );
    }
}

#[test]
fn what_is_no_such_document_is_garbage_that_may_pass() {
    let good = signed(&metadata());
    let flood: String = (0..100_000).map(|n| format!(" a{n}=\"\"")).collect();
    let flood = good.replacen("<ServiceMetadata>", &format!("<ServiceMetadata{flood}>"), 1);
    let deep = format!("{}{}", "<a>".repeat(100_000), "</a>".repeat(100_000));
    let doctype = good.replacen("?>", "?><!DOCTYPE SignedServiceMetadata>", 1);
    let utf_16: Vec<u8> = good.encode_utf16().flat_map(u16::to_le_bytes).collect();
    for bytes in [
        b"".as_slice(),
        b"<html><body>502 Bad Gateway</body></html>",
        b"{\"error\": 1}",
        &good.as_bytes()[..good.len() / 2],
        &vec![b' '; MAX_BYTES + 1],
        doctype.as_bytes(),
        flood.as_bytes(),
        deep.as_bytes(),
        &utf_16,
        b"\xff\xfe",
    ] {
        let error = SignedMetadata::read(bytes).unwrap_err();
        assert!(
            error.is_retryable() && error.to_string().starts_with("not a SignedServiceMetadata: "),
            "{error}"
        );
        assert!(ServiceGroup::read(bytes).unwrap_err().is_retryable());
        assert!(BusinessCard::read(bytes).unwrap_err().is_retryable());
    }
}

#[test]
fn values_that_are_none_are_named() {
    for (from, to, part) in [
        (
            "0235:1234567890",
            "1234567890",
            "ParticipantIdentifier \"iso6523-actorid-upis::1234567890\"",
        ),
        ("iso6523-actorid-upis", "other", "the scheme is not iso6523-actorid-upis"),
        ("peppol-doctype-wildcard", "other", "DocumentIdentifier \"other::urn"),
        ("<wsa:Address>", "<wsa:Address/><wsa:Address>", "EndpointReference has 2 of Address"),
        (" transportProfile=", " profile=", "Endpoint has 0 of transportProfile"),
        (
            "<Certificate>",
            "<ServiceActivationDate>soon</ServiceActivationDate><Certificate>",
            "ServiceActivationDate \"soon\"",
        ),
    ] {
        let changed = resigned(&signed(&metadata()).replacen(from, to, 1));
        let error = SignedMetadata::read(changed.as_bytes()).unwrap_err().to_string();
        assert!(error.contains(part), "{error}");
    }
}

/// The document with the digest that belongs to its contents.
fn resigned(document: &str) -> String {
    let mut dom = Dom::parse(document.as_bytes(), SMP, "SignedServiceMetadata").unwrap();
    let signature = dom.root().only(DS, "Signature").unwrap();
    let info = signature.only(DS, "SignedInfo").unwrap();
    let old = info.only(DS, "Reference").unwrap().only(DS, "DigestValue").unwrap().text();
    let signature = signature.id;
    dom.remove(signature);
    let content = dom.canonical(&Canonicalization::INCLUSIVE).unwrap();
    let digest = aws_lc_rs::digest::digest(&aws_lc_rs::digest::SHA256, &content);
    document.replace(&old, &STANDARD.encode(digest))
}

fn chosen(change: impl FnOnce(&mut Vec<ServiceEndpoint>)) -> Result<Endpoint, String> {
    let mut information = information();
    change(&mut information.processes[0].endpoints);
    choose(&information, &Process::BILLING, TRANSPORT_PROFILE, now(), Reach::Https)
        .map_err(|error| error.to_string())
}

#[test]
fn the_first_active_access_point_for_the_transport_is_chosen() {
    let at = |text: &str| Some(text.parse::<Timestamp>().unwrap());
    let endpoint = chosen(|endpoints| {
        let good = endpoints[0].clone();
        let other = |change: &dyn Fn(&mut ServiceEndpoint)| {
            let mut other =
                ServiceEndpoint { address: "https://other.example/".to_owned(), ..good.clone() };
            change(&mut other);
            other
        };
        *endpoints = vec![
            other(&|one| one.transport_profile = "busdox-transport-as2-ver2p0".to_owned()),
            other(&|one| one.expiration = at("2026-06-15T11:59:59Z")),
            other(&|one| one.activation = at("2026-06-15T12:00:01Z")),
            ServiceEndpoint {
                activation: at("2026-06-15T12:00:00Z"),
                expiration: at("2026-06-15T12:00:00Z"),
                ..good.clone()
            },
            other(&|_| {}),
        ];
    });
    assert_eq!(endpoint.unwrap().address, "https://ap.example/as4?a=1&b=2");
}

#[test]
fn why_no_access_point_can_be_chosen_is_named() {
    let at = |text: &str| Some(text.parse::<Timestamp>().unwrap());
    let other_process =
        choose(&information(), &Process::SELF_BILLING, TRANSPORT_PROFILE, now(), Reach::Https);
    assert!(matches!(other_process, Err(ChoiceError::NotCapable(NotCapable::Process(_)))));
    type Change = Box<dyn FnOnce(&mut Vec<ServiceEndpoint>)>;
    let cases: Vec<(Change, &str)> = vec![
        (Box::new(|all| all.clear()), "not in the process"),
        (
            Box::new(|all| all[0].transport_profile = "busdox-transport-as2-ver2p0".to_owned()),
            "but by busdox-transport-as2-ver2p0",
        ),
        (
            Box::new(move |all| all[0].expiration = at("2026-01-01T00:00:00Z")),
            "until 2026-01-01T00:00:00Z",
        ),
        (
            Box::new(move |all| all[0].activation = at("2027-01-01T00:00:00Z")),
            "from 2027-01-01T00:00:00Z",
        ),
        (
            Box::new(|all| all[0].address = "http://ap.example/as4".to_owned()),
            "is not one of https",
        ),
        (Box::new(|all| all[0].address = String::new()), "is not a URL"),
        (Box::new(|all| all[0].certificate = String::new()), "not a certificate in DER"),
        (Box::new(|all| all[0].certificate.truncate(100)), "not a certificate in DER"),
        (Box::new(|all| all[0].certificate = "?".to_owned()), "its base64 is damaged"),
    ];
    for (change, part) in cases {
        let error = chosen(change).unwrap_err();
        assert!(error.contains(part), "{error}");
    }
}

#[test]
fn a_certificate_is_read_however_an_smp_writes_it() {
    let certificate = PKI.seat("PAE000001").certificate;
    let pem = certificate.to_pem();
    let lines = pem.lines().filter(|line| !line.starts_with('-')).collect::<Vec<_>>();
    for text in [
        lines.concat(),
        lines.join("\r\n"),
        lines.join("\n"),
        pem.clone(),
        pem.replace('\n', "\r\n"),
        format!("\n  {pem}\n "),
    ] {
        let chosen = chosen(|all| all[0].certificate = text.clone()).unwrap();
        assert_eq!(chosen.certificate, certificate);
        // Through a document, too, where line ends become references.
        let mut information = information();
        information.processes[0].endpoints[0].certificate = text.trim().to_owned();
        let metadata = ServiceMetadata::Information(information);
        assert_eq!(verified(&signed(&metadata)), metadata);
    }
}
