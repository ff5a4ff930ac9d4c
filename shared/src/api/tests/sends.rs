//! Sends and validations over the API.

use axum::http::Method;
use serde_json::{Value, json};

use super::{Answer, Api, Call, SAMPLES, VALIDATIONS, invoice};
use crate::access::Scope;

fn sent(answer: &Answer) -> Value {
    assert_eq!(answer.status.as_u16(), 201, "{answer:?}");
    let json = answer.json();
    let id = json["document_id"].as_str().unwrap();
    assert_eq!(answer.header("location"), format!("/v1/invoices/{id}"));
    assert_eq!(answer.header("content-type"), "application/json");
    json
}

#[tokio::test]
async fn the_four_samples_send_under_every_base() {
    let api = Api::start().await;
    for base in super::super::BASES {
        for ((path, body), (kind, code)) in SAMPLES.into_iter().zip([
            ("invoice", "380"),
            ("credit_note", "381"),
            ("self_billed_invoice", "389"),
            ("self_billed_credit_note", "261"),
        ]) {
            let path = path.replacen("/v1", base, 1);
            let json = sent(&api.as_falcon(Call::post(&path, body)).await);
            assert_eq!(json["type"], kind);
            assert_eq!(json["document_type_code"], code);
            assert_eq!(json["status"], "sent");
            assert_eq!(json["direction"], "outbound");
            for amount in ["total_without_vat", "total_vat", "total_with_vat", "amount_due"] {
                assert!(json[amount].is_string(), "{amount} is {}", json[amount]);
            }
        }
    }
}

#[tokio::test]
async fn the_same_key_and_payload_give_the_same_bytes() {
    let api = Api::start().await;
    let call = Call::post("/v1/invoices", SAMPLES[0].1).with("idempotency-key", "k-1");
    let first = api.as_falcon(call.clone()).await;
    sent(&first);
    assert!(!first.headers.contains_key("idempotent-replayed"));
    // White space and the order of names do not belong to the payload.
    let mut names: Vec<(String, Value)> =
        invoice().as_object().unwrap().clone().into_iter().collect();
    names.reverse();
    let members: Vec<String> = names.iter().map(|(n, v)| format!("{}: {v}", json!(n))).collect();
    let reordered = format!("{{\n{}\n}}", members.join(",\n"));
    for body in [SAMPLES[0].1.to_owned(), reordered] {
        let call = Call::post("/api/invoices", body).with("idempotency-key", "k-1");
        let again = api.as_falcon(call).await;
        assert_eq!(again.status, first.status);
        assert_eq!(again.body, first.body);
        assert_eq!(again.header("location"), first.header("location"));
        assert_eq!(again.header("idempotent-replayed"), "true");
    }
    let list = api.as_falcon(Call::get("/v1/invoices?direction=outbound")).await.json();
    assert_eq!(list["items"].as_array().unwrap().len(), 1);
}

#[tokio::test]
async fn another_payload_under_a_key_is_409() {
    let api = Api::start().await;
    let with_key = |call: Call| call.with("idempotency-key", "k-1");
    let first = sent(&api.as_falcon(with_key(Call::post("/v1/invoices", SAMPLES[0].1))).await);
    let mut changed = invoice();
    changed["note"] = json!("changed");
    for call in
        [Call::post("/v1/invoices", changed.to_string()), Call::post(SAMPLES[1].0, SAMPLES[1].1)]
    {
        let answer = api.as_falcon(with_key(call)).await;
        assert_eq!(answer.error(), (409, "idempotency_key_reused".to_owned()));
        let message = answer.message();
        assert!(message.contains(first["document_id"].as_str().unwrap()), "{message}");
    }
    // Another taxpayer has its own keys.
    let mut body = invoice();
    body["customer"]["electronic_address"]["id"] = json!("1001234501");
    body["customer"]["vat_identifier"] = json!("100123450100003");
    let call = with_key(Call::post("/v1/invoices", body.to_string()));
    let call = call.key(&api.demo.api_keys.sandbox).taxpayer(api.oasis());
    sent(&api.call(call).await);
}

