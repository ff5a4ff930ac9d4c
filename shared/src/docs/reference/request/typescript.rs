//! Requests as TypeScript programs, for runtimes with `fetch`.

use super::{Content, Credential, Reply, Request, indented, variable};

/// The request as a program.
pub(super) fn written(request: &Request<'_>) -> String {
    let mut headers = Vec::new();
    match request.credential {
        Credential::ApiKey => headers.push(("Authorization", "\"Api-Key $KEY\"".to_owned())),
        Credential::ClientSecret => {
            headers.push(("Authorization", "`Basic ${btoa(\"$CLIENT:$SECRET\")}`".to_owned()));
        }
        Credential::None => {}
    }
    headers.extend(request.headers.iter().map(|(name, value)| (*name, format!("\"{value}\""))));
    if let Some(media_type) = media_type(&request.content) {
        headers.push(("Content-Type", format!("\"{media_type}\"")));
    }
    let mut options = Vec::new();
    if request.method != "GET" {
        options.push(format!("method: \"{}\"", request.method));
    }
    if !headers.is_empty() {
        options.push(format!("headers: {}", object(&headers)));
    }
    options.extend(content(&request.content).map(|text| format!("body: {text}")));
    let options = match options.join(",\n  ") {
        none if none.is_empty() => none,
        options => format!(", {{\n  {options},\n}}"),
    };
    let path = &request.path;
    format!(
        "{}const answer = await fetch(\"$API/v1{path}\"{options});\n\
         if (!answer.ok) throw new Error(`${{answer.status}} ${{await answer.text()}}`);\n{}",
        imports(request),
        reply(request.reply)
    )
}

fn imports(request: &Request<'_>) -> String {
    let names = match (&request.content, request.reply) {
        (Content::File { .. }, Reply::File) => "readFile, writeFile",
        (Content::File { .. }, _) => "readFile",
        (_, Reply::File) => "writeFile",
        _ => return String::new(),
    };
    format!("import {{ {names} }} from \"node:fs/promises\";\n\n")
}

/// A form has its type from `fetch`.
fn media_type<'a>(content: &Content<'a>) -> Option<&'a str> {
    match *content {
        Content::Json(_) => Some("application/json"),
        Content::Text { media_type, .. } | Content::File { media_type } => Some(media_type),
        Content::None | Content::Form(_) => None,
    }
}

fn object(entries: &[(&str, String)]) -> String {
    let name = |name: &str| match name.contains('-') {
        true => format!("\"{name}\""),
        false => name.to_owned(),
    };
    let line = |(key, value): &(&str, String)| format!("    {}: {value},\n", name(key));
    format!("{{\n{}  }}", entries.iter().map(line).collect::<String>())
}

fn content(content: &Content<'_>) -> Option<String> {
    Some(match content {
        Content::None => return None,
        Content::Form(names) => {
            let entries = names.iter().map(|name| (*name, format!("\"{}\"", variable(name))));
            let entries: Vec<_> = entries.collect();
            format!("new URLSearchParams({})", object(&entries))
        }
        Content::Json(text) => format!("JSON.stringify({})", indented(text, 1, 2)),
        Content::Text { text, .. } => format!("String.raw`{text}`"),
        Content::File { .. } => "await readFile(\"file\")".to_owned(),
    })
}

fn reply(reply: Reply) -> &'static str {
    match reply {
        Reply::None => "console.log(answer.status);",
        Reply::Json => "console.log(await answer.json());",
        Reply::Text => "console.log(await answer.text());",
        Reply::File => "await writeFile(\"file\", new Uint8Array(await answer.arrayBuffer()));",
    }
}
