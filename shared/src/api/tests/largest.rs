//! The largest values that the OpenAPI document allows, in every field at once. No operation fails with them. A refused
//! field is replaced by the value of the document's example. The accepted body is then stored and read.

use std::collections::BTreeSet;

use axum::http::Method;
use serde_json::{Map, Value, json};

use super::{Answer, Api, Call, SAMPLES, openapi};
use crate::document::MAX_BODY_BYTES;

/// For texts and lists without a limit of their own, which only the limit of the body bounds.
const MANY_CHARACTERS: usize = 5_000;
const MANY_ENTRIES: usize = 3;
/// The maximum number of entries of a list that is corrected, so that many rounds take seconds.
const FEW_ENTRIES: usize = 20;
/// How often refused fields are corrected.
const ROUNDS: usize = 60;
/// The operations that name the location of each refused field, and accept the corrected body in the end.
const ACCEPTING: [&str; 10] = [
    "put_business_card",
    "send_credit_note",
    "send_invoice",
    "send_self_billed_credit_note",
    "send_self_billed_invoice",
    "update_current_taxpayer",
    "validate_credit_note",
    "validate_invoice",
    "validate_self_billed_credit_note",
    "validate_self_billed_invoice",
];

/// The limits for texts and lists without their own.
#[derive(Clone, Copy)]
struct Most {
    characters: usize,
    entries: usize,
}

/// Generates values for the schemas of a document.
struct Largest<'a>(&'a Value);