#[tokio::test]
async fn a_refused_send_frees_its_key() {
    let api = Api::start().await;
    let mut wrong = invoice();
    wrong["line_items"][0]["quantity"] = json!("-1x");
    let call = |body: String| Call::post("/v1/invoices", body).with("idempotency-key", "k-1");
    assert_eq!(api.as_falcon(call(wrong.to_string())).await.status.as_u16(), 422);
    sent(&api.as_falcon(call(SAMPLES[0].1.to_owned())).await);
}

#[tokio::test]
async fn metadata_is_kept_as_it_was_given_or_refused_where_the_table_cannot_hold_it() {
    let api = Api::start().await;
    let mut body = invoice();
    // A map's key has at least one character. Everything else is text.
    body["metadata"] = json!({"a": "1", "": "v"});
    for path in ["/v1/invoices", "/v1/invoices/validate"] {
        let answer = api.as_falcon(Call::post(path, body.to_string())).await;
        let (status, json) = (answer.status.as_u16(), answer.json());
        let (refused, errors) = match path.ends_with("validate") {
            true => (200, &json["errors"]),
            false => (422, &json["detail"]["errors"]),
        };
        assert_eq!((status, &errors[0]["pointer"]), (refused, &json!("/metadata/")), "{json}");
    }
    assert!(api.world.documents().await.is_empty());
    let odd = json!({
        "empty": "", " ": "blank", "#a:b.c[0]": "signs", "\n": "line\u{0}break", "مفتاح": "قيمة",
        "😀": "a\u{10ffff}", "pk": "key", ":value": "name"
    });
    body["metadata"] = odd.clone();
    let json = sent(&api.as_falcon(Call::post("/v1/invoices", body.to_string())).await);
    let path = format!("/v1/invoices/{}", json["document_id"].as_str().unwrap());
    assert_eq!(api.as_falcon(Call::get(&path)).await.json()["metadata"], odd);
}

#[tokio::test]
async fn queued_delivery_needs_a_key_and_is_accepted_with_one() {
    let api = Api::start().await;
    let call = Call::post("/v1/invoices", SAMPLES[0].1).with("prefer", "respond-async");
    let answer = api.as_falcon(call.clone()).await;
    assert_eq!(answer.error(), (400, "idempotency_key_required".to_owned()));
    let call = call.with("idempotency-key", "k-1");
    let first = api.as_falcon(call.clone()).await;
    assert_eq!(first.status.as_u16(), 202, "{first:?}");
    assert_eq!(first.json()["status"], "accepted");
    assert!(!first.header("location").is_empty());
    let again = api.as_falcon(call).await;
    assert_eq!((again.status, &again.body), (first.status, &first.body));
    assert_eq!(again.header("idempotent-replayed"), "true");
}

/// RFC 7240, sections 2 and 3.
#[tokio::test]
async fn preferences_are_read_as_their_standard_says_and_the_one_that_was_applied_is_named() {
    let api = Api::start().await;
    let queued: [&[&str]; 7] = [
        &["respond-async"],
        &["Respond-Async"],
        &["respond-async, wait=10"],
        &["wait=10", "respond-async"],
        &["respond-async; a=b"],
        &["x=\"a, b\", respond-async=\"\""],
        &["respond-async", "respond-async"],
    ];
    let at_once: [&[&str]; 6] = [
        &["wait=10"],
        &[""],
        &["return=minimal"],
        &["x=\"a, respond-async\""],
        &["respond-async=yes"],
        &["x; respond-async"],
    ];
    let cases = queued.iter().map(|lines| (lines, (202, Some("respond-async"))));
    let cases = cases.chain(at_once.iter().map(|lines| (lines, (201, None))));
    for (number, (lines, expected)) in cases.enumerate() {
        let call = Call::post("/v1/invoices", SAMPLES[0].1);
        let call = call.with("idempotency-key", format!("k-{number}"));
        let call = lines.iter().fold(call, |call, line| call.with("prefer", *line));
        for _ in 0..2 {
            let answer = api.as_falcon(call.clone()).await;
            let applied = answer.headers.get("preference-applied").map(|it| it.to_str().unwrap());
            assert_eq!((answer.status.as_u16(), applied), expected, "{lines:?}");
        }
    }
}

