//! The reference: every operation and every event of the OpenAPI document.

mod request;

use std::sync::LazyLock;

use serde_json::Value;

use super::{
    schemas::{self, Field, document, followed, text},
    snippet::Tab,
};
use request::{Credential, Request};

/// The group of the events.
pub(super) const EVENTS: &str = "Events";

/// The methods of operations in the document.
const METHODS: [&str; 5] = ["get", "post", "put", "patch", "delete"];

/// An operation, or an event of webhooks.
#[derive(Debug)]
pub(super) struct Operation {
    /// The id, which is part of the page's path.
    pub(super) id: String,
    pub(super) method: String,
    pub(super) path: String,
    pub(super) tag: String,
    pub(super) summary: String,
    pub(super) description: String,
    pub(super) credentials: Vec<String>,
    pub(super) parameters: Vec<Parameter>,
    pub(super) bodies: Vec<Body>,
    pub(super) answers: Vec<Answer>,
    credential: Credential,
}

/// A parameter in path, query or header.
#[derive(Debug)]
pub(super) struct Parameter {
    pub(super) name: String,
    pub(super) place: String,
    pub(super) required: bool,
    pub(super) kind: String,
    pub(super) limits: Vec<String>,
    pub(super) description: String,
}

/// A body in one media type.
#[derive(Debug)]
pub(super) struct Body {
    pub(super) media_type: String,
    /// The name of its schema; empty if it has none.
    pub(super) schema: String,
    pub(super) fields: Vec<Field>,
    pub(super) example: String,
}

/// The answer with a status.
#[derive(Debug)]
pub(super) struct Answer {
    pub(super) status: String,
    pub(super) description: String,
    pub(super) codes: Vec<String>,
    pub(super) headers: Vec<[String; 2]>,
    pub(super) bodies: Vec<Body>,
}

impl Answer {
    /// Whether the description only names the codes.
    pub(super) fn lists_codes(&self) -> bool {
        !self.codes.is_empty() && self.description.starts_with("detail.code: ")
    }
}

/// All operations, followed by all events.
pub(super) static OPERATIONS: LazyLock<Vec<Operation>> = LazyLock::new(|| {
    let mut found = Vec::new();
    for (path, item) in document()["paths"].as_object().into_iter().flatten() {
        for method in METHODS {
            if let Some(operation) = item.get(method) {
                found.push(read(operation, method, path, text(operation, "operationId")));
            }
        }
    }
    for (name, item) in document()["webhooks"].as_object().into_iter().flatten() {
        found.push(read(&item["post"], "event", name, name));
    }
    found
});

fn read(operation: &Value, method: &str, path: &str, id: &str) -> Operation {
    let tag = operation["tags"][0].as_str().unwrap_or(EVENTS);
    let parameters: Vec<_> = items(&operation["parameters"]).map(parameter).collect();
    let bodies = bodies(&followed(&operation["requestBody"])["content"]);
    let answers: Vec<_> = operation["responses"]
        .as_object()
        .into_iter()
        .flatten()
        .map(|(status, answer)| self::answer(status, followed(answer)))
        .collect();
    let security: Vec<_> = items(&operation["security"]).collect();
    let is_event = method == "event";
    Operation {
        id: id.to_owned(),
        method: method.to_uppercase(),
        path: path.to_owned(),
        tag: if is_event { EVENTS } else { tag }.to_owned(),
        summary: text(operation, "summary").to_owned(),
        description: text(operation, "description").to_owned(),
        credentials: security.iter().filter_map(|scheme| credential(scheme)).collect(),
        credential: named_by(&security),
        parameters,
        bodies,
        answers,
    }
}

impl Operation {
    /// The path of its page.
    pub(super) fn page(&self) -> String {
        format!("/docs/reference/{}", self.id)
    }

    /// The request as programs make it; none for an event.
    pub(super) fn programs(&self) -> Vec<Tab> {
        if self.is_event() { Vec::new() } else { Request::of(self).tabs() }
    }

    /// Whether a page sends the request itself.
    pub(super) fn is_tried(&self) -> bool {
        !self.is_event() && self.credential == Credential::ApiKey
    }

    fn is_event(&self) -> bool {
        self.method == "EVENT"
    }

