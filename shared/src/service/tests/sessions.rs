//! Sessions: their duration, their end, and the cost of a check. Each test quotes its lines of ASVS 5 (V7).

use aws_sdk_dynamodb::types::AttributeValue;
use jiff::SignedDuration;

use crate::{
    access::{Action, AuditRecord, By, Origin, TaxpayerStatus},
    service::sessions::{self, ABSOLUTE, IDLE, SEEN_EVERY, SessionToken},
    store::keys,
    testing::{Fault, Faults, World},
    types::{Mode, TaxpayerId},
};

fn origin() -> Origin {
    Origin::new(Some("192.0.2.1".to_owned()), Some("curl/8"), Some("r-1".to_owned()))
}

async fn signed_in(world: &World, token: &SessionToken) -> Option<TaxpayerId> {
    let signed_in = sessions::current(&world.ctx, world.mode, token).await.unwrap();
    signed_in.and_then(sessions::CurrentSession::taxpayer).map(|it| it.taxpayer.taxpayer_id)
}

async fn begun(world: &World) -> (TaxpayerId, SessionToken) {
    let id = world.onboarded("Falcon", "1001234501").await.taxpayer_id;
    let token = sessions::begin(&world.ctx, world.mode, &id, origin()).await.unwrap();
    (id, token)
}

// 7.3.1: "Verify that there is an inactivity timeout such that re-authentication is enforced according to risk analysis
// and documented security decisions."
#[tokio::test]
async fn a_session_that_is_not_used_for_half_an_hour_is_over() {
    let world = World::new().await;
    let (id, token) = begun(&world).await;
    for _ in 0..3 {
        world.clock.advance(IDLE - SignedDuration::from_secs(1));
        assert_eq!(signed_in(&world, &token).await.as_ref(), Some(&id));
    }
    world.clock.advance(IDLE);
    assert_eq!(signed_in(&world, &token).await, None);
    // A request does not revive it.
    assert_eq!(signed_in(&world, &token).await, None);
}

// 7.3.2: "Verify that there is an absolute maximum session lifetime such that re-authentication is enforced according
// to risk analysis and documented security decisions."
#[tokio::test]
async fn a_session_that_is_used_all_day_is_over_after_twelve_hours() {
    let world = World::new().await;
    let (id, token) = begun(&world).await;
    let steps = ABSOLUTE.as_mins() / 10;
    for _ in 1..steps {
        world.clock.advance(SignedDuration::from_mins(10));
        assert_eq!(signed_in(&world, &token).await.as_ref(), Some(&id));
    }
    world.clock.advance(SignedDuration::from_mins(10));
    assert_eq!(signed_in(&world, &token).await, None);
}

// 7.4.1: "Verify that logout and expiration terminate the user's session, such that the back button or a downstream
// relying party cannot resume an authenticated session."
#[tokio::test]
async fn a_session_that_was_ended_is_over_and_the_others_stand() {
    let world = World::new().await;
    let (id, token) = begun(&world).await;
    let other = sessions::begin(&world.ctx, world.mode, &id, origin()).await.unwrap();
    for _ in 0..2 {
        sessions::end(&world.ctx, world.mode, &token, origin()).await.unwrap();
        assert_eq!(signed_in(&world, &token).await, None);
    }
    assert_eq!(signed_in(&world, &other).await, Some(id));
}

// 7.4.3: "Verify that the application gives the option to terminate all other active sessions after a successful change
// or removal of any authentication factor". 7.4.5: "Verify that application administrators are able to terminate active
// sessions for an individual user or for all users."
#[tokio::test]
async fn all_sessions_of_a_taxpayer_end_at_once_and_those_of_others_stand() {
    let world = World::new().await;
    let (id, first) = begun(&world).await;
    let second = sessions::begin(&world.ctx, world.mode, &id, origin()).await.unwrap();
    let oasis = world.onboarded("Oasis", "1009876543").await.taxpayer_id;
    let theirs = sessions::begin(&world.ctx, world.mode, &oasis, origin()).await.unwrap();
    sessions::end_all(&world.ctx, world.mode, &id, &By::operator()).await.unwrap();
    assert_eq!((signed_in(&world, &first).await, signed_in(&world, &second).await), (None, None));
    assert_eq!(signed_in(&world, &theirs).await, Some(oasis));
    let later = sessions::begin(&world.ctx, world.mode, &id, origin()).await.unwrap();
    assert_eq!(signed_in(&world, &later).await, Some(id));
}