#[tokio::test]
async fn who_may_send_alone_reads_the_record_and_the_attempts_of_what_it_sent_itself() {
    let api = Api::start().await;
    let key = api.another_organization(api.falcon(), &[Scope::InvoicesWrite]).await;
    let as_sender = async |call: Call| api.call(call.key(&key).taxpayer(api.falcon())).await;
    let own = sent(&as_sender(Call::post("/v1/invoices", invoice().to_string())).await);
    let others = sent(&api.as_falcon(Call::post("/v1/invoices", invoice().to_string())).await);
    for (document, status) in [(&own, 200), (&others, 404)] {
        let path = format!("/v1/invoices/{}", document["document_id"].as_str().unwrap());
        for path in [path.clone(), format!("{path}/attempts")] {
            assert_eq!(as_sender(Call::get(&path)).await.status, status, "{path}");
        }
    }
    // Its content, and received documents, are visible to readers only.
    let ubl = format!("/v1/invoices/{}/ubl", own["document_id"].as_str().unwrap());
    for path in [ubl.as_str(), "/v1/invoices"] {
        let answer = as_sender(Call::get(path)).await;
        assert_eq!(answer.error(), (403, "insufficient_scope".to_owned()), "{path}");
    }
}

#[tokio::test]
async fn a_live_send_needs_a_subscription() {
    let api = Api::start().await;
    let answer = live_send(&api).await;
    assert_eq!(answer.error(), (402, "subscription_required".to_owned()));
}

/// A send with a Live key on a Live taxpayer.
async fn live_send(api: &Api) -> Answer {
    use crate::{
        access::{Taxpayer, TaxpayerStatus},
        service::grants::{self, Approval},
        types::{GrantId, Mode, TaxpayerId},
    };
    let ctx = &api.world.ctx;
    let sandbox = ctx.store.get_taxpayer(Mode::Sandbox, api.falcon()).await.unwrap().unwrap();
    let taxpayer = Taxpayer {
        taxpayer_id: TaxpayerId::new(ctx.clock.now(), &*ctx.random),
        mode: Mode::Live,
        status: TaxpayerStatus::Active,
        ..sandbox
    };
    assert!(ctx.store.create_taxpayer(&taxpayer).await.unwrap());
    let approval = Approval {
        grant_id: GrantId::new(ctx.clock.now(), &*ctx.random),
        mode: Mode::Live,
        taxpayer_id: taxpayer.taxpayer_id.clone(),
        organization_id: api.demo.organization_id.clone(),
        scopes: Scope::ALL.into_iter().collect(),
        grant_label: None,
        external_id: None,
        request: None,
    };
    grants::seed(ctx, &approval).await.unwrap();
    let call = Call::post("/v1/invoices", SAMPLES[0].1);
    api.call(call.key(&api.demo.api_keys.live).taxpayer(&taxpayer.taxpayer_id)).await
}

