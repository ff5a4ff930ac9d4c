//! Requests as `curl` commands.

use super::{Content, Credential, Reply, Request, variable};

/// The request as a command.
pub(super) fn written(request: &Request<'_>) -> String {
    let options = match (request.follows, request.reply) {
        (true, Reply::File) => "-sL -o file",
        (true, _) => "-sL",
        (false, _) => "-s",
    };
    let verb = match request.method {
        "GET" => String::new(),
        method => format!("-X {method} "),
    };
    let mut lines = vec![format!("curl {options} {verb}\"$API/v1{}\"", request.path)];
    match request.credential {
        Credential::ApiKey => lines.push("-H \"Authorization: Api-Key $KEY\"".to_owned()),
        Credential::ClientSecret => lines.push("-u \"$CLIENT:$SECRET\"".to_owned()),
        Credential::None => {}
    }
    lines.extend(request.headers.iter().map(|(name, value)| format!("-H \"{name}: {value}\"")));
    lines.extend(content(&request.content));
    lines.join(" \\\n  ")
}

/// The body and its type.
fn content(content: &Content<'_>) -> Vec<String> {
    let kind = |media_type: &str| format!("-H \"Content-Type: {media_type}\"");
    // A quotation mark ends the text of the shell; after a backslash it is a character.
    let raw = |text: &str| format!("--data-raw '{}'", text.replace('\'', r"'\''"));
    match content {
        Content::None => Vec::new(),
        Content::Form(names) => {
            let field = |name: &&str| format!("--data-urlencode \"{name}={}\"", variable(name));
            names.iter().map(field).collect()
        }
        Content::Json(text) => vec![kind("application/json"), raw(text)],
        Content::Text { media_type, text } => vec![kind(media_type), raw(text)],
        Content::File { media_type } => vec![kind(media_type), "--data-binary @file".to_owned()],
    }
}
