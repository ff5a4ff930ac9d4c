//! Every use case at every crash point (see `testing/crash.rs`). A new use case needs one line here, or a test of its
//! own with "mishaps" in its name.

mod accounts;
mod cards;

use jiff::SignedDuration;

use super::{
    archives, billing_events, billing_reconciled, imports, members, oauth, onboarding, parking,
    peppol_reports, retirement, taxpayers, usage,
};
use crate::{
    service::{relay, sweep},
    testing::{
        Process, Scene,
        SendKind::{self, Keyed, Queued, Unkeyed},
        Tally, enumerate, enumerate_live,
    },
    webhook::receiver::Behaviour,
};

/// Relays the marked jobs in a process that may die.
async fn relay_marked(scene: &Scene, process: &Process) {
    for place in scene.world.marked().await {
        let _ = relay::Batch::new(&process.relaying).relay(&place, None).await;
    }
}

/// Relays the next due job, as the sweeper does.
async fn take_up(scene: &Scene, process: &Process) {
    let (_, place) = scene.world.next_due().await.unwrap();
    sweep::take_up(&process.relaying, &place).await;
}

/// A send in a healthy world, with its queues processed up to `stages`.
async fn sent(scene: &Scene, kind: SendKind, stages: &[&str]) {
    let process = scene.world.healthy();
    scene.send(&process, kind).await;
    for queue in stages {
        scene.world.stream().await;
        assert!(scene.work(&process, queue).await);
    }
}

/// Like [`sent`], then relays the marked jobs.
async fn relayed(scene: &Scene, kind: SendKind, stages: &[&str]) {
    sent(scene, kind, stages).await;
    scene.world.stream().await;
}

#[tokio::test]
async fn whatever_is_sent_survives_every_mishap_at_every_effect() {
    let nothing = async |_: &Scene| {};
    let lost = async |s: &Scene| {
        sent(s, Keyed, &[]).await;
        s.world.clock.advance(SignedDuration::from_secs(60));
    };
    let refused = async |s: &Scene| {
        relayed(s, Keyed, &[]).await;
        s.receiver.behave(Behaviour::status("500 Internal Server Error", "", ""));
    };
    let deliver = async |s: &Scene, p: &Process| assert!(s.work(p, "deliver").await);
    let tallies = [
        enumerate("send with a key", nothing, async |s, p| s.send(p, Keyed).await).await,
        enumerate("send without a key", nothing, async |s, p| s.send(p, Unkeyed).await).await,
        enumerate("queued send", nothing, async |s, p| s.send(p, Queued).await).await,
        enumerate("relay to convert", async |s| sent(s, Queued, &[]).await, relay_marked).await,
        enumerate(
            "convert",
            async |s| relayed(s, Queued, &[]).await,
            async |s, p| assert!(s.work(p, "convert").await),
        )
        .await,
        enumerate("relay to dispatch", async |s| sent(s, Queued, &["convert"]).await, relay_marked)
            .await,
        enumerate(
            "dispatch",
            async |s| relayed(s, Queued, &["convert"]).await,
            async |s, p| assert!(s.work(p, "dispatch").await),
        )
        .await,
        enumerate_live("Live send", nothing, async |s, p| s.send(p, SendKind::Live).await).await,
        enumerate_live(
            "Live dispatch",
            async |s| relayed(s, SendKind::LiveQueued, &["convert"]).await,
            async |s, p| assert!(s.work(p, "dispatch").await),
        )
        .await,
        enumerate("relay of events", async |s| sent(s, Keyed, &[]).await, relay_marked).await,
        enumerate("sweep of an event", lost, take_up).await,
        enumerate("deliver", async |s| relayed(s, Keyed, &[]).await, deliver).await,
        enumerate("deliver to one that refuses", refused, deliver).await,
    ];
    assert_exact(&tallies);
}

#[tokio::test]
async fn what_people_and_businesses_do_survives_every_mishap_at_every_effect() {
    let mut tallies = Box::pin(taxpayers::tallies()).await;
    tallies.extend(Box::pin(oauth::tallies()).await);
    tallies.extend(Box::pin(onboarding::tallies()).await);
    tallies.extend(Box::pin(members::tallies()).await);
    assert_exact(&tallies);
}

#[tokio::test]
async fn what_accounts_and_archives_do_survives_every_mishap_at_every_effect() {
    let mut tallies = Box::pin(accounts::tallies()).await;
    tallies.extend(Box::pin(cards::tallies()).await);
    tallies.extend(Box::pin(archives::tallies()).await);
    tallies.extend(Box::pin(retirement::tallies()).await);
    tallies.extend(Box::pin(imports::tallies()).await);
    assert_exact(&tallies);
}

#[tokio::test]
async fn what_is_counted_billed_and_parked_survives_every_mishap_at_every_effect() {
    let mut tallies = Box::pin(billing_events::tallies()).await;
    tallies.extend(Box::pin(peppol_reports::tallies()).await);
    tallies.extend(Box::pin(usage::tallies()).await);
    tallies.push(Box::pin(billing_reconciled::tally()).await);
    tallies.extend(Box::pin(parking::tallies()).await);
    assert_exact(&tallies);
}

fn assert_exact(tallies: &[Tally]) {
    let sum = |of: fn(&Tally) -> usize| tallies.iter().map(of).sum::<usize>();
    let (points, lost, doubled) = (sum(|t| t.points), sum(|t| t.lost), sum(|t| t.doubled));
    assert_eq!((lost, doubled), (0, 0), "of {points} points");
}