#[tokio::test]
async fn a_validation_tells_the_same_as_a_send_and_records_nothing() {
    let api = Api::start().await;
    for base in super::super::BASES {
        for (path, (_, body)) in VALIDATIONS.into_iter().zip(SAMPLES) {
            let path = path.replacen("/v1", base, 1);
            let answer = api.as_falcon(Call::post(&path, body)).await;
            assert_eq!(answer.status.as_u16(), 200, "{path}: {answer:?}");
            let json = answer.json();
            assert_eq!((&json["valid"], &json["errors"]), (&json!(true), &json!([])));
            assert!(json["warnings"].is_array());
        }
    }
    for (validation, (send, body)) in VALIDATIONS.into_iter().zip(SAMPLES) {
        let mut wrong: Value = serde_json::from_str(body).unwrap();
        wrong["issue_date"] = json!("soon");
        wrong["totals"] = json!({"total_amount_with_vat": "1.00"});
        wrong["invoice_number"] = wrong.get("credit_note_number").cloned().unwrap_or(json!("1"));
        let [validated, sent] = [
            api.as_falcon(Call::post(validation, wrong.to_string())).await,
            api.as_falcon(Call::post(send, wrong.to_string())).await,
        ];
        // "It returns the structured result" (specification 4.2), whatever is found.
        assert_eq!(validated.status.as_u16(), 200, "{validated:?}");
        assert_eq!(sent.error(), (422, "validation_failed".to_owned()));
        let (validated, sent) = (validated.json(), sent.json());
        assert_eq!(validated["valid"], json!(false));
        assert_eq!(validated["errors"], sent["detail"]["errors"]);
        assert_eq!(validated["complete"], sent["detail"]["complete"]);
        assert_ne!(validated["errors"], json!([]));
    }
    let list = api.as_falcon(Call::get("/v1/invoices")).await.json();
    assert_eq!(list["items"], json!([]));
    assert!(api.world.cloud.messages().is_empty() && api.world.cloud.objects().is_empty());
}

#[tokio::test]
async fn a_validation_is_refused_only_for_what_cannot_be_read_or_may_not_be_asked() {
    let api = Api::start().await;
    let path = "/v1/invoices/validate";
    let of = |body: String| api.as_falcon(Call::post(path, body));
    assert_eq!(of("{".to_owned()).await.error(), (400, "malformed_json".to_owned()));
    let unsigned = api.call(Call::post(path, "{}")).await;
    assert_eq!(unsigned.error(), (401, "unauthorized".to_owned()));
    // JSON that is not a document.
    for (body, pointer) in [("[]", ""), ("7", ""), ("{}", "/line_items")] {
        let answer = of(body.to_owned()).await;
        assert_eq!(answer.status.as_u16(), 200, "{body}");
        let json = answer.json();
        assert_eq!(json["valid"], json!(false));
        let errors = json["errors"].as_array().unwrap();
        assert!(errors.iter().any(|error| error["pointer"] == pointer), "{body}: {json}");
    }
    // A send refuses this by 409: only a rejected document can be corrected.
    let document = sent(&api.as_falcon(Call::post("/v1/invoices", SAMPLES[0].1)).await);
    let mut correction = invoice();
    correction["corrects_document_id"] = document["document_id"].clone();
    let call = Call::post("/v1/invoices", correction.to_string()).with("idempotency-key", "k");
    assert_eq!(api.as_falcon(call).await.error(), (409, "not_correctable".to_owned()));
    let json = of(correction.to_string()).await.json();
    assert_eq!((&json["valid"], &json["complete"]), (&json!(false), &json!(true)));
    let [error] = &json["errors"].as_array().unwrap()[..] else { panic!("{json}") };
    assert_eq!(error["rule"], "AP-REFERENCE-corrected");
    assert_eq!(error["pointer"], "/corrects_document_id");
}

#[tokio::test]
async fn warnings_of_a_validation_stand_apart_from_its_errors() {
    let api = Api::start().await;
    let mut body = invoice();
    body["issue_date"] = json!("1900-01-01");
    body["line_items"][0]["net_amount"] = json!("1.00");
    let json = api.as_falcon(Call::post("/v1/invoices/validate", body.to_string())).await.json();
    let rules = |list: &Value| -> Vec<String> {
        let list = list.as_array().unwrap().iter();
        list.map(|finding| finding["rule"].as_str().unwrap().to_owned()).collect()
    };
    assert_eq!(rules(&json["errors"]), ["AP-LINE-net"], "{json}");
    assert!(rules(&json["warnings"]).contains(&"AP-DATE-past".to_owned()), "{json}");
    assert!(json["errors"][0]["expected"].is_string());
}