// 7.4.2: "Verify that the application terminates all active sessions when a user account is disabled or deleted (such
// as an employee leaving the company)."
#[tokio::test]
async fn the_sessions_of_a_taxpayer_that_is_suspended_are_over() {
    let world = World::new().await;
    let (id, token) = begun(&world).await;
    let statuses = [
        (TaxpayerStatus::Suspended, false),
        (TaxpayerStatus::Reverification, true),
        (TaxpayerStatus::Deregistered, false),
        (TaxpayerStatus::Onboarding, true),
        (TaxpayerStatus::Active, true),
    ];
    for (status, stays) in statuses {
        let pk = keys::taxpayer(world.mode, &id);
        let word = AttributeValue::S(status.as_str().to_owned());
        world.set(&pk, keys::PROFILE, "status", word).await;
        assert_eq!(signed_in(&world, &token).await.is_some(), stays, "{status:?}");
    }
}

// 7.2.2: "Verify that the application uses either self-contained or reference tokens that are dynamically generated for
// session management, i.e. not using static API secrets and keys."
//
// 7.2.4: "Verify that the application generates a new session token on user authentication, including
// re-authentication, and terminates the current session token." The sign-in ends the current session.
#[tokio::test]
async fn every_session_has_a_token_of_its_own_and_is_of_one_mode() {
    let world = World::new().await;
    let (id, token) = begun(&world).await;
    let again = sessions::begin(&world.ctx, world.mode, &id, origin()).await.unwrap();
    assert_ne!(token.reveal(), again.reveal());
    assert_eq!(sessions::current(&world.ctx, Mode::Live, &token).await.unwrap(), None);
    let unknown = SessionToken::generate(&*world.ctx.random);
    assert_eq!(signed_in(&world, &unknown).await, None);
}

#[tokio::test]
async fn the_table_holds_the_hash_of_a_token_and_not_the_token() {
    let world = World::new().await;
    let (_, token) = begun(&world).await;
    let everything = format!("{:?}", world.raw_items("").await);
    assert!(everything.contains(token.hash().as_str()));
    assert!(!everything.contains(token.reveal()));
    let items = world.raw_items("SESSION").await;
    let gone_at: i64 = items[0]["ttl"].as_n().unwrap().parse().unwrap();
    assert_eq!(gone_at, (world.now() + ABSOLUTE).as_second());
}

// 7.5.2: "Verify that users are able to view and (having authenticated again with at least one factor) terminate any or
// all currently active sessions."
#[tokio::test]
async fn the_sessions_that_stand_are_listed_and_each_can_be_ended_by_its_taxpayer_alone() {
    let world = World::new().await;
    let (id, first) = begun(&world).await;
    world.clock.advance(SignedDuration::from_mins(20));
    let second = sessions::begin(&world.ctx, world.mode, &id, origin()).await.unwrap();
    let oasis = world.onboarded("Oasis", "1009876543").await.taxpayer_id;
    let theirs = sessions::begin(&world.ctx, world.mode, &oasis, origin()).await.unwrap();
    let open = async || {
        let open = sessions::list(&world.ctx, world.mode, &id).await.unwrap();
        assert!(open.iter().all(|(_, it)| it.user_agent.as_deref() == Some("curl/8")));
        open.into_iter().map(|(session, _)| session).collect::<Vec<_>>()
    };
    assert_eq!(open().await, [second.hash(), first.hash()], "the one used last first");
    let end = async |session: &SessionToken| {
        sessions::end_one(&world.ctx, world.mode, &id, &session.hash(), origin()).await.unwrap();
    };
    end(&theirs).await;
    assert_eq!(signed_in(&world, &theirs).await, Some(oasis));
    end(&second).await;
    assert_eq!(signed_in(&world, &second).await, None);
    assert_eq!(open().await, [first.hash()]);
    world.clock.advance(SignedDuration::from_mins(10));
    assert_eq!(open().await, [], "not used for half an hour");
    let third = sessions::begin(&world.ctx, world.mode, &id, origin()).await.unwrap();
    assert_eq!(open().await, [third.hash()]);
    sessions::end_all(&world.ctx, world.mode, &id, &By::operator()).await.unwrap();
    assert_eq!(open().await, []);
}

