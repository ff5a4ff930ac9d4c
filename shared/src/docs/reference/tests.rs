//! Tests of the reference.

use std::collections::BTreeSet;

use askama::Template;

use super::{request::Content, *};
use crate::{
    api::openapi::codes,
    docs::{
        highlight::tests::unmarked,
        pages::reference::{List, ReferencePage},
    },
};

#[test]
fn every_operation_and_event_of_the_document_has_a_page_of_its_own() {
    let count = |name: &str| document()[name].as_object().unwrap().values().count();
    let operations: usize = document()["paths"]
        .as_object()
        .unwrap()
        .values()
        .map(|item| METHODS.iter().filter(|method| item.get(**method).is_some()).count())
        .sum();
    assert_eq!(OPERATIONS.len(), operations + count("webhooks"));
    let ids: BTreeSet<_> = OPERATIONS.iter().map(|operation| &operation.id).collect();
    assert_eq!(ids.len(), OPERATIONS.len());
    let listed = List::new().render().unwrap();
    for operation in OPERATIONS.iter() {
        let link = format!("<li><a href=\"{}\">", operation.page());
        assert!(listed.contains(&link), "{link}");
    }
}

#[test]
fn every_code_that_an_operation_answers_is_a_code_of_the_service() {
    let known: BTreeSet<_> = codes().iter().map(ToString::to_string).collect();
    let mut seen = BTreeSet::new();
    for answer in OPERATIONS.iter().flat_map(|operation| &operation.answers) {
        // OAuth's endpoints have their own codes.
        let own = answer.codes.iter().filter(|code| known.contains(*code));
        seen.extend(own.cloned());
    }
    // No operation answers with this code: it is the answer for unknown paths.
    let missing: Vec<_> = known.difference(&seen).collect();
    assert_eq!(missing, ["method_not_allowed"]);
}

#[test]
fn a_request_on_the_command_line_has_what_its_operation_takes() {
    let of = |id: &str| Request::of(find(id).unwrap()).curl();
    let send = of("send_invoice");
    for part in [
        "-X POST \"$API/v1/invoices\"",
        "Authorization: Api-Key $KEY",
        "x-ae-taxpayer-id: $TAXPAYER",
        "Idempotency-Key",
        "Content-Type: application/json",
        "--data-raw '{\n",
    ] {
        assert!(send.contains(part), "{part}: {send}");
    }
    let get = of("get_document");
    assert!(get.contains("\"$API/v1/invoices/$DOCUMENT_ID\""), "{get}");
    assert!(!get.contains("-X ") && !get.contains("--data"), "{get}");
    assert!(of("exchange_token").contains("-u \"$CLIENT:$SECRET\""));
}

#[test]
fn every_operation_is_called_in_each_language_with_the_same_address_and_headers() {
    for operation in OPERATIONS.iter() {
        let programs = operation.programs();
        assert_eq!(programs.is_empty(), operation.method == "EVENT", "{}", operation.id);
        let request = Request::of(operation);
        for tab in programs {
            let text = unmarked(&tab.snippet.html());
            let address = format!("/v1{}\"", request.path);
            let headers = request.headers.iter().map(|(_, value)| value);
            for part in headers.chain([&address]) {
                assert!(text.contains(part), "{} in {}: {text}", operation.id, tab.language);
            }
        }
        // The marks between which a program holds the text are not part of it.
        if let Content::Text { text, .. } = request.content {
            assert!(!["\"\"\"", "`", "${"].iter().any(|it| text.contains(it)), "{}", operation.id);
        }
    }
}

#[test]
fn a_request_on_the_command_line_has_the_queries_that_are_required_and_no_others() {
    let of = |id: &str| Request::of(find(id).unwrap()).curl();
    let archive = of("create_archive");
    let address = "\"$API/v1/archives?issued_from=$ISSUED_FROM&issued_to=$ISSUED_TO\"";
    assert!(archive.contains(address), "{archive}");
    assert!(of("list_documents").contains("\"$API/v1/invoices\""));
    let marked = |page: &str| page.matches(" <b class=\"needed\">").count();
    let page = ReferencePage::of("create_archive").unwrap().render().unwrap();
    // Both ends of the period. The taxpayer is required only with an API key.
    let (_, list) = page.split_once("<h2 id=\"parameters\">").unwrap();
    let list = list.split("</ul>").next().unwrap();
    assert_eq!(marked(list), 2, "{list}");
    for name in ["issued_from", "issued_to"] {
        assert!(page.contains(&format!("data-name=\"{name}\" required ")), "{name}");
    }
}

#[test]
fn a_request_on_the_command_line_follows_where_the_answer_leads_and_keeps_a_file() {
    let commands = || OPERATIONS.iter().map(|it| (it.id.as_str(), Request::of(it)));
    for (id, request) in commands() {
        assert_eq!(request.follows, request.curl().starts_with("curl -sL "), "{id}");
    }
    let kept = commands().filter(|(_, request)| request.curl().contains(" -o file "));
    let kept: Vec<_> = kept.map(|(id, _)| id).collect();
    let expected = ["get_archive_file", "get_document_pdf", "get_document_receipt"];
    assert_eq!(kept, expected);
}

#[test]
fn of_several_bodies_the_first_with_an_example_is_shown() {
    let import = OPERATIONS.iter().find(|it| it.id == "create_import").unwrap();
    assert!(import.bodies.len() > 1);
    let body = import.body().unwrap();
    assert_eq!(body.media_type, "application/x-ndjson");
    assert!(body.example.starts_with('{'), "{}", body.example);
    let command = Request::of(import).curl();
    assert!(command.contains("Content-Type: application/x-ndjson"), "{command}");

    let page = ReferencePage::of("create_import").unwrap().render().unwrap();
    assert!(page.contains("data-type=\"application/x-ndjson\""));
}