#[tokio::test]
async fn whatever_is_accepted_can_be_fetched_and_what_is_too_large_is_refused_before_it_is_stored()
{
    let api = Api::start().await;
    let lines = |count: usize, change: &dyn Fn(&mut Value)| {
        let mut body = invoice();
        let mut line = body["line_items"][0].clone();
        change(&mut line);
        body["line_items"] = vec![line; count].into();
        body.to_string()
    };
    // Less than 4 MiB of JSON, but 21 MB of UBL.
    let ampersands = lines(800, &|line| line["note"] = "&".repeat(5_000).into());
    assert!(ampersands.len() < 4 * 1024 * 1024);
    for path in ["/v1/invoices", "/v1/invoices/validate"] {
        let answer = api.as_falcon(Call::post(path, ampersands.clone())).await;
        let json = match path.ends_with("validate") {
            true => answer.json(),
            false => {
                assert_eq!(answer.error(), (422, "validation_failed".to_owned()));
                answer.json()["detail"].clone()
            }
        };
        assert_eq!(json["complete"], json!(false), "{json}");
        let [error] = &json["errors"].as_array().unwrap()[..] else { panic!("{json}") };
        assert_eq!((&error["rule"], &error["pointer"]), (&json!("AP-UBL-size"), &json!("")));
        let message = error["message"].as_str().unwrap();
        assert!(message.contains("at most 10485760"), "{message}");
    }
    assert!(api.world.cloud.objects().is_empty());

    // 1 MB of JSON and 4 MB of UBL, which is more than a response may have.
    let attributes: Vec<Value> = (0..16)
        .map(|i| json!({"name": format!("Attribute {i}"), "value": format!("Value {i}, in words")}))
        .collect();
    let body = lines(1_000, &|line| line["item"]["attributes"] = attributes.clone().into());
    let json = sent(&api.as_falcon(Call::post("/v1/invoices", body)).await);
    let bytes = json["ubl"]["bytes"].as_u64().unwrap();
    assert!(bytes > crate::api::MAX_ANSWER_BYTES as u64, "{bytes}");
    let path = format!("/v1/invoices/{}/ubl", json["document_id"].as_str().unwrap());
    for method in [Method::GET, Method::HEAD] {
        let answer = api.as_falcon(Call::new(method, &path)).await;
        assert_eq!(answer.status.as_u16(), 307, "{answer:?}");
        assert!(answer.body.is_empty());
        let address = answer.header("location");
        let id = json["document_id"].as_str().unwrap();
        let objects = api.world.cloud.objects();
        // The recipient has its own object.
        let object = objects.iter().find(|object| object.contains(id)).unwrap();
        let (place, signature) = address.split_once('?').unwrap();
        assert!(place.ends_with(object.as_str()), "{address} is not that of {object}");
        for part in ["X-Amz-Signature=", "X-Amz-Expires=300", "X-Amz-SignedHeaders=host"] {
            assert!(signature.contains(part), "{address} has no {part}");
        }
    }
    // Another taxpayer's document is not found, whatever its size.
    let key = api.another_organization(api.pearl(), &[crate::access::Scope::InvoicesRead]).await;
    let answer = api.call(Call::get(&path).key(&key).taxpayer(api.pearl())).await;
    assert_eq!(answer.error(), (404, "not_found".to_owned()));
}

#[tokio::test]
async fn every_time_has_three_digits_of_fraction() {
    let api = Api::start().await;
    for wait in [0, 1, 10, 250] {
        api.world.clock.advance(jiff::SignedDuration::from_millis(wait));
        let json = sent(&api.as_falcon(Call::post("/v1/invoices", SAMPLES[0].1)).await);
        for name in ["created_at", "updated_at"] {
            let text = json[name].as_str().unwrap();
            assert_eq!(text.len(), "2026-07-01T10:00:00.000Z".len(), "{text}");
            assert!(text.contains('.') && text.ends_with('Z'), "{text}");
        }
    }
    for event in api.world.events().await {
        let event: Value = serde_json::from_str(&event.body).unwrap();
        assert_eq!(event["created_at"].as_str().unwrap().len(), 24, "{event}");
    }
}

