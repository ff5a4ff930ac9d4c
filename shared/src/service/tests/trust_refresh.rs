//! Scheduled work for the network.

use jiff::SignedDuration;

use crate::{
    peppol::pki::testing::{AP_CRL, PKI, SMP_CRL},
    service::{
        RefreshingTrust,
        trust_refresh::{TrustRefreshed, refresh_trust},
    },
    testing::World,
};

#[tokio::test]
async fn a_refresh_of_trust_says_how_long_our_certificates_hold_and_which_list_cannot_be_had() {
    let (world, _) = World::live().await;
    let connection = world.sending.live.as_ref().unwrap().connection.clone();
    let refreshing = RefreshingTrust { ctx: world.ctx.clone(), connection: Some(connection) };
    let left = PKI.seat("PAE000001").certificate.expires_in(world.now());
    let days = left.as_hours() / 24;
    // There is no server for the lists that the test PKI's certificates name.
    let missing = vec![AP_CRL.to_owned(), SMP_CRL.to_owned()];
    let refreshed = TrustRefreshed { days_left: Some(days), missing };
    assert_eq!(refresh_trust(&refreshing).await.unwrap(), Some(refreshed.clone()));

    world.clock.advance(left + SignedDuration::from_secs(1));
    let ended = TrustRefreshed { days_left: Some(-1), ..refreshed };
    assert_eq!(refresh_trust(&refreshing).await.unwrap(), Some(ended));
}

#[tokio::test]
async fn a_deployment_that_is_not_connected_has_nothing_to_keep_up() {
    let world = World::new().await;
    let refreshing = RefreshingTrust { ctx: world.ctx.clone(), connection: None };
    assert_eq!(refresh_trust(&refreshing).await.unwrap(), None);
}
