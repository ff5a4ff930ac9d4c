//! The request of an operation as programs make it. `$NAME` stands for a value of the caller.

mod curl;
mod python;
mod typescript;

use super::{Answer, Body, Operation, Parameter};
use crate::docs::snippet::{Snippet, Tab, located};

/// How a request names its caller.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::docs) enum Credential {
    /// The operation needs none, or takes it in the body.
    None,
    ApiKey,
    /// Id and secret of an OAuth client (RFC 6749, section 2.3.1).
    ClientSecret,
}

/// A request that is complete but for the values of the caller.
#[derive(Debug)]
pub(super) struct Request<'a> {
    method: &'a str,
    /// Path and query.
    pub(super) path: String,
    credential: Credential,
    pub(super) headers: Vec<(&'a str, String)>,
    pub(super) content: Content<'a>,
    /// Whether the answer may lead to a file at another address.
    pub(super) follows: bool,
    reply: Reply,
}

/// The body of a request.
#[derive(Debug)]
pub(super) enum Content<'a> {
    None,
    /// The names of the fields that are required.
    Form(Vec<&'a str>),
    Json(&'a str),
    Text {
        media_type: &'a str,
        text: &'a str,
    },
    /// A file of the caller.
    File {
        media_type: &'a str,
    },
}

/// The body of an answer that is a success.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Reply {
    None,
    Json,
    Text,
    File,
}

impl<'a> Request<'a> {
    /// The request of an operation.
    pub(super) fn of(operation: &'a Operation) -> Self {
        let follows = operation.answers.iter().any(|answer| answer.status == "307");
        Request {
            method: &operation.method,
            path: address(&operation.path, &operation.parameters),
            credential: operation.credential,
            headers: headers(&operation.parameters),
            content: operation.body().map_or(Content::None, content),
            follows,
            reply: reply(&operation.answers, follows),
        }
    }

    /// The request as a `curl` command, and as a program in each other language.
    pub(super) fn tabs(&self) -> Vec<Tab> {
        let tab = |language, file, text: &str| Tab {
            language,
            file,
            snippet: Snippet::file(format!("request-{file}"), file, located(text)),
        };
        vec![
            tab("curl", "request.sh", &curl::written(self)),
            tab("Python", "request.py", &python::written(self)),
            tab("TypeScript", "request.ts", &typescript::written(self)),
        ]
    }

    #[cfg(test)]
    pub(super) fn curl(&self) -> String {
        curl::written(self)
    }
}

/// The path with variables, and the query with the parameters that are required.
fn address(path: &str, parameters: &[Parameter]) -> String {
    let path = path.split('/').map(|part| match part.strip_prefix('{') {
        Some(name) => variable(name.trim_end_matches('}')),
        None => part.to_owned(),
    });
    let path = path.collect::<Vec<_>>().join("/");
    let needed = parameters.iter().filter(|it| it.place == "query" && it.required);
    let query: Vec<_> = needed.map(|it| format!("{}={}", it.name, variable(&it.name))).collect();
    if query.is_empty() { path } else { format!("{path}?{}", query.join("&")) }
}

/// The headers that a caller sets, other than those of credential and body.
fn headers(parameters: &[Parameter]) -> Vec<(&str, String)> {
    let value = |parameter: &Parameter| match parameter.name.to_lowercase().as_str() {
        "x-ae-taxpayer-id" => Some("$TAXPAYER".to_owned()),
        "idempotency-key" => Some("$UNIQUE_TO_THIS_REQUEST".to_owned()),
        _ => parameter.required.then(|| variable(&parameter.name)),
    };
    let in_headers = parameters.iter().filter(|parameter| parameter.place == "header");
    in_headers.filter_map(|it| Some((it.name.as_str(), value(it)?))).collect()
}

fn content(body: &Body) -> Content<'_> {
    let media_type = body.media_type.as_str();
    match body.example.trim_end() {
        _ if media_type == "application/x-www-form-urlencoded" => {
            let required = body.fields.iter().filter(|field| field.required);
            Content::Form(required.map(|field| field.path.as_str()).collect())
        }
        "" => Content::File { media_type },
        text if media_type == "application/json" => Content::Json(text),
        text => Content::Text { media_type, text },
    }
}

fn reply(answers: &[Answer], follows: bool) -> Reply {
    let is_text = |body: &Body| {
        let media_type = &body.media_type;
        media_type.starts_with("text/") || ["json", "xml"].iter().any(|it| media_type.ends_with(it))
    };
    if follows && !answers.iter().flat_map(|answer| &answer.bodies).any(is_text) {
        return Reply::File;
    }
    let successes = answers.iter().filter(|answer| answer.status.starts_with('2'));
    let bodies: Vec<_> = successes.flat_map(|answer| &answer.bodies).collect();
    match bodies.as_slice() {
        [] => Reply::None,
        bodies if bodies.iter().all(|body| body.media_type.ends_with("json")) => Reply::Json,
        bodies if bodies.iter().all(|body| is_text(body)) => Reply::Text,
        _ => Reply::File,
    }
}

/// The variable for a value of the caller.
fn variable(name: &str) -> String {
    format!("${}", name.replace('-', "_").to_uppercase())
}

/// The lines of a text, each but the first after an indent. Indents of the text itself are two spaces wide, and become as
/// wide as the program's.
fn indented(text: &str, level: usize, width: usize) -> String {
    let line = |line: &str| {
        let own = line.len() - line.trim_start_matches(' ').len();
        format!("{}{}", " ".repeat((level + own / 2) * width), line.trim_start_matches(' '))
    };
    text.lines().map(line).collect::<Vec<_>>().join("\n").trim_start().to_owned()
}
