//! Reports that wait for an authority, for room, or for their turn.

use super::*;

#[tokio::test]
async fn without_an_authority_tax_reports_are_made_and_wait() {
    let scene = Scene::with("A-1").await;
    let unset = TaxReporting { authority: None, ..scene.world.tax_reporting() };
    scene.work_with(&unset).await;
    for _ in 0..60 {
        scene.world.clock.advance(hours(1));
        sweep::sweep(&scene.world.relaying).await;
        scene.work_with(&unset).await;
    }
    let waiting = scene.only().await;
    assert_eq!((waiting.status, waiting.begun_at), (TaxReportStatus::Due, None));
    assert_eq!((scene.parked().await, scene.authority.came()), (0, 0));
    // Once an authority is configured, the report is sent, however long that took.
    scene.pass(hours(1)).await;
    let sent = scene.only().await;
    assert_eq!(sent.status, TaxReportStatus::Submitted);
    // Its verdict finds it for 100 days from then on.
    let named = scene.world.expiries("OUTBOUND").await.into_iter().filter_map(|(_, at)| at).max();
    let until = sent.begun_at.unwrap() + hours(100 * 24);
    assert_eq!(named, Some(until.as_second()));
}

#[tokio::test]
async fn a_report_before_an_authority_without_room_waits_visibly_however_long_that_lasts() {
    let scene = Scene::with("A-1").await;
    let (ctx, address) = (&scene.world.ctx, scene.authority.address());
    let (network, _) = scene.world.sending.network().await.unwrap();
    let taken = network.receivers.all_places(ctx, Mode::Live, &address).await;
    scene.work().await;
    let transmission = async || {
        let TaxReportRecord { taxpayer_id, report_id, .. } = scene.only().await;
        ctx.store.get_tax_report_transmission(&taxpayer_id, &report_id).await.unwrap().unwrap()
    };
    let [attempt] = &transmission().await.attempts[..] else { panic!("it is recorded once") };
    assert_eq!(attempt.outcome, Some(AttemptOutcome::Held));
    for _ in 0..5 {
        scene.pass(hours(11)).await;
    }
    let waiting = scene.only().await;
    assert_eq!((waiting.status, transmission().await.attempts.len()), (TaxReportStatus::Filing, 1));
    assert_eq!(scene.authority.came(), 0);
    drop(taken);
    for _ in 0..5 {
        scene.pass(hours(1)).await;
    }
    assert_eq!(scene.only().await.status, TaxReportStatus::Submitted);
}

#[tokio::test]
async fn a_report_ends_after_48_hours_of_attempts_and_the_hours_before_the_first_do_not_count() {
    let scene = Scene::with("A-1").await;
    let (ctx, address) = (&scene.world.ctx, scene.authority.address());
    let (network, _) = scene.world.sending.network().await.unwrap();
    let taken = network.receivers.all_places(ctx, Mode::Live, &address).await;
    scene.work().await;
    for _ in 0..2 {
        scene.pass(hours(15)).await;
    }
    let until = scene.world.now();
    drop(taken);
    // No connection is accepted. The breaker is open between the attempts.
    scene.authority.guard(|| Fate::Refused);
    while scene.only().await.status == TaxReportStatus::Filing {
        scene.pass(hours(1)).await;
    }
    let ended = scene.only().await;
    let transmission =
        ctx.store.get_tax_report_transmission(&ended.taxpayer_id, &ended.report_id).await.unwrap();
    let attempts = transmission.unwrap().attempts.into_iter();
    let attempts: Vec<_> = attempts.filter(|it| it.outcome != Some(AttemptOutcome::Held)).collect();
    assert!(attempts.len() >= 10, "{attempts:?}");
    assert!(attempts[0].started_at >= until);
    let lasted = ended.updated_at.duration_since(attempts[0].started_at);
    assert!((hours(46)..=hours(50)).contains(&lasted), "{lasted:?}");
}

