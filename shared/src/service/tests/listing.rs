//! Lists, cursors, filters and visibility.

use std::collections::{BTreeSet, HashMap};

use aws_sdk_dynamodb::types::AttributeValue;
use jiff::{SignedDuration, civil::date};
use serde_json::json;

use crate::{
    access::{Caller, Scope},
    document::Operation::{Invoice, SelfBilledInvoice},
    error::{Code, Failure, Finding},
    service::{
        convert::Convert,
        dispatch::Dispatch,
        documents::{Filter, get, list},
        job,
        page::Page,
    },
    store::{
        Direction, DocumentRecord, EarlierUses, Effects, First, Recording, Selection, Status,
        keys::Index,
    },
    testing::{Fault, Faults, World, invoice, party, send, send_queued, ubl},
    types::{DocumentId, MessageId, uae_date},
};

async fn page(
    world: &World,
    caller: &Caller,
    filter: &Filter,
    cursor: Option<&str>,
    limit: u8,
) -> Result<Page<DocumentRecord>, Failure> {
    list(&world.ctx, caller.reader(), filter, world.asked(cursor, limit)).await
}

async fn numbers(world: &World, caller: &Caller, filter: &Filter, limit: u8) -> Vec<String> {
    let mut found = Vec::new();
    let mut cursor = None;
    loop {
        let next = page(world, caller, filter, cursor.as_deref(), limit).await.unwrap();
        assert!(next.items.len() <= usize::from(limit));
        found.extend(next.items.into_iter().map(|document| document.number));
        cursor = next.next_cursor;
        if cursor.is_none() {
            return found;
        }
    }
}

#[tokio::test]
async fn every_document_is_listed_once_newest_first_whatever_the_page_size() {
    let world = World::new().await;
    let caller = world.caller("Falcon", "1001234501").await;
    let mut expected = Vec::new();
    for i in 0..23 {
        world.clock.advance(SignedDuration::from_millis(1));
        let number = format!("A-{i}");
        let body = invoice(&number, "1009999901");
        send(&world.sending, &caller, Invoice, &body, None).await.unwrap();
        expected.insert(0, number);
    }
    for limit in [1, 2, 7, 22, 23, 24, 100] {
        assert_eq!(numbers(&world, &caller, &Filter::default(), limit).await, expected);
    }
}

#[tokio::test]
async fn documents_are_listed_by_issue_date_whether_or_not_they_were_made_on_that_day() {
    let world = World::new().await;
    let caller = world.caller("Falcon", "1001234501").await;
    for number in 0..32 {
        world.clock.advance(SignedDuration::from_hours(3));
        let mut body = invoice(&format!("A-{number}"), "1009999901");
        let days_ago = [0, 0, 1, 2][number % 4];
        body["issue_date"] =
            json!(uae_date(world.now() - SignedDuration::from_hours(24 * days_ago)));
        send(&world.sending, &caller, Invoice, &body, None).await.unwrap();
    }
    let mut documents = world.documents().await;
    documents.sort_by_key(|it| (it.issue_date, it.document_id.to_string()));
    let pointers = world.raw_items("2026-").await.len();
    let days = documents.iter().map(|it| it.issue_date).collect::<BTreeSet<_>>();
    assert_eq!((documents.len(), pointers, days.len()), (32, 16, 6));
    let ends = days.iter().copied().map(Some).chain([None]);
    let ranges = ends.clone().flat_map(|from| ends.clone().map(move |to| (from, to)));
    for (range, first) in ranges.flat_map(|it| [(it, First::Earliest), (it, First::Latest)]) {
        let is_within =
            |day| range.0.is_none_or(|it| it <= day) && range.1.is_none_or(|it| day <= it);
        let expected = documents.iter().filter(|it| is_within(it.issue_date));
        let mut expected: Vec<_> = expected.map(|it| it.number.clone()).collect();
        if first == First::Latest {
            expected.reverse();
        }
        let selection = Selection {
            index: Some(Index::Issued),
            direction: None,
            operation: None,
            issued: range,
            created: (None, None),
            first,
        };
        for limit in [1, 3, 100] {
            let (mut found, mut from) = (Vec::new(), None);
            loop {
                let (store, owner) = (&world.ctx.store, &caller.taxpayer.taxpayer_id);
                let page =
                    store.list_documents(caller.mode, owner, &selection, from.as_ref(), limit);
                let page = page.await.unwrap();
                found.extend(page.items.into_iter().map(|(document, _)| document.number));
                from = page.next;
                if from.is_none() {
                    break;
                }
            }
            assert_eq!(found, expected, "{range:?} {first:?} {limit}");
        }
    }
}

