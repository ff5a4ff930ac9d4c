//! The content of documents, in the vocabulary of the send bodies.

use axum::http::Method;
use serde_json::{Value, json};

use super::{Answer, Api, Call, SAMPLES, VALIDATIONS, invoice};
use crate::{
    access::{PresentedKey, Scope},
    api::MAX_ANSWER_BYTES,
    service::documents::MAX_CONTENT_BYTES,
    store::{DocumentRecord, Payload},
    testing::{Arrival, BUYER, Parcel, World},
    ubl::MAX_BYTES,
};

async fn content(api: &Api, id: &Value) -> Value {
    let path = format!("/v1/invoices/{}/content", id.as_str().unwrap());
    let answer = api.as_falcon(Call::get(&path)).await;
    assert_eq!(answer.status.as_u16(), 200, "{answer:?}");
    answer.json()
}

#[tokio::test]
async fn the_content_of_what_was_sent_is_a_body_that_gives_the_same_ubl() {
    let api = Api::start().await;
    for ((path, body), validation) in SAMPLES.into_iter().zip(VALIDATIONS) {
        let sent = api.as_falcon(Call::post(path, body)).await.json();
        let shown = content(&api, &sent["document_id"]).await;
        assert_eq!(shown["document_id"], sent["document_id"]);
        assert_eq!((&shown["direction"], &shown["type"]), (&json!("outbound"), &sent["type"]));
        assert_eq!((&shown["unmapped"], &shown["unmapped_cut"]), (&json!([]), &json!(false)));
        assert_eq!(shown["customer"].is_null(), !path.contains("self-billing"), "{path}");
        let again = shown["content"].to_string();
        let valid = api.as_falcon(Call::post(validation, again.clone())).await;
        assert_eq!(valid.status.as_u16(), 200, "{valid:?}");
        let again = api.as_falcon(Call::post(path, again)).await;
        assert_eq!(again.status.as_u16(), 201, "{again:?}");
        assert_eq!(again.json()["ubl"], sent["ubl"], "{path}");
    }
}

#[tokio::test]
async fn sender_and_recipient_get_the_same() {
    let api = Api::start().await;
    let sent = api.as_falcon(Call::post(SAMPLES[0].0, SAMPLES[0].1)).await.json();
    let inbound = api.another_organization(api.oasis(), &[Scope::InboundRead]).await;
    let as_oasis = |path: &str| Call::get(path).key(&inbound).taxpayer(api.oasis());
    let page = api.call(as_oasis("/v1/invoices?direction=inbound")).await.json();
    let id = page["items"][0]["document_id"].as_str().unwrap();
    let received = api.call(as_oasis(&format!("/v1/invoices/{id}/content"))).await.json();
    assert_eq!(received["direction"], "inbound");
    assert_eq!(received["content"], content(&api, &sent["document_id"]).await["content"]);
}

#[tokio::test]
async fn a_content_that_is_no_answer_is_elsewhere() {
    let api = Api::start().await;
    let mut body = invoice();
    let attachment = json!({
        "content_base64": "A".repeat(MAX_ANSWER_BYTES), "mime_code": "application/pdf",
        "filename": "large.pdf",
    });
    body["supporting_documents"] = json!([{ "id": "1", "attachment": attachment }]);
    let sent = api.as_falcon(Call::post("/v1/invoices", body.to_string())).await.json();
    let id = sent["document_id"].as_str().unwrap();
    let path = format!("/v1/invoices/{id}/content");
    for method in [Method::GET, Method::HEAD] {
        let answer = api.as_falcon(Call::new(method, &path)).await;
        assert_eq!(answer.status.as_u16(), 307, "{answer:?}");
        let (place, signature) = answer.header("location").split_once('?').unwrap();
        assert!(place.ends_with(".content") && place.contains(id), "{place}");
        assert!(signature.contains("X-Amz-Expires=300"), "{signature}");
    }
    let kept = api.world.cloud.objects().into_iter();
    assert_eq!(kept.filter(|key| key.ends_with(".content")).count(), 1, "the same, named alike");
}

/// A document that a taxpayer received from another access point.
struct Inbound {
    api: Api,
    key: PresentedKey,
    record: DocumentRecord,
}

/// The response with the content of an inbound document: status and body.
async fn received(document: impl FnOnce(String) -> String) -> (u16, Value) {
    let answer = Inbound::of(document).await.get("content").await;
    (answer.status.as_u16(), answer.json())
}