#[tokio::test]
async fn numbers_of_one_value_are_the_same_payload() {
    let api = Api::start().await;
    let body = |quantity: &str| {
        let mut body = invoice();
        body["line_items"][0]["quantity"] = json!("QUANTITY");
        body.to_string().replace("\"QUANTITY\"", quantity)
    };
    let send = |quantity| Call::post("/v1/invoices", body(quantity)).with("idempotency-key", "k-1");
    let first = api.as_falcon(send("1")).await;
    sent(&first);
    for quantity in ["1.0", "1.000"] {
        let again = api.as_falcon(send(quantity)).await;
        assert_eq!((again.header("idempotent-replayed"), &again.body), ("true", &first.body));
    }
    for quantity in ["\"1\"", "1.01", "2"] {
        let answer = api.as_falcon(send(quantity)).await;
        assert_eq!(answer.error(), (409, "idempotency_key_reused".to_owned()), "{quantity}");
    }
}

#[tokio::test]
async fn head_answers_like_get_without_a_body() {
    let api = Api::start().await;
    let json = sent(&api.as_falcon(Call::post("/v1/invoices", SAMPLES[0].1)).await);
    let path = format!("/v1/invoices/{}/ubl", json["document_id"].as_str().unwrap());
    let answer = api.as_falcon(Call::new(Method::HEAD, &path)).await;
    assert_eq!(answer.status.as_u16(), 200);
    assert!(answer.body.is_empty() && !answer.header("etag").is_empty());
}

#[tokio::test]
async fn events_have_the_fields_of_their_schema() {
    use crate::{service::sweep, store::DeliverMessage};
    let api = Api::start().await;
    let mut body = invoice();
    body["source_id"] = json!("order-4711");
    sent(&api.as_falcon(Call::post("/v1/invoices", body.to_string())).await);
    api.world.clock.advance(crate::service::QUEUE_GRACE);
    sweep::sweep(&api.world.relaying).await;
    let document = crate::api::openapi::document();
    let schemas = &document["components"]["schemas"];
    let fits = |value: &Value, schema: &Value| {
        let (value, properties) =
            (value.as_object().unwrap(), schema["properties"].as_object().unwrap());
        for name in value.keys() {
            assert!(properties.contains_key(name), "{name} is not in the schema");
        }
        for name in schema["required"].as_array().unwrap() {
            assert!(value.contains_key(name.as_str().unwrap()), "{name} is missing");
        }
    };
    let mut types = Vec::new();
    for message in api.world.cloud.messages() {
        let message: DeliverMessage = message.read();
        let store = &api.world.ctx.store;
        // One event is for the sender, the other for the recipient.
        for taxpayer in [api.falcon(), api.oasis()] {
            let event = store.get_event(message.mode, taxpayer, &message.event_id).await.unwrap();
            let Some(event) = event else { continue };
            let event: Value = serde_json::from_str(&event.body).unwrap();
            fits(&event, &schemas["Event"]);
            fits(&event["data"], &schemas["DocumentEventData"]);
            let counterparty = &schemas["DocumentEventData"]["properties"]["counterparty"];
            fits(&event["data"]["counterparty"], counterparty);
            let example = &document["webhooks"][event["type"].as_str().unwrap()]["post"]["requestBody"]
                ["content"]["application/json"]["example"];
            assert_eq!(example["data"]["direction"], event["data"]["direction"]);
            assert_eq!(example["data"]["status"], event["data"]["status"]);
            types.push(event["type"].clone());
        }
    }
    types.sort_by_key(|kind| kind.to_string());
    assert_eq!(types, [json!("document.received"), json!("document.sent")]);
}