#[tokio::test]
async fn the_last_page_has_no_cursor_even_when_it_is_full() {
    let world = World::new().await;
    let caller = world.caller("Falcon", "1001234501").await;
    for i in 0..4 {
        let body = invoice(&format!("A-{i}"), "1009999901");
        send(&world.sending, &caller, Invoice, &body, None).await.unwrap();
    }
    let filter = Filter::default();
    let first = page(&world, &caller, &filter, None, 2).await.unwrap();
    let last = page(&world, &caller, &filter, first.next_cursor.as_deref(), 2).await.unwrap();
    assert_eq!((last.items.len(), last.next_cursor), (2, None));
}

#[tokio::test]
async fn a_document_that_comes_while_one_pages_disturbs_no_page() {
    let world = World::new().await;
    let caller = world.caller("Falcon", "1001234501").await;
    let filter = Filter::default();
    for i in 0..4 {
        let body = invoice(&format!("A-{i}"), "1009999901");
        send(&world.sending, &caller, Invoice, &body, None).await.unwrap();
        world.clock.advance(SignedDuration::from_millis(1));
    }
    let first = page(&world, &caller, &filter, None, 2).await.unwrap();
    send(&world.sending, &caller, Invoice, &invoice("A-new", "1009999901"), None).await.unwrap();
    let second = page(&world, &caller, &filter, first.next_cursor.as_deref(), 2).await.unwrap();
    let numbers: Vec<_> =
        first.items.iter().chain(&second.items).map(|d| d.number.as_str()).collect();
    assert_eq!(numbers, ["A-3", "A-2", "A-1", "A-0"]);
}

#[tokio::test]
async fn every_filter_gives_what_it_names_and_they_join() {
    let world = World::new().await;
    let falcon = world.caller("Falcon", "1001234501").await;
    let oasis = world.caller("Oasis", "1001234502").await;
    let start = world.now();
    let mut body = invoice("A-1", "1001234502");
    body["source_id"] = json!("order#1");
    body["issue_date"] = json!("2026-11-01");
    send(&world.sending, &falcon, Invoice, &body, None).await.unwrap();
    world.clock.advance(SignedDuration::from_secs(10));
    body["invoice_number"] = json!("A-2");
    body["issue_date"] = json!("2026-11-05");
    body["source_id"] = json!("order");
    send(&world.sending, &falcon, Invoice, &body, None).await.unwrap();
    world.clock.advance(SignedDuration::from_secs(10));
    let mut body = invoice("A-3", "1001234502");
    body.as_object_mut().unwrap().remove("customer");
    body["supplier"] = party("Oasis", "1001234502");
    body["source_id"] = json!("order#1");
    send(&world.sending, &falcon, SelfBilledInvoice, &body, None).await.unwrap();
    send(&world.sending, &oasis, Invoice, &invoice("B-1", "1001234501"), None).await.unwrap();

    let after = |seconds| crate::service::later(start, SignedDuration::from_secs(seconds));
    let any = Filter::default;
    let text = |text: &str| Some(text.to_owned());
    for (filter, expected) in [
        (any(), &["B-1", "A-3", "A-2", "A-1"][..]),
        (Filter { direction: Some(Direction::Outbound), ..any() }, &["A-3", "A-2", "A-1"]),
        (Filter { direction: Some(Direction::Inbound), ..any() }, &["B-1"]),
        (Filter { document_type: Some(SelfBilledInvoice), ..any() }, &["A-3"]),
        (Filter { status: Some(Status::Received), ..any() }, &["B-1"]),
        (Filter { status: Some(Status::Failed), ..any() }, &[]),
        (Filter { source_id: text("order#1"), ..any() }, &["A-3", "A-1"]),
        (Filter { source_id: text("order"), ..any() }, &["A-2"]),
        (Filter { source_id: text("ord"), ..any() }, &[]),
        (Filter { number: text("A-2"), ..any() }, &["A-2"]),
        (Filter { number: text("B-1"), ..any() }, &["B-1"]),
        (Filter { number: text("A-1"), source_id: text("order#1"), ..any() }, &["A-1"]),
        (Filter { number: text("A-2"), source_id: text("order#1"), ..any() }, &[]),
        (Filter { issued_from: Some(date(2026, 11, 5)), ..any() }, &["B-1", "A-3", "A-2"]),
        (Filter { issued_to: Some(date(2026, 11, 5)), ..any() }, &["A-2", "A-1"]),
        (Filter { created_from: Some(after(10)), ..any() }, &["B-1", "A-3", "A-2"]),
        (Filter { created_to: Some(after(10)), ..any() }, &["A-2", "A-1"]),
        (Filter { created_from: Some(after(1)), created_to: Some(after(19)), ..any() }, &["A-2"]),
        (Filter { source_id: text("order#1"), created_from: Some(after(20)), ..any() }, &["A-3"]),
        (Filter { created_from: Some(after(5)), created_to: Some(after(4)), ..any() }, &[]),
    ] {
        for limit in [1, 100] {
            let found: BTreeSet<_> =
                numbers(&world, &falcon, &filter, limit).await.into_iter().collect();
            let expected: BTreeSet<_> = expected.iter().map(|n| (*n).to_owned()).collect();
            assert_eq!(found, expected, "{filter:?}");
        }
    }
}