impl<'a> Largest<'a> {
    fn resolved(&self, schema: &'a Value) -> &'a Value {
        if let Some(name) = schema["$ref"].as_str() {
            return self.resolved(self.0.pointer(&name[1..]).unwrap());
        }
        let choices = ["oneOf", "anyOf"].into_iter().find_map(|of| schema[of].as_array());
        match choices.and_then(|choices| choices.iter().find(|one| one["type"] != "null")) {
            Some(choice) => self.resolved(choice),
            None => schema,
        }
    }

    fn value(&self, schema: &'a Value, most: Most) -> Value {
        let schema = self.resolved(schema);
        if let Some(values) = schema["enum"].as_array() {
            return values.iter().max_by_key(|value| value.to_string().len()).unwrap().clone();
        }
        let limit = |name: &str| schema[name].as_u64().map(|limit| usize::try_from(limit).unwrap());
        let is = |kind: &str| match &schema["type"] {
            Value::Array(kinds) => kinds.iter().any(|one| one == kind),
            one => one == kind,
        };
        if is("object") {
            let properties = schema["properties"].as_object().into_iter().flatten();
            let properties =
                properties.map(|(name, schema)| (name.clone(), self.value(schema, most)));
            let mut object: Map<String, Value> = properties.collect();
            if schema["additionalProperties"].is_object() {
                // Metadata: 100 keys of 100 characters, 16 KiB in all.
                let keys = 0..limit("maxProperties").unwrap_or(MANY_ENTRIES);
                object.extend(keys.map(|key| (format!("{key:0>100}"), json!("x".repeat(60)))));
            }
            Value::Object(object)
        } else if is("array") {
            let many = limit("maxItems").unwrap_or(MANY_ENTRIES).min(most.entries);
            Value::Array(vec![self.value(&schema["items"], most); many])
        } else if is("integer") || is("number") {
            schema.get("maximum").cloned().unwrap_or(json!(u64::MAX))
        } else if is("boolean") {
            json!(true)
        } else {
            json!(text(schema, limit("maxLength").unwrap_or(usize::MAX).min(most.characters)))
        }
    }
}

/// The longest text of a schema. It has characters of four bytes if any character is allowed.
fn text(schema: &Value, most: usize) -> String {
    let example = schema["example"].as_str().unwrap_or_default();
    let pattern = schema["pattern"].as_str().unwrap_or_default();
    let padded = |begin: &str, end: &str| {
        let padding = "x".repeat(most.saturating_sub(begin.len() + end.len()));
        format!("{begin}{padding}{end}")
    };
    match schema["format"].as_str() {
        Some("date") => return "9999-12-31".to_owned(),
        Some("date-time") => return "9999-12-31T23:59:59Z".to_owned(),
        Some("email") => return padded("", "@example.com"),
        _ => {}
    }
    match pattern {
        "^[0-9]{4}-[0-9]{2}-[0-9]{2}$" => "9999-12-31".to_owned(),
        r"^-?[0-9]{1,18}(\.[0-9]{1,10})?$" => "999999999999999999.9999999999".to_owned(),
        r"^[\x21-\x7E]+$" => "~".repeat(most),
        _ if !pattern.is_empty() && !example.is_empty() => example.to_owned(),
        _ if example.starts_with("https://") => padded("https://example.com/", ""),
        _ if example.contains('@') => padded("", "@example.com"),
        _ if schema["contentEncoding"] == "base64" => "QUJD".repeat(most / 4),
        _ => "\u{10348}".repeat(most),
    }
}

/// Replaces the value at a finding's location by that of the example, in all entries of a list.
fn repair(body: &mut Value, example: Option<&Value>, place: &[&str]) {
    match (place, body) {
        ([name], Value::Object(object)) => {
            match example.and_then(|example| example.get(name)) {
                Some(value) => object.insert((*name).to_owned(), value.clone()),
                None => object.remove(*name),
            };
        }
        ([_], Value::Array(entries)) => {
            entries.pop();
        }
        ([name, rest @ ..], Value::Object(object)) => {
            if let Some(value) = object.get_mut(*name) {
                repair(value, example.and_then(|example| example.get(name)), rest);
            }
        }
        ([_, rest @ ..], Value::Array(entries)) => {
            let example = example.and_then(|example| example.get(0));
            entries.iter_mut().for_each(|entry| repair(entry, example, rest));
        }
        _ => {}
    }
}

/// A request of an operation, without its body.
async fn request(api: &Api, document: &Value, method: &str, path: &str, operation: &Value) -> Call {
    let mut path = format!("/v1{path}");
    for (name, value) in [
        ("{event_id}", path.contains("{event_id}").then_some(api.published_event().await)),
        ("{endpoint_id}", Some(api.demo.webhook_endpoint.endpoint_id.to_string())),
        ("{document_id}", path.contains("{document_id}").then_some(sent(api).await)),
    ] {
        path = value.map_or(path.clone(), |value| path.replace(name, &value));
    }
    while let Some((before, after)) = path.clone().split_once('{') {
        let after = after.split_once('}').unwrap().1;
        path = format!("{before}{}{after}", "x".repeat(1_000));
    }
    let most = Most { characters: 1_000, entries: MANY_ENTRIES };
    let largest = Largest(document);
    let parameters = operation["parameters"].as_array().into_iter().flatten();
    let (mut query, mut key) = (Vec::new(), None);
    for parameter in parameters.map(|parameter| largest.resolved(parameter)) {
        let value = largest.value(&parameter["schema"], most);
        let value = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        let name = parameter["name"].as_str().unwrap();
        match parameter["in"].as_str().unwrap() {
            "query" => {
                let escaped: String = value.bytes().map(|byte| format!("%{byte:02X}")).collect();
                query.push(format!("{name}={escaped}"));
            }
            "header" if name == "Idempotency-Key" => key = Some(value),
            _ => {}
        }
    }
    let method = method.to_uppercase().parse::<Method>().unwrap();
    let call = Call::new(method, &path);
    let call = if query.is_empty() { call } else { call.query(&query.join("&")) };
    key.into_iter().fold(call, |call, key| call.with("idempotency-key", key))
}

async fn sent(api: &Api) -> String {
    let answer = api.as_falcon(Call::post(SAMPLES[0].0, SAMPLES[0].1)).await.json();
    answer["document_id"].as_str().unwrap().to_owned()
}

fn holds(id: &str, answer: &Answer) {
    let text = String::from_utf8_lossy(&answer.body);
    assert!(answer.status.as_u16() < 500, "{id}: {} {text}", answer.status);
}

/// Sends a body, and corrects the refused fields until it is accepted.
async fn repaired(id: &str, api: &Api, call: &Call, mut body: Value, example: &Value) -> bool {
    let mut seen = BTreeSet::new();
    for _ in 0..ROUNDS {
        let answer = api.as_falcon(Call { body: body.to_string().into(), ..call.clone() }).await;
        holds(id, &answer);
        let json = answer.json();
        // A validation may return its findings in the response.
        let found = json["detail"]["errors"].as_array().or(json["errors"].as_array());
        let found = found.into_iter().flatten().filter_map(|finding| finding["pointer"].as_str());
        let places: Vec<&str> = found.filter(|pointer| !pointer.is_empty()).collect();
        if places.is_empty() {
            if let (Some(document), true) =
                (json["document_id"].as_str(), answer.status.is_success())
            {
                for part in ["", "/content", "/ubl", "/html"] {
                    let path = format!("/v1/invoices/{document}{part}");
                    holds(id, &api.as_falcon(Call::get(&path)).await);
                }
            }
            return answer.status.is_success();
        }
        seen.insert(body.to_string());
        // A field that is refused again is replaced together with the field that contains it.
        let mut next = Value::Null;
        for depth in [usize::MAX, 1] {
            next = body.clone();
            for place in &places {
                let segments: Vec<&str> = place.split('/').skip(1).take(depth).collect();
                repair(&mut next, Some(example), &segments);
            }
            if !seen.contains(&next.to_string()) {
                break;
            }
        }
        // Another field may conflict with it, such as a code. The shortest field that the example lacks is removed.
        if let (true, Value::Object(fields)) = (seen.contains(&next.to_string()), &mut next) {
            let others = fields.iter().filter(|(name, _)| example.get(name).is_none());
            let shortest = others.min_by_key(|(_, value)| value.to_string().len());
            if let Some(name) = shortest.map(|(name, _)| name.clone()) {
                fields.remove(&name);
            }
        }
        body = next;
    }
    false
}

#[tokio::test]
async fn the_largest_value_of_every_field_at_once_fails_no_operation() {
    let document = openapi::document();
    let largest = Largest(&document);
    let mut accepting = Vec::new();
    for (path, operations) in document["paths"].as_object().unwrap() {
        for (method, operation) in operations.as_object().unwrap() {
            let Some(id) = operation["operationId"].as_str() else { continue };
            // Only builds with PDF have this operation.
            if id == "get_document_pdf" && cfg!(not(feature = "pdf")) {
                continue;
            }
            let api = Api::start().await;
            let call = request(&api, &document, method, path, operation).await;
            let contents = operation["requestBody"]["content"].as_object();
            if contents.is_none() {
                holds(id, &api.as_falcon(call.clone()).await);
            }
            let mut accepts = true;
            for (media_type, content) in contents.into_iter().flatten() {
                let call = call.clone().with("content-type", media_type);
                if !media_type.ends_with("json") {
                    let body = vec![b'x'; MAX_BODY_BYTES];
                    holds(id, &api.as_falcon(Call { body, ..call }).await);
                    continue;
                }
                // A value that does not fit into a body is refused by its size.
                let fitting = |entries| {
                    let counts = (0..).map(|power| MANY_CHARACTERS.min(1 << power));
                    let bodies =
                        counts.take(MANY_CHARACTERS.ilog2() as usize + 2).map(|characters| {
                            largest.value(&content["schema"], Most { characters, entries })
                        });
                    bodies
                        .take_while(|body| body.to_string().len() <= MAX_BODY_BYTES)
                        .last()
                        .unwrap()
                };
                let body = fitting(usize::MAX).to_string().into();
                holds(id, &api.as_falcon(Call { body, ..call.clone() }).await);
                let (body, example) = (fitting(FEW_ENTRIES), &content["example"]);
                accepts &= Box::pin(repaired(id, &api, &call, body, example)).await;
            }
            if accepts && ACCEPTING.contains(&id) {
                accepting.push(id);
            }
        }
    }
    accepting.sort_unstable();
    assert_eq!(accepting, ACCEPTING);
}
