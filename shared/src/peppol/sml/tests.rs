use std::net::{IpAddr, Ipv4Addr};

use super::*;
use crate::{
    peppol::smp::dom,
    types::{ParticipantId, SeededRandom},
};

fn participant() -> ParticipantId {
    "0235:1234567890".parse().unwrap()
}

fn key() -> MigrationKey {
    "11AAbb$$".parse().unwrap()
}

/// The names of the elements in a request's element, each with its text.
fn content(request: Request<'_>, of: &str) -> Vec<(String, String)> {
    let written = request.write();
    let dom = dom::parse(written.as_bytes(), SOAP, "Envelope").unwrap();
    let body = dom.root().only(SOAP, "Body").unwrap();
    let element = body.children().next().unwrap();
    assert!(element.is(LOCATOR, of), "{written}");
    let leaves = dom.elements().filter(|one| one.children().next().is_none());
    leaves.map(|one| (one.name().to_owned(), one.text())).collect()
}

/// A request, its element, the content of that, and the end of its action.
type Case<'a> = (Request<'a>, &'a str, &'a [(&'a str, &'a str)], &'a str);

#[test]
fn requests_hold_what_the_schema_wants_in_its_order() {
    let (participant, key) = (&participant(), &key());
    let smp_id = "SMP-PAE000001";
    let publisher = Publisher {
        smp_id,
        url: "https://smp.example/?a=1&b=2",
        physical: IpAddr::V4(Ipv4Addr::new(192, 0, 2, 1)),
    };
    let id = ("ServiceMetadataPublisherID", smp_id);
    let who = ("ParticipantIdentifier", "0235:1234567890");
    let migration = ("MigrationKey", "11AAbb$$");
    let address = ("LogicalAddress", "https://smp.example/?a=1&b=2");
    let physical = ("PhysicalAddress", "192.0.2.1");
    let cases: [Case<'_>; 6] = [
        (
            Request::CreateParticipant { smp_id, participant },
            "CreateParticipantIdentifier",
            &[id, who],
            "ManageBusinessIdentifierService/1.0/         :createIn\"",
        ),
        (
            Request::DeleteParticipant { smp_id, participant },
            "DeleteParticipantIdentifier",
            &[id, who],
            "ManageBusinessIdentifierService/1.0/         :deleteIn\"",
        ),
        (
            Request::PrepareToMigrate { smp_id, participant, key },
            "PrepareMigrationRecord",
            &[id, who, migration],
            ":prepareMigrateIn\"",
        ),
        (
            Request::Migrate { smp_id, participant, key },
            "CompleteMigrationRecord",
            &[id, who, migration],
            ":migrateIn\"",
        ),
        (
            Request::CreatePublisher(publisher),
            "CreateServiceMetadataPublisherService",
            &[address, physical, id],
            ":createIn\"",
        ),
        (
            Request::UpdatePublisher(publisher),
            "UpdateServiceMetadataPublisherService",
            &[address, physical, id],
            ":updateIn\"",
        ),
    ];
    for (request, element, expected, action) in cases {
        let expected: Vec<_> =
            expected.iter().map(|(name, text)| (name.to_string(), text.to_string())).collect();
        assert_eq!(content(request, element), expected);
        assert!(request.action().starts_with('"') && request.action().ends_with(action));
        let is_publisher = element.contains("PublisherService");
        let path =
            if is_publisher { "/manageservicemetadata" } else { "/manageparticipantidentifier" };
        assert_eq!(request.path(), path);
    }
}

fn fault(kind: &str, message: &str) -> String {
    format!(
        "<soap:Envelope xmlns:soap=\"{SOAP}\"><soap:Body><soap:Fault><faultcode>soap:Server</faultcode>\
         <faultstring>in short</faultstring><detail><{kind} xmlns:ns2=\"{ID}\" xmlns=\"{LOCATOR}\">{message}</{kind}>\
         </detail></soap:Fault></soap:Body></soap:Envelope>"
    )
}

#[test]
fn answers_are_distinguished_whatever_their_status() {
    let done =
        format!("<s:Envelope xmlns:s=\"{SOAP}\"><s:Header/><s:Body><x/></s:Body></s:Envelope>");
    for (status, body) in [(200, ""), (202, " \n"), (204, ""), (200, done.as_str())] {
        assert_eq!(read(status, body.as_bytes()), Answer::Done, "{status} {body}");
    }
    let message = "<FaultMessage>[ERR-106] already exist</FaultMessage>";
    for (name, kind) in [
        ("BadRequestFault", FaultKind::BadRequest),
        ("NotFoundFault", FaultKind::NotFound),
        ("UnauthorizedFault", FaultKind::Unauthorized),
        ("InternalErrorFault", FaultKind::Internal),
        ("AnotherFault", FaultKind::Internal),
    ] {
        for status in [200, 400, 404, 500] {
            let expected = Fault { kind, message: "[ERR-106] already exist".to_owned() };
            let answer = read(status, fault(name, message).as_bytes());
            assert_eq!(answer, Answer::Fault(expected), "{status} {name}");
        }
    }
    let short = read(500, fault("NotFoundFault", "").as_bytes());
    let expected = Fault { kind: FaultKind::NotFound, message: "in short".to_owned() };
    assert_eq!(short, Answer::Fault(expected));
    let long = format!("<FaultMessage>{}</FaultMessage>", "x".repeat(1000));
    let Answer::Fault(long) = read(500, fault("BadRequestFault", &long).as_bytes()) else {
        panic!("no fault")
    };
    assert_eq!(long.message.chars().count(), 201);
    for status in [401, 403] {
        let Answer::Fault(refused) = read(status, b"<html>no</html>") else { panic!("no fault") };
        assert_eq!(refused.kind, FaultKind::Unauthorized);
    }
    for (status, body) in [
        (200, "<html><body>Welcome</body></html>"),
        (200, "junk"),
        (200, "<!DOCTYPE a []><a/>"),
        (500, ""),
        (502, "<html>Bad gateway</html>"),
        (500, done.as_str()),
    ] {
        assert!(matches!(read(status, body.as_bytes()), Answer::Nothing(_)), "{status} {body}");
    }
}

#[test]
fn a_migration_key_is_one_that_the_sml_takes() {
    for seed in 0..200 {
        let key = MigrationKey::generate(&SeededRandom::new(seed));
        assert_eq!(key.reveal().len(), 24);
        assert_eq!(key.reveal().parse(), Ok(key.clone()));
        assert!(!format!("{key:?}").contains(key.reveal()), "a key is not logged");
    }
    let long = "11AAbb$$".repeat(3);
    for (text, good) in [
        ("11AAbb$$", true),
        (long.as_str(), true),
        ("11AAbb$", false),
        (&format!("{long}x"), false),
        ("11AAbbbb", false),
        ("1AAAbb$$", false),
        ("11AAbb$ $", false),
        ("11AAbb$$é", false),
        ("11AAbb$_$", false),
        ("", false),
    ] {
        assert_eq!(text.parse::<MigrationKey>().is_ok(), good, "{text}");
    }
}