#[tokio::test]
async fn a_cursor_of_another_list_or_one_that_was_changed_is_refused() {
    let world = World::new().await;
    let falcon = world.caller("Falcon", "1001234501").await;
    let oasis = world.caller("Oasis", "1001234502").await;
    for i in 0..3 {
        let body = invoice(&format!("A-{i}"), "1009999901");
        send(&world.sending, &falcon, Invoice, &body, None).await.unwrap();
    }
    let filter = Filter::default();
    let first = page(&world, &falcon, &filter, None, 1).await.unwrap();
    let cursor = first.next_cursor.unwrap();
    // The limit may change from page to page.
    assert!(page(&world, &falcon, &filter, Some(&cursor), 2).await.is_ok());

    let narrower = Filter { direction: Some(Direction::Outbound), ..Filter::default() };
    let mut refused = vec![
        page(&world, &oasis, &filter, Some(&cursor), 1).await,
        page(&world, &falcon, &narrower, Some(&cursor), 1).await,
    ];
    for place in 0..cursor.len() {
        let mut bytes = cursor.clone().into_bytes();
        bytes[place] = if bytes[place] == b'A' { b'B' } else { b'A' };
        let changed = String::from_utf8(bytes).unwrap();
        refused.push(page(&world, &falcon, &filter, Some(&changed), 1).await);
    }
    for nonsense in ["", "x", "%%%", "AAAA", &cursor[1..], &format!("{cursor}A")] {
        refused.push(page(&world, &falcon, &filter, Some(nonsense), 1).await);
    }
    for result in refused {
        assert_eq!(result.unwrap_err().code, Code::InvalidRequest);
    }
}

#[tokio::test]
async fn documents_so_large_that_a_page_would_not_fit_an_answer_come_on_more_pages() {
    let world = World::new().await;
    let caller = world.caller("Falcon", "1001234501").await;
    let mut body = invoice("A-1", "1009999901");
    // Metadata of the maximum size, which grows further when it is escaped as a string in a string.
    let pairs = (0..20).map(|i| (format!("key-{i}"), json!("\"\\".repeat(250))));
    body["metadata"] = pairs.collect::<serde_json::Map<_, _>>().into();
    send(&world.sending, &caller, Invoice, &body, None).await.unwrap();
    let large = world.documents().await.remove(0);
    let count = 150;
    for i in 0..count {
        let document_id = DocumentId::new(world.now(), &*world.ctx.random);
        let message_id = MessageId::new(world.now(), &*world.ctx.random);
        let warnings = (0..60)
            .map(|j| Finding::warning(format!("/line_items/{j}"), "AP-X", "w\"".repeat(400)));
        let document = DocumentRecord {
            document_id,
            message_id,
            number: format!("B-{i}"),
            uuid: world.ctx.new_uuid(),
            warnings: warnings.collect(),
            ..large.clone()
        };
        let effects = Effects { events: &[], inbound: None, exchange: None };
        let recording = Recording {
            mode: caller.mode,
            document: &document,
            due: None,
            reservation: None,
            earlier: &EarlierUses::default(),
            transmission: None,
            departure: None,
            corrects: None,
            effects,
        };
        world.ctx.store.record_document(recording).await.unwrap();
        world.clock.advance(SignedDuration::from_millis(1));
    }
    let (mut cursor, mut found, mut pages) = (None, Vec::new(), 0);
    loop {
        let next = page(&world, &caller, &Filter::default(), cursor.as_deref(), 100).await.unwrap();
        assert!(!next.items.is_empty());
        let json = serde_json::to_string(&next.items).unwrap();
        // Lambda's answer, of at most 6 MB, has the body as a string.
        let answer = serde_json::to_string(&json).unwrap().len();
        assert!(answer <= 5_000_000, "{answer} bytes for {} documents", next.items.len());
        found.extend(next.items.into_iter().map(|document| document.number));
        (cursor, pages) = (next.next_cursor, pages + 1);
        if cursor.is_none() {
            break;
        }
    }
    assert_eq!(found.len(), count + 1);
    assert_eq!(found.iter().collect::<BTreeSet<_>>().len(), count + 1);
    assert!(pages > 2, "{pages}");
}