#[tokio::test]
async fn tax_reports_go_at_the_rate_that_is_set_and_the_oldest_first() {
    let scene = Scene::new().await;
    let slow = TaxReporting {
        pace: Pace::new(SignedDuration::from_secs(10)),
        ..scene.world.tax_reporting()
    };
    for number in 0..5 {
        scene.send(&format!("A-{number}"), NOBODY).await;
        scene.world.clock.advance(SignedDuration::from_millis(1));
    }
    let mut went = Vec::new();
    let begun = scene.world.now();
    scene.world.stream().await;
    let mut messages: Vec<ReportMessage> =
        scene.world.cloud.receive("report").iter().map(|message| message.read()).collect();
    messages.sort_by(|a, b| a.report_id.cmp(&b.report_id));
    for message in &messages {
        job::run(&slow, message).await.unwrap();
    }
    went.push(scene.reports().len());
    for _ in 0..4 {
        scene.world.clock.advance(SignedDuration::from_secs(10));
        // The queue brings each report at its turn.
        for message in &messages {
            job::run(&slow, message).await.unwrap();
        }
        went.push(scene.reports().len());
    }
    assert_eq!(went, [1, 2, 3, 4, 5], "from {begun}");
    let mut tax_reports = scene.tax_reports().await;
    tax_reports.sort_by_key(|tax_report| tax_report.submitted_at);
    let ids: Vec<_> = tax_reports.iter().map(|tax_report| tax_report.report_id.clone()).collect();
    assert!(ids.is_sorted(), "{ids:?}");
}

#[tokio::test]
async fn a_turn_that_was_missed_is_given_again() {
    let scene = Scene::with("A-1").await;
    let interval = SignedDuration::from_secs(60);
    let slow = TaxReporting { pace: Pace::new(interval), ..scene.world.tax_reporting() };
    let taken = async || {
        let now = scene.world.now();
        let request =
            TurnRequest { count: 1, interval, until: later(now, interval), running: true };
        scene.world.ctx.store.lease_turns(0, now, request).await.unwrap()
    };
    taken().await;
    scene.world.stream().await;
    let [message] = scene.world.cloud.receive("report").try_into().unwrap();
    job::run(&slow, &message.read()).await.unwrap();
    let [again] = scene.world.cloud.receive("report").try_into().unwrap();
    assert_eq!((again.delay_seconds, again.body.clone()), (60, message.body));
    let turn = scene.only().await.turn;
    let next = later(scene.world.now(), interval);
    assert_eq!(turn.map(|it| it.as_second()), Some(next.as_second()));
    // The function was down: reports that missed their turns together are not sent together.
    scene.world.clock.advance(hours(1));
    taken().await;
    job::run(&slow, &again.read()).await.unwrap();
    assert!(scene.reports().is_empty());
    assert!(scene.only().await.turn > turn);
}

#[tokio::test]
async fn a_report_that_finds_no_turn_within_the_delay_of_a_queue_waits_without_one() {
    let scene = Scene::with("A-1").await;
    let interval = SignedDuration::from_secs(60);
    let slow = TaxReporting { pace: Pace::new(interval), ..scene.world.tax_reporting() };
    let now = scene.world.now();
    let lease = TurnRequest { count: 30, interval, until: now, running: false };
    scene.world.ctx.store.lease_turns(0, now, lease).await.unwrap();
    scene.world.stream().await;
    let [message] = scene.world.cloud.receive("report").try_into().unwrap();
    let message: ReportMessage = message.read();
    job::run(&slow, &message).await.unwrap();
    assert!(scene.world.cloud.receive("report").is_empty());
    let (due, _) = scene.world.next_tax_report().await.unwrap();
    // Half of the turns that a queue reaches are free then: 30 minutes are taken, and a queue reaches 14.
    let waits = due.duration_since(now);
    let (least, most) = (SignedDuration::from_mins(23), SignedDuration::from_mins(24));
    assert!((least..=most).contains(&waits), "{waits:?}");
    assert_eq!(scene.only().await.turn, None);
    scene.world.clock.advance(most);
    job::run(&slow, &message).await.unwrap();
    let turn = scene.only().await.turn.unwrap();
    assert_eq!(turn.as_second(), later(now, interval * 30).as_second());
}