#[tokio::test]
async fn the_trail_of_a_taxpayer_tells_of_its_sessions_and_from_where_they_were() {
    let world = World::new().await;
    let (id, token) = begun(&world).await;
    world.clock.advance(SignedDuration::from_mins(1));
    for _ in 0..2 {
        sessions::end(&world.ctx, world.mode, &token, origin()).await.unwrap();
    }
    world.clock.advance(SignedDuration::from_mins(1));
    sessions::end_all(&world.ctx, world.mode, &id, &By::operator()).await.unwrap();
    let mut trail: Vec<AuditRecord> = world.items("aud_").await;
    trail.sort_by_key(|entry| entry.at);
    let recorded = trail.iter().map(|it| (it.action, it.subject.as_str(), it.ip.as_deref()));
    let session = token.hash().as_str().to_owned();
    // A session that has ended is not ended again.
    assert_eq!(
        recorded.collect::<Vec<_>>(),
        [
            (Action::SignInSucceeded, session.as_str(), Some("192.0.2.1")),
            (Action::SessionEnded, session.as_str(), Some("192.0.2.1")),
            (Action::SessionEnded, id.as_str(), None),
        ]
    );
    assert!(trail.iter().all(|entry| entry.trail.to_string() == id.as_str()));
}

#[tokio::test]
async fn looking_at_a_session_takes_two_round_trips_and_three_requests_at_most() {
    let world = World::new().await;
    let (_, token) = begun(&world).await;
    let metered = world.metered();
    let look = async || {
        let signed_in = sessions::current(&metered.sending.ctx, world.mode, &token).await.unwrap();
        assert!(signed_in.is_some());
        metered.meter.take().calls
    };
    assert_eq!(look().await, ["GetItem", "BatchGetItem"]);
    world.clock.advance(SEEN_EVERY - SignedDuration::from_secs(1));
    assert_eq!(look().await, ["GetItem", "BatchGetItem"]);
    world.clock.advance(SignedDuration::from_secs(1));
    // The use is recorded concurrently with the second read.
    let mut noted = look().await;
    assert_eq!(noted.remove(0), "GetItem");
    noted.sort();
    assert_eq!(noted, ["BatchGetItem", "UpdateItem"]);
    assert_eq!(look().await, ["GetItem", "BatchGetItem"], "noted for the next five minutes");
    let unknown = SessionToken::generate(&*world.ctx.random);
    sessions::current(&metered.sending.ctx, world.mode, &unknown).await.unwrap();
    assert_eq!(metered.meter.take().calls, ["GetItem"]);
}

#[tokio::test]
async fn nobody_is_signed_in_by_a_table_that_does_not_answer() {
    let world = World::new().await;
    let (id, token) = begun(&world).await;
    for from in [0, 1] {
        let failing = world.failing(&Faults::new(Fault::Before, from, usize::MAX));
        let ctx = failing.sending.ctx;
        assert!(sessions::current(&ctx, world.mode, &token).await.is_err(), "{from}");
    }
    // If the use cannot be recorded, the session stays active.
    world.clock.advance(SEEN_EVERY);
    let failing = world.failing(&Faults::only("UpdateItem", Fault::Before));
    let current = sessions::current(&failing.sending.ctx, world.mode, &token).await.unwrap();
    assert_eq!(current.unwrap().holder().as_str(), id.as_str());
}