impl Inbound {
    async fn of(document: impl FnOnce(String) -> String) -> Self {
        let (world, _) = World::live().await;
        let (organization, taxpayer) =
            (world.organization("Oasis").await, world.taxpayer("Oasis", BUYER).await);
        world.grant(&organization, &taxpayer, &[Scope::InboundRead]).await;
        let key = world.api_key(&organization).await;
        let parcel = Parcel::invoice("A-1");
        let document = document(String::from_utf8(parcel.document).unwrap()).into_bytes();
        let parcel = Parcel { document, ..Parcel::invoice("A-1") };
        assert_eq!(parcel.pack().arrive(&world.receiving()).await, Arrival::Receipt);
        world.stream().await;
        world.run("judge", &world.validating()).await;
        let [record] = world.documents().await.try_into().unwrap();
        Inbound { api: Api::over(world).await, key, record }
    }

    /// A part of the document, requested by its taxpayer.
    async fn get(&self, part: &str) -> Answer {
        let path = format!("/v1/invoices/{}/{part}", self.record.document_id);
        let call = Call::get(&path).key(self.key.reveal()).taxpayer(&self.record.taxpayer_id);
        self.api.call(call).await
    }
}

/// A valid document, and one that was found to lack a number.
async fn valid_and_invalid() -> [Inbound; 2] {
    let valid = Inbound::of(|ubl| ubl).await;
    let invalid = Inbound::of(|ubl| ubl.replace("<cbc:ID>A-1</cbc:ID>", "")).await;
    assert!(valid.record.warnings.is_empty() && !invalid.record.warnings.is_empty());
    [valid, invalid]
}

#[tokio::test]
async fn people_read_of_a_received_document_what_was_found_in_it() {
    let [valid, invalid] = Box::pin(valid_and_invalid()).await;
    for inbound in [&valid, &invalid] {
        let answer = inbound.get("html").await;
        assert_eq!(answer.status.as_u16(), 200, "{answer:?}");
        let page = String::from_utf8(answer.body.to_vec()).unwrap();
        assert!(page.contains("210.00"), "{page}");
        let found = &inbound.record.warnings;
        assert_eq!(page.matches("<div class=\"finding").count(), found.len());
        assert!(found.iter().all(|it| page.contains(&format!("<strong>{}</strong>", it.rule))));
    }
}

#[cfg(feature = "pdf")]
#[tokio::test]
async fn a_received_document_is_a_pdf_with_what_was_found_in_it() {
    use crate::{
        i18n::Language,
        rendering::{self, Languages, Rendering, View},
        service::documents,
        types::Mode,
        xml,
    };

    let [valid, invalid] = Box::pin(valid_and_invalid()).await;
    for inbound in [&valid, &invalid] {
        let (record, answer) = (&inbound.record, inbound.get("pdf").await);
        assert_eq!(answer.status.as_u16(), 200, "{answer:?}");
        // The text in a PDF is compressed. The PDF equals the one with exactly these findings.
        let ubl = inbound.get("ubl").await.body;
        let view = View::of(&xml::parse(&ubl).unwrap()).unwrap();
        let made = |found: &[_]| {
            let english = Rendering::of(Languages::One(Language::English));
            let standing = documents::standing(Mode::Live, record);
            let standing = standing.as_ref();
            let rendering = Rendering { standing, ..english.with_findings(found) };
            rendering::pdf(&view, &rendering, &ubl, record.created_at).unwrap()
        };
        assert!(answer.body == made(&record.warnings));
        assert_eq!(answer.body == made(&[]), record.warnings.is_empty());
    }
}

#[tokio::test]
async fn a_received_document_is_shown_with_what_no_field_says() {
    let foreign = "<cbc:CopyIndicator>false</cbc:CopyIndicator><cbc:UUID>";
    let (status, shown) = received(|ubl| ubl.replace("<cbc:UUID>", foreign)).await;
    assert_eq!((status, &shown["type"]), (200, &json!("invoice")), "{shown}");
    assert_eq!(shown["content"]["invoice_number"], "A-1");
    let path = "/ubl:Invoice/cbc:CopyIndicator";
    assert_eq!(shown["unmapped"], json!([{ "path": path, "value": "false" }]));
}