    /// The body that the form shows first.
    pub(super) fn body(&self) -> Option<&Body> {
        shown(&self.bodies)
    }
}

/// The credential that programs show, of those that the operation accepts.
fn named_by(security: &[&Value]) -> Credential {
    let takes = |name: &str| security.iter().any(|scheme| scheme.get(name).is_some());
    match () {
        () if takes("ApiKey") => Credential::ApiKey,
        () if takes("ClientSecretBasic") => Credential::ClientSecret,
        () => Credential::None,
    }
}

/// The first body that can be shown.
fn shown(bodies: &[Body]) -> Option<&Body> {
    bodies.iter().find(|body| !body.example.is_empty()).or(bodies.first())
}

/// The values of a list.
pub(super) fn items(value: &Value) -> impl Iterator<Item = &Value> {
    value.as_array().into_iter().flatten()
}

fn parameter(value: &Value) -> Parameter {
    let parameter = followed(value);
    let name = text(parameter, "name");
    let field = schemas::alone(name, &parameter["schema"]);
    Parameter {
        name: name.to_owned(),
        place: text(parameter, "in").to_owned(),
        required: parameter["required"].as_bool().unwrap_or_default(),
        kind: field.kind,
        limits: field.limits,
        description: text(parameter, "description").to_owned(),
    }
}

fn credential(scheme: &Value) -> Option<String> {
    let (name, scopes) = scheme.as_object()?.iter().next()?;
    let what = match name.as_str() {
        "ApiKey" => "API key",
        "AccessToken" => "access token",
        "ClientSecretBasic" => "client secret",
        other => other,
    };
    let scopes: Vec<_> = items(scopes).filter_map(Value::as_str).collect();
    Some(match scopes.as_slice() {
        [] => what.to_owned(),
        scopes => format!("{what} with {}", scopes.join(" and ")),
    })
}

fn bodies(content: &Value) -> Vec<Body> {
    let of = |(media_type, body): (&String, &Value)| {
        let first = body["examples"].as_object().and_then(|examples| examples.values().next());
        let named = first.map(|example| &followed(example)["value"]);
        let example = body.get("example").or(named);
        Body {
            media_type: media_type.clone(),
            schema: text(&body["schema"], "$ref").rsplit('/').next().unwrap_or_default().to_owned(),
            fields: schemas::fields(&body["schema"]),
            example: example.map(pretty).unwrap_or_default(),
        }
    };
    content.as_object().into_iter().flatten().map(of).collect()
}

/// A value as it is sent: a text without quotation marks, otherwise JSON.
fn pretty(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        value => serde_json::to_string_pretty(value).unwrap_or_default(),
    }
}

fn answer(status: &str, answer: &Value) -> Answer {
    let header = |(name, header): (&String, &Value)| {
        [name.clone(), text(followed(header), "description").to_owned()]
    };
    let content = &answer["content"];
    let examples = content["application/json"]["examples"].as_object();
    let codes = examples.into_iter().flatten().map(|(name, _)| name.clone());
    let codes = codes.filter(|name| name != "gateway").collect();
    // All errors have the shape that the page of errors shows.
    let bodies = if status.starts_with(['4', '5']) { Vec::new() } else { self::bodies(content) };
    Answer {
        status: status.to_owned(),
        description: text(answer, "description").to_owned(),
        codes,
        headers: answer["headers"].as_object().into_iter().flatten().map(header).collect(),
        bodies,
    }
}

/// An operation or an event by its id.
pub(super) fn find(id: &str) -> Option<&'static Operation> {
    OPERATIONS.iter().find(|operation| operation.id == id)
}

/// The groups in the order of the document, and the events: name and anchor.
pub(super) fn tags() -> impl Iterator<Item = (&'static str, String)> {
    let names = items(&document()["tags"]).map(|tag| text(tag, "name")).chain([EVENTS]);
    names.map(|name| (name, name.to_lowercase().replace(' ', "-")))
}

/// The operations of a group.
pub(super) fn of_tag(tag: &str) -> impl Iterator<Item = &'static Operation> {
    OPERATIONS.iter().filter(move |operation| operation.tag == tag)
}

#[cfg(test)]
mod tests;
