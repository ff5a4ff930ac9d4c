//! The reference: a page for every operation and every event of the OpenAPI document.

use std::sync::LazyLock;

use askama::Template;
use serde_json::Value;

use super::{
    Around,
    prose::{self, Block, Piece},
    schemas::{self, Field, document, followed, text},
};

/// The methods of operations in the document.
const METHODS: [&str; 5] = ["get", "post", "put", "patch", "delete"];

/// An operation, or an event of webhooks.
#[derive(Debug)]
pub(super) struct Operation {
    /// The id, which is part of the page's path.
    pub(super) id: String,
    method: String,
    path: String,
    tag: String,
    summary: String,
    description: String,
    credentials: Vec<String>,
    parameters: Vec<Parameter>,
    bodies: Vec<Body>,
    answers: Vec<Answer>,
    curl: String,
    is_tried: bool,
}

/// A parameter in path, query or header.
#[derive(Debug)]
struct Parameter {
    name: String,
    place: String,
    required: bool,
    kind: String,
    limits: Vec<String>,
    description: String,
}

/// A body in one media type.
#[derive(Debug)]
struct Body {
    media_type: String,
    fields: Vec<Field>,
    example: String,
}

/// The answer with a status.
#[derive(Debug)]
struct Answer {
    status: String,
    description: String,
    codes: Vec<String>,
    headers: Vec<[String; 2]>,
    bodies: Vec<Body>,
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
    let tag = operation["tags"][0].as_str().unwrap_or("Events");
    let parameters: Vec<_> = items(&operation["parameters"]).map(parameter).collect();
    let bodies = bodies(&followed(&operation["requestBody"])["content"]);
    let answers: Vec<_> = operation["responses"]
        .as_object()
        .into_iter()
        .flatten()
        .map(|(status, answer)| self::answer(status, followed(answer)))
        .collect();
    let security: Vec<_> = items(&operation["security"]).collect();
    let takes_key = security.iter().any(|scheme| scheme.get("ApiKey").is_some());
    let is_event = method == "event";
    Operation {
        id: id.to_owned(),
        method: method.to_uppercase(),
        path: path.to_owned(),
        tag: if is_event { "Events" } else { tag }.to_owned(),
        summary: text(operation, "summary").to_owned(),
        description: text(operation, "description").to_owned(),
        credentials: security.iter().filter_map(|scheme| credential(scheme)).collect(),
        curl: if is_event {
            String::new()
        } else {
            curl(method, path, &parameters, shown(&bodies), &answers, &security)
        },
        is_tried: takes_key && !is_event,
        parameters,
        bodies,
        answers,
    }
}

impl Operation {
    /// The body that the form shows first.
    fn body(&self) -> Option<&Body> {
        shown(&self.bodies)
    }
}

/// The first body that can be shown.
fn shown(bodies: &[Body]) -> Option<&Body> {
    bodies.iter().find(|body| !body.example.is_empty()).or(bodies.first())
}

/// Whether an answer may be a redirect to a file.
fn leads_elsewhere(answers: &[Answer]) -> bool {
    answers.iter().any(|answer| answer.status == "307")
}

/// Whether the answer is a file, directly or by a redirect.
fn gives_a_file(answers: &[Answer]) -> bool {
    let is_text = |body: &Body| {
        let media_type = &body.media_type;
        media_type.starts_with("text/") || ["json", "xml"].iter().any(|it| media_type.ends_with(it))
    };
    let mut bodies = answers.iter().flat_map(|answer| &answer.bodies);
    leads_elsewhere(answers) && !bodies.any(is_text)
}