#[tokio::test]
async fn a_rejected_document_is_shown_as_far_as_it_can_be_read() {
    let (status, shown) = received(|ubl| ubl.replace("<cbc:ID>A-1</cbc:ID>", "")).await;
    assert_eq!((status, &shown["direction"]), (200, &json!("inbound")));
    assert_eq!(shown["content"].get("invoice_number"), None);
    assert_eq!(shown["content"]["totals"]["total_amount_with_vat"], "210.00");

    for (from, to, why) in [
        (
            "billing-1@ae-1",
            "billing-1@sg-1",
            "its CustomizationID is \"urn:peppol:pint:billing-1@sg-1\"",
        ),
        ("<cbc:ID>A-1</cbc:ID>", "<cbc:ID>A-1&none;</cbc:ID>", "it is not XML (line "),
    ] {
        let (status, shown) = received(|ubl| ubl.replace(from, to)).await;
        let detail = &shown["detail"];
        assert_eq!((status, &detail["code"]), (404, &json!("not_found")), "{shown}");
        let message = detail["message"].as_str().unwrap();
        assert!(message.starts_with("The document has no content: "), "{message}");
        assert!(message.contains(why) && message.ends_with("…/ubl."), "{message}");
    }
}

#[tokio::test]
async fn what_came_and_is_larger_than_what_may_be_sent_is_served_from_elsewhere() {
    let inbound = Inbound::of(|ubl| {
        let content = "A".repeat(MAX_BYTES);
        let attached = format!(
            "<cac:AdditionalDocumentReference><cbc:ID>1</cbc:ID><cac:Attachment>\
             <cbc:EmbeddedDocumentBinaryObject mimeCode=\"application/pdf\" filename=\"large.pdf\">\
             {content}</cbc:EmbeddedDocumentBinaryObject></cac:Attachment>\
             </cac:AdditionalDocumentReference><cac:AccountingSupplierParty>"
        );
        ubl.replacen("<cac:AccountingSupplierParty>", &attached, 1)
    })
    .await;
    let answer = inbound.get("content").await;
    assert_eq!(answer.status.as_u16(), 307, "{answer:?}");
    assert!(answer.header("location").contains(".content?"));

    // A document that exceeds the memory limit is not read.
    let ubl = inbound.record.ubl.clone().unwrap();
    let larger = Payload { bytes: MAX_CONTENT_BYTES as u64 + 1, ..ubl };
    let larger = serde_dynamo::to_attribute_value(larger).unwrap();
    inbound.api.world.set("LIVE#TAXPAYER", "DOCUMENT", "ubl", larger).await;
    let answer = inbound.get("content").await;
    assert_eq!(answer.status.as_u16(), 404);
    let message = answer.json()["detail"]["message"].as_str().unwrap().to_owned();
    assert!(message.contains("the service reads at most 50000000 bytes"), "{message}");
}

#[tokio::test]
async fn a_document_is_shown_to_people_in_the_languages_that_they_ask_for() {
    let api = Api::start().await;
    for (path, body) in SAMPLES {
        let sent = api.as_falcon(Call::post(path, body)).await.json();
        let id = sent["document_id"].as_str().unwrap();
        let number = sent["number"].as_str().unwrap();
        for (language, shown, hidden) in [
            ("", "Issue date", "تاريخ الإصدار"),
            ("?language=ar", "تاريخ الإصدار", "Issue date"),
            ("?language=both", "تاريخ الإصدار", "nothing that is hidden"),
        ] {
            let answer =
                api.as_falcon(Call::get(&format!("/v1/invoices/{id}/html{language}"))).await;
            assert_eq!(answer.status.as_u16(), 200, "{answer:?}");
            assert_eq!(answer.header("content-type"), "text/html; charset=utf-8");
            let policy = answer.header("content-security-policy");
            assert!(policy.starts_with("default-src 'none'; style-src 'sha256-"), "{policy}");
            let page = String::from_utf8(answer.body.to_vec()).unwrap();
            assert!(page.contains(shown) && page.contains(number) && !page.contains(hidden));
            assert!(!page.contains("Also in the file"), "{path}");
        }
        for wrong in ["language=fr", "annex=no"] {
            let path = format!("/v1/invoices/{id}/html?{wrong}");
            assert_eq!(api.as_falcon(Call::get(&path)).await.status.as_u16(), 400, "{wrong}");
        }
        let body = api.as_falcon(Call::get(&format!("/v1/invoices/{id}/html?annex=false"))).await;
        let body = String::from_utf8(body.body.to_vec()).unwrap();
        assert!(body.contains(number) && !body.contains("Data of the e-invoice"), "{path}");
    }
}

