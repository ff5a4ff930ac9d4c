//! The choice of an access point, and the reasons for no choice.

use super::*;

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
        // Also through a document, in which line ends become references.
        let mut information = information();
        information.processes[0].endpoints[0].certificate = text.trim().to_owned();
        let metadata = ServiceMetadata::Information(information);
        assert_eq!(verified(&signed(&metadata)), metadata);
    }
}