fn items(value: &Value) -> impl Iterator<Item = &Value> {
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

/// The request as a `curl` command, with variables for the caller's values.
fn curl(
    method: &str,
    path: &str,
    parameters: &[Parameter],
    body: Option<&Body>,
    answers: &[Answer],
    security: &[&Value],
) -> String {
    let path = path.split('/').map(|part| match part.strip_prefix('{') {
        Some(name) => format!("${}", name.trim_end_matches('}').to_uppercase()),
        None => part.to_owned(),
    });
    let path = path.collect::<Vec<_>>().join("/");
    let needed = parameters.iter().filter(|it| it.place == "query" && it.required);
    let query = needed.map(|it| format!("{}=${}", it.name, it.name.to_uppercase()));
    let query = query.collect::<Vec<_>>().join("&");
    let query = if query.is_empty() { query } else { format!("?{query}") };
    let options = match (leads_elsewhere(answers), gives_a_file(answers)) {
        (true, true) => "-sL -o file",
        (true, false) => "-sL",
        _ => "-s",
    };
    let verb = match method {
        "get" => String::new(),
        method => format!("-X {} ", method.to_uppercase()),
    };
    let mut lines = vec![format!("curl {options} {verb}\"$API/v1{path}{query}\"")];
    let takes = |name: &str| security.iter().any(|scheme| scheme.get(name).is_some());
    if takes("ApiKey") {
        lines.push("-H \"Authorization: Api-Key $KEY\"".to_owned());
    } else if takes("ClientSecretBasic") {
        lines.push("-u \"$CLIENT:$SECRET\"".to_owned());
    }
    for parameter in parameters.iter().filter(|parameter| parameter.place == "header") {
        match parameter.name.to_lowercase().as_str() {
            "x-ae-taxpayer-id" => lines.push("-H \"x-ae-taxpayer-id: $TAXPAYER\"".to_owned()),
            "idempotency-key" => {
                lines.push("-H \"Idempotency-Key: $UNIQUE_TO_THIS_REQUEST\"".to_owned());
            }
            _ if parameter.required => {
                lines.push(format!("-H \"{0}: ${0}\"", parameter.name));
            }
            _ => {}
        }
    }
    if let Some(body) = body {
        lines.push(format!("-H \"Content-Type: {}\"", body.media_type));
        lines.push("--data-binary @body".to_owned());
    }
    lines.join(" \\\n  ")
}

/// The list of all operations.
#[derive(Template)]
#[template(path = "docs/reference.html")]
pub(super) struct List {
    around: Around,
    about: Vec<Block>,
    groups: Vec<Group>,
}

/// The operations of a tag.
struct Group {
    name: String,
    about: Vec<Block>,
    operations: Vec<&'static Operation>,
}

impl List {
    pub(super) fn new(around: Around) -> Self {
        let tags =
            items(&document()["tags"]).map(|tag| (text(tag, "name"), text(tag, "description")));
        let events =
            ("Events", "Webhook endpoints receive these events, and GET /events lists them.");
        let groups = tags.chain([events]).map(|(name, about)| Group {
            name: name.to_owned(),
            about: prose::blocks(about),
            operations: OPERATIONS.iter().filter(|operation| operation.tag == name).collect(),
        });
        List {
            around,
            about: prose::blocks(text(&document()["info"], "description")),
            groups: groups.collect(),
        }
    }
}

/// The page of an operation.
#[derive(Template)]
#[template(path = "docs/operation.html")]
pub(super) struct ReferencePage {
    around: Around,
    operation: &'static Operation,
    about: Vec<Block>,
}

impl ReferencePage {
    /// The page of an operation by its id.
    pub(super) fn of(id: &str) -> Option<Self> {
        let operation = OPERATIONS.iter().find(|operation| operation.id == id)?;
        let about = prose::blocks(&operation.description);
        Some(ReferencePage {
            around: Around::new(&operation.summary, "reference"),
            operation,
            about,
        })
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::api::openapi::codes;

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
        let listed = List::new(Around::new("Reference", "reference"));
        let listed: usize = listed.groups.iter().map(|group| group.operations.len()).sum();
        assert_eq!(listed, OPERATIONS.len());
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
        let of = |id: &str| &OPERATIONS.iter().find(|it| it.id == id).unwrap().curl;
        let send = of("send_invoice");
        for part in [
            "-X POST \"$API/v1/invoices\"",
            "Authorization: Api-Key $KEY",
            "x-ae-taxpayer-id: $TAXPAYER",
            "Idempotency-Key",
            "Content-Type: application/json",
            "--data-binary @body",
        ] {
            assert!(send.contains(part), "{part}: {send}");
        }
        let get = of("get_document");
        assert!(get.contains("\"$API/v1/invoices/$DOCUMENT_ID\""), "{get}");
        assert!(!get.contains("-X ") && !get.contains("--data"), "{get}");
        assert!(of("exchange_token").contains("-u \"$CLIENT:$SECRET\""));
    }

    #[test]
    fn a_request_on_the_command_line_has_the_queries_that_are_required_and_no_others() {
        let of = |id: &str| &OPERATIONS.iter().find(|it| it.id == id).unwrap().curl;
        let archive = of("create_archive");
        let address = "\"$API/v1/archives?issued_from=$ISSUED_FROM&issued_to=$ISSUED_TO\"";
        assert!(archive.contains(address), "{archive}");
        assert!(of("list_documents").contains("\"$API/v1/invoices\""));
        let marked = |page: &str| page.matches("</code> <span class=\"needed\">").count();
        let page = ReferencePage::of("create_archive").unwrap().render().unwrap();
        // Both ends of the period. The taxpayer is required only with an API key.
        let table = page.split("</table>").next().unwrap();
        assert_eq!(marked(table), 2, "{table}");
        for name in ["issued_from", "issued_to"] {
            assert!(page.contains(&format!("data-name=\"{name}\" required ")), "{name}");
        }
    }

    #[test]
    fn a_request_on_the_command_line_follows_where_the_answer_leads_and_keeps_a_file() {
        for operation in OPERATIONS.iter().filter(|it| !it.curl.is_empty()) {
            let follows = operation.curl.starts_with("curl -sL ");
            assert_eq!(follows, leads_elsewhere(&operation.answers), "{}", operation.id);
        }
        let kept = OPERATIONS.iter().filter(|it| it.curl.contains(" -o file "));
        let kept: Vec<_> = kept.map(|it| it.id.as_str()).collect();
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
        assert!(import.curl.contains("Content-Type: application/x-ndjson"), "{}", import.curl);
        let page = ReferencePage::of("create_import").unwrap().render().unwrap();
        assert!(page.contains("data-type=\"application/x-ndjson\""));
    }
}
