//! Documents of a real SMP and of another implementation.

use super::*;

const PRODUCTION: &str = include_str!("../samples/production.xml");

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
    // A comment is not signed and has no effect.
    let comment = PRODUCTION.replacen("5790002590993", "579000<!-- a -->2590993", 1);
    let read = |text: &str| SignedMetadata::read(text.as_bytes()).unwrap().metadata().clone();
    assert_eq!(read(&comment), read(PRODUCTION));
}

#[test]
fn canonical_forms_are_those_of_another_implementation() {
    let vectors: Value = serde_json::from_str(include_str!("../samples/vectors.json")).unwrap();
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
            dom::parse(text.to_owned().leak().as_bytes(), SMP, "SignedServiceMetadata").unwrap()
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
    let vectors: Value = serde_json::from_str(include_str!("../samples/vectors.json")).unwrap();
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
        // The signature covers the bytes of SignedInfo: an additional space makes it invalid.
        let spaced = document.replacen("SignedInfo>\n<", "SignedInfo>\n\n<", 1);
        assert_ne!(spaced, document);
        assert!(matches!(verify(&spaced), Err(SignatureFault::Value(_))));
    }
}
