//! Requests as `curl` commands that are complete.

use serde_json::Value;

use super::{Answer, Body, Parameter};

/// The request as a `curl` command, with variables for the caller's values.
pub(super) fn request(
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
    lines.extend(body.into_iter().flat_map(data));
    lines.join(" \\\n  ")
}

/// The body and its type.
fn data(body: &Body) -> Vec<String> {
    if body.media_type == "application/x-www-form-urlencoded" {
        let required = body.fields.iter().filter(|field| field.required);
        let data = |name: &str| format!("--data-urlencode \"{name}=${}\"", name.to_uppercase());
        return required.map(|field| data(&field.path)).collect();
    }
    let kind = format!("-H \"Content-Type: {}\"", body.media_type);
    if body.example.is_empty() {
        return vec![kind, "--data-binary @file".to_owned()];
    }
    // A quotation mark ends the text of the shell; after a backslash it is a character.
    let text = body.example.trim_end().replace('\'', r"'\''");
    vec![kind, format!("--data-raw '{text}'")]
}

/// Whether an answer may be a redirect to a file.
pub(super) fn leads_elsewhere(answers: &[Answer]) -> bool {
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
