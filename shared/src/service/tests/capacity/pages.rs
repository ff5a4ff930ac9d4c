//! Pages of lists, among few items and among a million.

use super::*;

#[tokio::test]
async fn a_page_of_a_list_takes_at_most_seven_calls_among_ten_and_a_million() {
    let world = World::new().await;
    let caller = world.caller("Falcon", "1001234501").await;
    send(&world.sending, &caller, Invoice, &invoice("A-1", "1009999901"), None).await.unwrap();
    let like = world.documents().await.remove(0);
    let text = |text: &str| Some(text.to_owned());
    let any = Filter::default;
    let outbound = Some(Direction::Outbound);
    let inbound = Some(Direction::Inbound);
    // The filter, and whether one index has exactly its documents.
    let filters = [
        ("all", any(), true),
        ("outbound", Filter { direction: outbound, ..any() }, true),
        ("inbound: none", Filter { direction: inbound, ..any() }, true),
        ("invoices: half", Filter { document_type: Some(Invoice), ..any() }, false),
        ("credit notes: half", Filter { document_type: Some(CreditNote), ..any() }, true),
        ("self-billed: none", Filter { document_type: Some(SelfBilledInvoice), ..any() }, true),
        ("sent", Filter { status: Some(Status::Sent), ..any() }, false),
        ("accepted: three", Filter { status: Some(Status::Accepted), ..any() }, true),
        ("failed: none", Filter { status: Some(Status::Failed), ..any() }, true),
        ("received: none", Filter { status: Some(Status::Received), ..any() }, true),
        ("a number: none", Filter { number: text("B"), ..any() }, true),
        ("a source_id: none", Filter { source_id: text("B"), ..any() }, true),
        ("issued this century", Filter { issued_from: Some(date(2000, 1, 1)), ..any() }, true),
        ("issued in 2022: none", Filter { issued_to: Some(date(2022, 12, 31)), ..any() }, true),
        (
            "outbound credit notes: half",
            Filter { direction: outbound, document_type: Some(CreditNote), ..any() },
            false,
        ),
        (
            "inbound invoices: none",
            Filter { direction: inbound, document_type: Some(Invoice), ..any() },
            true,
        ),
        (
            "inbound credit notes: none",
            Filter { direction: inbound, document_type: Some(CreditNote), ..any() },
            false,
        ),
        (
            "failed, issued this century: none",
            Filter { status: Some(Status::Failed), issued_from: Some(date(2000, 1, 1)), ..any() },
            true,
        ),
        (
            "sent and inbound: impossible",
            Filter { status: Some(Status::Sent), direction: inbound, ..any() },
            true,
        ),
    ];
    let mut table = Vec::new();
    for count in COUNTS {
        let simulated = Simulated::documents(Mode::Sandbox, &like, count);
        let ctx = crate::service::Context { store: simulated.store(), ..world.ctx.clone() };
        for (row, (name, filter, whole)) in filters.iter().enumerate() {
            let page = async |asked: PageQuery<'_>| {
                let page = documents::list(&ctx, caller.reader(), filter, asked).await.unwrap();
                (page.items.len(), page.next_cursor)
            };
            let shards = match *name {
                "all" | "invoices: half" => 2 * LIST_SHARDS,
                // Documents of both directions that were issued when they were made have no other pointer.
                name if name.starts_with("issued") => 3 * LIST_SHARDS,
                // The claims of a number are read, too.
                name if name.starts_with("a number") => LIST_SHARDS + 1,
                _ => LIST_SHARDS,
            };
            add(
                &mut table,
                row,
                name,
                went_through(&simulated, (name, *whole), shards, page).await,
            );
        }
    }
    print_lists("documents", &table);
}

#[tokio::test]
async fn a_page_of_reports_takes_at_most_seven_calls_among_ten_and_among_a_million() {
    use reports::Filter;

    let world = World::unconnected().await;
    let caller = world.caller("Falcon", "1001234501").await;
    let (owner, organization) = (&caller.taxpayer.taxpayer_id, &caller.organization_id);
    let (direction, status) = (Direction::Outbound, TaxReportStatus::Reported);
    let (_, like) = world.reported(owner, organization, direction, status).await;
    let any = Filter::default;
    let of = |status| Filter { status: Some(status), ..any() };
    let refused = Some(TaxReportOutcome::NotCompliant);
    let filters = [
        ("all", any(), true),
        ("accepted: all but six", of(TaxReportStatus::Reported), true),
        ("due: none", of(TaxReportStatus::Due), true),
        ("submitted: three", of(TaxReportStatus::Submitted), true),
        ("refused: three", of(TaxReportStatus::NotCompliant), true),
        ("refused, by outcome: three", Filter { outcome: refused, ..any() }, true),
        ("failed: none", of(TaxReportStatus::Failed), true),
        ("those that submit: all", Filter { kind: Some(TaxReportKind::Submit), ..any() }, true),
        ("withdrawals: none", Filter { kind: Some(TaxReportKind::Withdraw), ..any() }, false),
    ];
    let mut table = Vec::new();
    for count in COUNTS {
        let simulated = Simulated::tax_reports(&like, count);
        let ctx = crate::service::Context { store: simulated.store(), ..world.ctx.clone() };
        for (row, (name, filter, whole)) in filters.iter().enumerate() {
            let page = async |asked: PageQuery<'_>| {
                let page = reports::list(&ctx, caller.reader(), filter, asked).await.unwrap();
                (page.items.len(), page.next_cursor)
            };
            add(
                &mut table,
                row,
                name,
                // Open reports are in two lists, and first reports are found by the pointers of sent documents.
                went_through(&simulated, (name, *whole), 3 * LIST_SHARDS, page).await,
            );
        }
    }
    print_lists("reports", &table);
}

