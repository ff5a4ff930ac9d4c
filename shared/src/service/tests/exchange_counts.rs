//! The exchange counts for OpenPeppol, and the reports from them.

use jiff::SignedDuration;

use crate::{
    access::Caller,
    document::Operation::Invoice,
    peppol::{
        as4::Rule,
        identifiers::{DocumentType, Process},
        statistics::{Country, Direction, Month, Role},
    },
    service::{
        exchange_counts::{Reports, reports},
        sweep,
    },
    testing::{
        Arrival, BUYER, OUR_SEAT, Parcel, THEIR_SEAT, Takes, TestNetwork, World, accepted, invoice,
        send,
    },
    validate::validate,
};

const RECIPIENT: &str = "1001234502";

struct Scene {
    world: World,
    network: TestNetwork,
    sender: Caller,
}

impl Scene {
    async fn new() -> Scene {
        let (world, network) = World::live().await;
        let sender = world.caller("Falcon", "1001234501").await;
        world.subscribe(&sender.organization_id).await;
        world.caller("Oasis", BUYER).await;
        network.register(&format!("0235:{RECIPIENT}"));
        Scene { world, network, sender }
    }

    async fn sends(&self, number: &str) -> bool {
        let body = invoice(number, RECIPIENT);
        send(&self.world.sending, &self.sender, Invoice, &body, None).await.is_ok()
    }

    async fn comes(&self, parcel: &Parcel) -> Arrival {
        parcel.pack().arrive(&self.world.receiving()).await
    }

    /// The reports for the current month.
    async fn reports(&self) -> Reports {
        let month = Month::of(self.world.now());
        let reporter = OUR_SEAT.parse().unwrap();
        reports(&self.world.ctx.store, reporter, month).await.unwrap()
    }
}

#[tokio::test]
async fn what_a_receipt_confirmed_is_counted_and_reported() {
    let scene = Scene::new().await;
    for number in ["A-1", "A-2"] {
        assert!(scene.sends(number).await);
    }
    assert_eq!(scene.comes(&Parcel::invoice("B-1")).await, Arrival::Receipt);
    let status = accepted(&"unknown".parse().unwrap(), scene.world.now());
    assert_eq!(scene.comes(&Parcel::status(&status)).await, Arrival::Receipt);

    let Reports { transactions, end_users } = scene.reports().await;
    for report in [transactions.write(), end_users.write()] {
        let verdict = validate(&report).unwrap();
        assert!(verdict.is_valid() && verdict.findings.is_empty(), "{:?}", verdict.findings);
    }
    assert!(transactions.exchanges.iter().all(|it| it.provider.as_str() == THEIR_SEAT));
    let mut counted: Vec<_> = transactions
        .exchanges
        .iter()
        .map(|it| (it.direction == Direction::Outgoing, it.document_type.clone(), it.count))
        .collect();
    counted.sort_by_key(|(outgoing, kind, _)| (!outgoing, kind.to_string()));
    let expected = [
        (true, DocumentType::INVOICE, 2),
        (false, DocumentType::MESSAGE_LEVEL_STATUS, 1),
        (false, DocumentType::INVOICE, 1),
    ];
    assert_eq!(counted, expected);

    // Senders and receivers of statuses are providers, not end users.
    let mut users = end_users.users;
    users.sort_by_key(|user| user.id.clone());
    let actual: Vec<_> = users.iter().map(|user| (user.id.as_str(), user.role)).collect();
    let (sender, buyer) = ("0235:1001234501".to_owned(), format!("0235:{BUYER}"));
    let mut expected = vec![(sender.as_str(), Role::Sending), (&*buyer, Role::Receiving)];
    expected.sort_by_key(|(id, _)| (*id).to_owned());
    assert_eq!(actual, expected);
    assert!(
        users.iter().all(|user| user.process == Process::BILLING && user.country == Country::UAE)
    );
}

#[tokio::test]
async fn what_failed_or_may_have_arrived_is_not_counted() {
    let scene = Scene::new().await;
    scene.network.takes_first(&[Takes::AndHangsUp, Takes::CallsDuplicate]);
    assert!(!scene.sends("A-1").await);
    let (due, place) = scene.world.next_due().await.unwrap();
    scene.world.clock.advance(due.duration_since(scene.world.now()));
    sweep::take_up(&scene.world.relaying, &place).await;
    scene.world.work().await;
    scene.network.takes_first(&[Takes::Refuses(Rule::NotServiced)]);
    assert!(!scene.sends("A-2").await);
    assert_eq!(scene.world.exchanges().await, 0);
    let reports = scene.reports().await;
    assert_eq!((reports.transactions.exchanges, reports.end_users.users), (vec![], vec![]));
}

#[tokio::test]
async fn a_message_that_comes_again_counts_once() {
    let scene = Scene::new().await;
    let packed = Parcel::invoice("B-1").pack();
    for _ in 0..3 {
        assert_eq!(packed.arrive(&scene.world.receiving()).await, Arrival::Receipt);
    }
    assert_eq!(scene.world.exchanges().await, 1);
}

#[tokio::test]
async fn each_exchange_belongs_to_the_month_in_utc_in_which_it_was() {
    let scene = Scene::new().await;
    assert!(scene.sends("A-1").await);
    let before = Month::of(scene.world.now());
    scene.world.clock.advance(SignedDuration::from_hours(24 * 31));
    let after = Month::of(scene.world.now());
    assert_eq!(after.previous(), before);
    let count = async |month| {
        let reporter = OUR_SEAT.parse().unwrap();
        let reports = reports(&scene.world.ctx.store, reporter, month).await.unwrap();
        reports.transactions.exchanges.iter().map(|it| it.count).sum::<u64>()
    };
    assert_eq!((count(before).await, count(after).await), (1, 0));
}
