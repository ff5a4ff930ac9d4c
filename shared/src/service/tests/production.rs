//! Live as it is deployed: parameters of the template's defaults, hard-fail, names that lead to public addresses, https alone but
//! for the lists that authorities sign, and our key in KMS. Names are mapped to servers on loopback; nothing else differs.

use super::live::{RECIPIENT, Scene};
use crate::{
    error::Code,
    peppol::pki::testing::Flaw,
    store::Status,
    testing::{Publishes, World},
};

async fn deployed() -> Scene {
    let (world, network) = World::deployed().await;
    let sender = world.caller("Falcon", "1001234501").await;
    world.subscribe(&sender.organization_id).await;
    network.register(&format!("0235:{RECIPIENT}"));
    Scene { world, network, sender }
}

/// The certificates of SMP, access point and receipt are checked against lists that are fetched from `http:` addresses.
#[tokio::test]
async fn a_document_is_sent_with_the_settings_of_production() {
    let scene = deployed().await;
    let sent = scene.send("A-1", None).await.unwrap();
    assert_eq!(sent.reply.status, 201, "{sent:?}");
    assert_eq!(scene.document().await.status, Status::Sent);
    assert!(scene.transmission(&scene.document().await.document_id).await.receipt.is_some());
}

#[tokio::test]
async fn a_queued_document_is_sent_with_the_settings_of_production() {
    let scene = deployed().await;
    scene.queue(1).await;
    scene.world.settle().await;
    assert_eq!(scene.document().await.status, Status::Sent);
}

#[tokio::test]
async fn a_revoked_certificate_is_refused_with_the_settings_of_production() {
    let scene = deployed().await;
    scene.network.publishes(Publishes::Flawed(Flaw::Revoked));
    let failure = scene.send("A-1", None).await.unwrap_err();
    assert_eq!(failure.code, Code::RecipientRegistrationDefective, "{failure:?}");
    assert!(scene.world.documents().await.is_empty());
}

/// "Hard-fail": what cannot be checked is not trusted.
#[tokio::test]
async fn without_the_lists_of_the_authorities_nothing_is_sent_with_the_settings_of_production() {
    let scene = deployed().await;
    // Public, and nobody is there.
    scene.network.internet.leads("crl.one.nl.digicert.com", "93.184.215.250");
    let failure = scene.send("A-1", None).await.unwrap_err();
    assert_eq!(failure.code, Code::RecipientLookupFailed, "{failure:?}");
    assert!(scene.world.documents().await.is_empty());
}
