//! The PINT profile of a document, and the registration that the lookup of its recipient prefers.

use serde_json::json;

use super::live::{RECIPIENT, Scene};
use crate::{
    document::Operation,
    error::Code,
    peppol::{identifiers::DocumentType, sbdh},
    testing::{Publishes, invoice, send, ubl},
};

const EXACT: &str = "urn:peppol:pint:billing-1@ae-1";
const WILDCARD: &str = "urn:peppol:pint:billing-1@ae-1*";
const BASE: &str = "urn:peppol:pint:billing-1*";
/// A customization without a country, which no document of PINT-AE has.
const BARE: &str = "urn:peppol:pint:billing-1";

fn registration(customization: &str) -> DocumentType {
    DocumentType::INVOICE.to_string().replace(EXACT, customization).parse().unwrap()
}

/// Sends an invoice with a profile to a recipient with these registrations. Returns the registration that was found, or
/// the error.
async fn found(registered: &[&str], profile: Option<&str>) -> Result<DocumentType, (Code, String)> {
    let scene = Scene::new().await;
    let registrations = registered.iter().map(|it| registration(it)).collect();
    scene.network.publishes(Publishes::Registrations(registrations));
    let mut body = invoice("A-1", RECIPIENT);
    if let Some(profile) = profile {
        body["profile"] = json!(profile);
    }
    let sent = send(&scene.world.sending, &scene.sender, Operation::Invoice, &body, None).await;
    let sent = sent.map_err(|failure| (failure.code, failure.message))?;
    // In every case, the sent document is an invoice of PINT-AE in both places.
    let taken = scene.network.taken();
    let envelope = sbdh::read(&taken[0].sbdh).unwrap();
    assert_eq!(*envelope.header.document.document_type(), DocumentType::INVOICE);
    let bytes = ubl(&scene.world.sending, &scene.sender, sent.document_id.as_str()).await.unwrap();
    let text = String::from_utf8(bytes).unwrap();
    assert!(text.contains(&format!("<cbc:CustomizationID>{EXACT}</cbc:CustomizationID>")));
    assert_eq!(scene.document().await.profile, profile.unwrap_or("pint:billing-1@ae-1"));
    Ok(scene.network.registrations().pop().unwrap())
}

#[tokio::test]
async fn a_profile_without_an_asterisk_takes_the_narrowest_registration() {
    for profile in [None, Some("pint:billing-1@ae-1"), Some("pint:billing-1")] {
        for (registered, expected) in [
            (&[EXACT][..], EXACT),
            (&[WILDCARD], WILDCARD),
            (&[BASE], BASE),
            (&[BASE, WILDCARD, EXACT], EXACT),
            (&[BARE, BASE], BASE),
        ] {
            let found = found(registered, profile).await;
            assert_eq!(found, Ok(registration(expected)), "{registered:?} {profile:?}");
        }
        // PFUOI 4.3: a registration without * covers exactly that type.
        let (code, _) = found(&[BARE], profile).await.unwrap_err();
        assert_eq!(code, Code::RecipientNotCapable, "{profile:?}");
    }
}

#[tokio::test]
async fn a_profile_with_an_asterisk_passes_over_narrower_registrations() {
    for (profile, registered, expected) in [
        ("pint:billing-1@ae-1*", &[EXACT, WILDCARD][..], Some(WILDCARD)),
        ("pint:billing-1@ae-1*", &[EXACT, BASE], Some(BASE)),
        ("pint:billing-1@ae-1*", &[EXACT], None),
        ("pint:billing-1*", &[EXACT, WILDCARD, BASE], Some(BASE)),
        ("pint:billing-1*", &[EXACT, WILDCARD], None),
    ] {
        match (found(registered, Some(profile)).await, expected) {
            (Ok(found), Some(expected)) => assert_eq!(found, registration(expected), "{profile}"),
            (Err((code, message)), None) => {
                assert_eq!(code, Code::RecipientNotCapable);
                assert!(message.contains("the profile of the document"), "{message}");
            }
            (found, expected) => panic!("{profile} {registered:?}: {found:?}, {expected:?}"),
        }
    }
}