#[tokio::test]
async fn a_page_that_is_no_answer_is_elsewhere() {
    let api = Api::start().await;
    let mut body = invoice();
    let mut line = body["line_items"][0].clone();
    line["item"]["description"] = "D".repeat(3_000).into();
    let lines = (0..1_000).map(|_| line.clone());
    body["line_items"] = lines.collect();
    body.as_object_mut().unwrap().remove("totals");
    let answer = api.as_falcon(Call::post("/v1/invoices", body.to_string())).await;
    assert_eq!(answer.status.as_u16(), 201, "{answer:?}");
    let sent = answer.json();
    let path = format!("/v1/invoices/{}/html?language=both", sent["document_id"].as_str().unwrap());
    let answer = api.as_falcon(Call::get(&path)).await;
    assert_eq!(answer.status.as_u16(), 307, "{answer:?}");
    let place = answer.header("location").split_once('?').unwrap().0;
    assert!(place.ends_with(".html"), "{place}");
}

#[cfg(feature = "pdf")]
#[tokio::test]
async fn a_document_of_more_lines_than_a_pdf_may_have_says_so() {
    let api = Api::start().await;
    let mut body = invoice();
    body["line_items"] = (0..21).map(|_| body["line_items"][0].clone()).collect();
    body.as_object_mut().unwrap().remove("totals");
    let sent = api.as_falcon(Call::post("/v1/invoices", body.to_string())).await.json();
    let pdf = format!("/v1/invoices/{}/pdf", sent["document_id"].as_str().unwrap());
    let answer = api.as_falcon(Call::get(&pdf)).await;
    assert_eq!(answer.status.as_u16(), 404, "{answer:?}");
    let message = answer.json()["detail"]["message"].as_str().unwrap().to_owned();
    assert!(message.contains("a PDF has at most 20 lines, and it has 21"), "{message}");
}

#[cfg(feature = "pdf")]
#[tokio::test]
async fn a_document_of_more_text_than_a_pdf_is_set_from_says_so() {
    let api = Api::start().await;
    let mut body = invoice();
    let mut line = body["line_items"][0].clone();
    let attribute =
        |number| json!({"name": format!("Colour {number}"), "value": "blue ".repeat(40)});
    line["item"]["attributes"] = (0..200).map(attribute).collect();
    body["line_items"] = (0..20).map(|_| line.clone()).collect();
    body.as_object_mut().unwrap().remove("totals");
    let sent = api.as_falcon(Call::post("/v1/invoices", body.to_string())).await.json();
    let document = format!("/v1/invoices/{}", sent["document_id"].as_str().unwrap());
    // In each language: the source's bytes of text are counted in both.
    for language in ["en", "both"] {
        let pdf = Call::get(&format!("{document}/pdf?language={language}"));
        let answer = api.as_falcon(pdf).await;
        assert_eq!(answer.error(), (404, "not_found".to_owned()));
        let message = answer.message();
        assert!(message.contains("a PDF has at most 400000 bytes of text"), "{message}");
    }
    let html = api.as_falcon(Call::get(&format!("{document}/html"))).await;
    assert_eq!(html.status.as_u16(), 200);
}

#[cfg(feature = "pdf")]
#[tokio::test]
async fn a_document_is_a_pdf_that_is_the_same_whenever_it_is_asked_for() {
    let api = Api::start().await;
    let (path, body) = SAMPLES[0];
    let sent = api.as_falcon(Call::post(path, body)).await.json();
    let pdf = format!("/v1/invoices/{}/pdf", sent["document_id"].as_str().unwrap());
    let first = api.as_falcon(Call::get(&format!("{pdf}?language=both"))).await;
    assert_eq!(first.status.as_u16(), 200, "{first:?}");
    assert!(first.body.starts_with(b"%PDF-1.7"));
    let again = api.as_falcon(Call::get(&format!("{pdf}?language=both"))).await;
    assert_eq!(first.header("etag"), again.header("etag"));
    let english = api.as_falcon(Call::get(&pdf)).await;
    assert_ne!(first.header("etag"), english.header("etag"));
    let wrong = api.as_falcon(Call::get(&format!("{pdf}?language=fr"))).await;
    assert_eq!(wrong.status.as_u16(), 400);
    let none =
        api.as_falcon(Call::get("/v1/invoices/doc_019f1c2e8a7b7cc1a1b2c3d4e5f60718/pdf")).await;
    assert_eq!(none.status.as_u16(), 404);
}