#[tokio::test]
async fn a_page_of_events_takes_a_call_for_each_shard_and_one_more_among_ten_and_among_a_million() {
    let world = World::new().await;
    let caller = world.caller("Falcon", "1001234501").await;
    send(&world.sending, &caller, Invoice, &invoice("A-1", "1009999901"), None).await.unwrap();
    let like = world.events().await.remove(0);
    let any = EventFilter::default;
    let sent = Some(EventType::DocumentSent);
    let other = Some("txpay_1".parse().unwrap());
    let filters = [
        ("all", any(), true),
        ("of one type: half", EventFilter { event_type: sent, ..any() }, true),
        (
            "of another type: none",
            EventFilter { event_type: Some(EventType::DocumentReceived), ..any() },
            false,
        ),
        ("of another taxpayer: none", EventFilter { taxpayer_id: other, ..any() }, false),
        ("of the last hour", EventFilter { from: Some(hour_ago(&world)), ..any() }, true),
    ];
    let mut table = Vec::new();
    for count in COUNTS {
        let simulated = Simulated::events(&caller.organization_id, &like, count, world.now());
        let ctx = crate::service::Context { store: simulated.store(), ..world.ctx.clone() };
        for (row, (name, filter, whole)) in filters.iter().enumerate() {
            let page = async |asked: PageQuery<'_>| {
                let (mode, organization_id) = (caller.mode, &caller.organization_id);
                let page = list_events(&ctx, mode, organization_id, filter, asked).await.unwrap();
                (page.items.len(), page.next_cursor)
            };
            add(
                &mut table,
                row,
                name,
                went_through(&simulated, (name, *whole), EVENT_SHARDS, page).await,
            );
        }
    }
    print_lists("events", &table);
}

#[tokio::test]
async fn a_page_of_deliveries_takes_a_call_for_each_shard_and_one_more_among_ten_and_among_a_million()
 {
    let world = World::new().await;
    let like = include_str!("../../../store/fixtures/delivery.json");
    let like = serde_json::from_str(like).unwrap();
    let filters = [
        ("all", None, true),
        ("delivered: all but six", Some(DeliveryState::Delivered), true),
        ("failed: three", Some(DeliveryState::Failed), true),
        ("failing: none", Some(DeliveryState::Failing), true),
        ("pending: three, the newest", Some(DeliveryState::Pending), false),
        ("being delivered: none", Some(DeliveryState::Delivering), false),
    ];
    let mut table = Vec::new();
    for count in COUNTS {
        let simulated = Simulated::deliveries(&like, count, world.now());
        let ctx = crate::service::Context { store: simulated.store(), ..world.ctx.clone() };
        for (row, (name, state, whole)) in filters.iter().enumerate() {
            let page = async |asked: PageQuery<'_>| {
                let DeliveryRecord { mode, organization_id, endpoint_id, .. } = &like;
                let (owner, id) = (organization_id, endpoint_id);
                let page = deliveries_to_endpoint(&ctx, *mode, owner, id, *state, asked).await;
                let Page { items, next_cursor } = page.unwrap();
                (items.len(), next_cursor)
            };
            add(
                &mut table,
                row,
                name,
                went_through(&simulated, (name, *whole), EVENT_SHARDS, page).await,
            );
        }
    }
    print_lists("deliveries", &table);
}

fn hour_ago(world: &World) -> Timestamp {
    world.now() - SignedDuration::from_hours(1)
}

/// The sizes of the lists.
const COUNTS: [usize; 3] = [10, 10_000, 1_000_000];

/// The maximum of requests for one list. Two queries that read 8,000 of a million pointers need no more.
const MOST_REQUESTS: usize = 130;

/// Reads a list to its end, or until a hundred items are found, or for [`MOST_REQUESTS`] requests. Returns the count of
/// requests, the most calls of one request, and the count of items. A list with its own index has `whole` pages. One
/// that joins two filters advances however little it finds.
async fn went_through(
    simulated: &Simulated,
    (name, whole): (&str, bool),
    shards: u8,
    page: impl AsyncFn(PageQuery<'_>) -> (usize, Option<String>),
) -> [usize; 3] {
    let cursors = CursorKey::new(StoredSecret("fedcba9876543210fedcba9876543210"));
    let (mut cursor, mut found, mut requests, mut most): (Option<String>, _, _, _) =
        (None, 0, 0, 0);
    loop {
        let asked = PageQuery { cursors: &cursors, cursor: cursor.as_deref(), limit: 20 };
        let (items, next) = page(asked).await;
        let calls = simulated.take().len();
        assert!(calls <= usize::from(shards) + 1, "{name}: {calls} calls");
        (found, requests, most) = (found + items, requests + 1, most.max(calls));
        cursor = next;
        if cursor.is_none() || found >= 100 || requests == MOST_REQUESTS {
            return [requests, most, found];
        }
        assert!(!whole || items == 20, "{name}: {items} on a page that is not the last");
    }
}

/// Adds the figures of a list to a row of the table.
fn add(table: &mut Vec<String>, row: usize, name: &str, [requests, most, found]: [usize; 3]) {
    if table.len() == row {
        table.push(format!("{name:36}"));
    }
    table[row].push_str(&format!("{requests:8} {most:5} {found:5}"));
}

fn print_lists(what: &str, table: &[String]) {
    println!(
        "\nlists: requests to the end or until 100 are found, 130 at most; most calls of one; how many were found"
    );
    let [ten, thousands, million] = COUNTS;
    println!("{what:36}{ten:>20}{thousands:>20}{million:>20}");
    table.iter().for_each(|line| println!("{line}"));
}