#[tokio::test]
async fn another_tenants_document_does_not_exist() {
    let world = World::new().await;
    let falcon = world.caller("Falcon", "1001234501").await;
    let oasis = world.caller("Oasis", "1001234502").await;
    let body = invoice("A-1", "1009999901");
    let sent = send(&world.sending, &falcon, Invoice, &body, None).await.unwrap();
    let id = sent.document_id.as_str();
    assert!(get(&world.ctx, falcon.reader(), id).await.is_ok());
    let live = Caller { mode: crate::types::Mode::Live, ..falcon.clone() };
    for caller in [&oasis, &live] {
        assert_eq!(get(&world.ctx, caller.reader(), id).await.unwrap_err().code, Code::NotFound);
        assert_eq!(ubl(&world.sending, caller, id).await.unwrap_err().code, Code::NotFound);
        assert!(numbers(&world, caller, &Filter::default(), 10).await.is_empty());
    }
    for id in ["", "doc_", "doc_x#y", "../doc_1", "doc_404"] {
        assert_eq!(get(&world.ctx, falcon.reader(), id).await.unwrap_err().code, Code::NotFound);
    }
}

#[tokio::test]
async fn inbound_read_alone_sees_inbound_documents_and_write_alone_sees_none() {
    let world = World::new().await;
    let falcon = world.caller("Falcon", "1001234501").await;
    let oasis = world.caller("Oasis", "1001234502").await;
    let body = invoice("A-1", "1001234502");
    let sent = send(&world.sending, &falcon, Invoice, &body, None).await.unwrap();
    send(&world.sending, &oasis, Invoice, &invoice("B-1", "1001234501"), None).await.unwrap();

    let inbound = Caller { scopes: [Scope::InboundRead].into(), ..falcon.clone() };
    assert_eq!(numbers(&world, &inbound, &Filter::default(), 10).await, ["B-1"]);
    let id = sent.document_id.as_str();
    assert_eq!(get(&world.ctx, inbound.reader(), id).await.unwrap_err().code, Code::NotFound);
    let outbound = Filter { direction: Some(Direction::Outbound), ..Filter::default() };
    let failure = page(&world, &inbound, &outbound, None, 10).await.unwrap_err();
    assert_eq!(failure.code, Code::InsufficientScope);

    let write = Caller { scopes: [Scope::InvoicesWrite].into(), ..falcon };
    assert_eq!(get(&world.ctx, write.reader(), id).await.unwrap_err().code, Code::NotFound);
    let failure = page(&world, &write, &Filter::default(), None, 10).await.unwrap_err();
    assert_eq!(failure.code, Code::InsufficientScope);
}

#[tokio::test]
async fn a_list_passes_over_what_has_left_it_and_whose_pointer_a_dying_process_let_stand() {
    let world = World::new().await;
    let caller = world.caller("Falcon", "1001234501").await;
    for number in ["A-1", "A-2"] {
        let body = invoice(number, "1009999901");
        send_queued(&world.sending, &caller, &body, Some(number)).await.unwrap();
    }
    world.stream().await;
    let process = world.failing(&Faults::only("DeleteItem", Fault::Before)).sending;
    world.run("convert", &Convert(process.clone())).await;
    world.stream().await;
    let [first, _] = &world.cloud.receive("dispatch")[..] else { panic!() };
    job::run(&Dispatch(process.clone()), &first.read()).await.unwrap();
    let pointers = world.raw_items("doc_").await;
    let in_flight = |items: &[HashMap<String, AttributeValue>]| {
        let pk = |item: &HashMap<String, AttributeValue>| item["pk"].as_s().unwrap().clone();
        items.iter().filter(|item| pk(item).contains("#LIST#STATUS#in_flight")).count()
    };
    assert_eq!(in_flight(&pointers), 2);
    let converted = Filter { status: Some(Status::Converted), ..Filter::default() };
    assert_eq!(numbers(&world, &caller, &converted, 20).await.len(), 1);
    assert_eq!(in_flight(&world.raw_items("doc_").await), 1, "what was passed over is removed");
}
