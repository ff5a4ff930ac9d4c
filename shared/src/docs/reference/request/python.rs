//! Requests as Python programs with the library `requests`.

use super::{Content, Credential, Reply, Request, indented, variable};

/// The request as a program.
pub(super) fn written(request: &Request<'_>) -> String {
    let mut arguments = vec![format!("\"$API/v1{}\"", request.path)];
    let mut headers = Vec::new();
    match request.credential {
        Credential::ApiKey => headers.push(("Authorization", "Api-Key $KEY".to_owned())),
        Credential::ClientSecret => arguments.push("auth=(\"$CLIENT\", \"$SECRET\")".to_owned()),
        Credential::None => {}
    }
    headers.extend(request.headers.iter().cloned());
    if let Content::Text { media_type, .. } | Content::File { media_type } = request.content {
        headers.push(("Content-Type", media_type.to_owned()));
    }
    if !headers.is_empty() {
        arguments.push(format!("headers={}", dictionary(&headers)));
    }
    arguments.extend(content(&request.content));
    arguments.push("timeout=30".to_owned());
    let method = request.method.to_lowercase();
    let arguments = arguments.join(",\n    ");
    format!(
        "import requests\n\nanswer = requests.{method}(\n    {arguments},\n)\n\
         answer.raise_for_status()\n{}",
        reply(request.reply)
    )
}

fn dictionary(entries: &[(&str, String)]) -> String {
    let line = |(name, value): &(&str, String)| format!("        \"{name}\": \"{value}\",\n");
    format!("{{\n{}    }}", entries.iter().map(line).collect::<String>())
}

fn content(content: &Content<'_>) -> Option<String> {
    Some(match content {
        Content::None => return None,
        Content::Form(names) => {
            let entries: Vec<_> = names.iter().map(|name| (*name, variable(name))).collect();
            format!("data={}", dictionary(&entries))
        }
        Content::Json(text) => format!("json={}", indented(&literal(text), 1, 4)),
        Content::Text { text, .. } => format!("data=r\"\"\"{text}\"\"\".encode()"),
        Content::File { .. } => "data=open(\"file\", \"rb\")".to_owned(),
    })
}

/// JSON as Python writes it: both differ in three words outside strings. `split` gives strings in its odd places, since the
/// quotation marks within strings are set aside.
fn literal(json: &str) -> String {
    let aside = json.replace("\\\"", "\u{0}");
    let part = |(place, part): (usize, &str)| match place % 2 {
        0 => part.replace("true", "True").replace("false", "False").replace("null", "None"),
        _ => part.to_owned(),
    };
    let parts: Vec<_> = aside.split('"').enumerate().map(part).collect();
    parts.join("\"").replace('\u{0}', "\\\"")
}

fn reply(reply: Reply) -> &'static str {
    match reply {
        Reply::None => "print(answer.status_code)",
        Reply::Json => "print(answer.json())",
        Reply::Text => "print(answer.text)",
        Reply::File => "with open(\"file\", \"wb\") as file:\n    file.write(answer.content)",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_words_of_json_become_those_of_python_outside_strings() {
        let json = r#"{"true": true, "a": [null, false], "b": "is \"null\" or true"}"#;
        let python = r#"{"true": True, "a": [None, False], "b": "is \"null\" or true"}"#;
        assert_eq!(literal(json), python);
    }
}
