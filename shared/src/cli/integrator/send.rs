//! `access-point send`: documents from files.

use std::fs;

use http::{HeaderMap, HeaderName, HeaderValue};
use serde_json::{Value, json};

use super::{
    CREDENTIALS, Error,
    api::{Api, Trouble, finding, refusal},
    cell,
    credentials::credentials,
    print,
};
use crate::{
    cli::{block_on, kind::instead_of_json, one_of},
    document::Operation,
    environment::Environment,
    types::sha256_hex,
};

/// Send documents
///
/// Sends bodies of the send operations, or what `access-point content` and GET …/content return. Prints a line for each file:
/// file, document_id, status and total, with its findings below.
#[derive(clap::Args)]
#[command(after_help = CREDENTIALS)]
pub(in crate::cli) struct Args {
    /// Kind of the documents; default: the kind that each body shows
    #[arg(long = "type", value_name = "TYPE", value_parser = one_of(Operation::ALL, Operation::as_str))]
    kind: Option<Operation>,
    /// Idempotency key, for one file. Without it the key is derived from taxpayer, type and content: sending a document again
    /// does not send it twice
    #[arg(long, value_name = "KEY")]
    idempotency_key: Option<String>,
    /// Send through the queues: accepted now, sent later
    #[arg(long = "async")]
    is_async: bool,
    /// Print a line of JSON for each file
    #[arg(long)]
    json: bool,
    /// The documents
    #[arg(value_name = "FILE.json", required = true)]
    files: Vec<String>,
}

/// Sends every file; a refused file does not stop the others.
pub(super) fn run(args: &Args) -> Result<(), Error> {
    if args.files.len() > 1 && args.idempotency_key.is_some() {
        return Err(Error::Usage("--idempotency-key is for one file".to_owned()));
    }
    block_on(send_all(args, &Environment::of_process()))
}

pub(super) async fn send_all(args: &Args, environment: &Environment) -> Result<(), Error> {
    let credentials = credentials(environment)?;
    let Some(taxpayer) = &credentials.taxpayer_id else {
        let why = "ACCESS_POINT_TAXPAYER is not set: set it to the taxpayer that sends";
        return Err(Error::Unreadable(why.to_owned()));
    };
    let api = Api::new(&credentials)?;
    let (mut refused, mut away) = (false, None);
    for path in &args.files {
        let bytes = fs::read(path).map_err(|why| Error::Unreadable(format!("{path}: {why}")))?;
        let body = Body::read(&bytes, args.kind)
            .map_err(|why| Error::Unreadable(format!("{path}: {why}")))?;
        match send(&api, args, taxpayer, &body).await {
            Ok((status, document)) => print_result(args, path, status, &document)?,
            Err(Trouble::Refused(status, detail)) => {
                refused = true;
                let line = match args.json {
                    true => {
                        json!({"file": path, "http_status": status, "error": detail}).to_string()
                    }
                    false => format!("{path}  {}", refusal(status, &detail)),
                };
                print(format!("{line}\n").as_bytes())?;
            }
            Err(Trouble::Away(why)) => {
                // The others would fare no better.
                away = Some(format!("{path}: {why}"));
                break;
            }
        }
    }
    match away {
        Some(why) => Err(Error::Away(why)),
        None if refused => Err(Error::Refused),
        None => Ok(()),
    }
}

async fn send(
    api: &Api,
    args: &Args,
    taxpayer: &str,
    body: &Body,
) -> Result<(u16, Value), Trouble> {
    let key = match &args.idempotency_key {
        Some(key) => key.clone(),
        None => body.key(taxpayer),
    };
    let mut headers = HeaderMap::new();
    let key = HeaderValue::try_from(key).map_err(|_| {
        let why = "--idempotency-key contains characters that are not allowed";
        Trouble::Refused(400, json!({"code": "invalid_request", "message": why}))
    })?;
    headers.insert(HeaderName::from_static("idempotency-key"), key);
    if args.is_async {
        let prefer = HeaderName::from_static("prefer");
        headers.insert(prefer, HeaderValue::from_static("respond-async"));
    }
    api.post(path(body.operation), headers, body.bytes.clone()).await
}

fn print_result(args: &Args, path: &str, status: u16, document: &Value) -> Result<(), Error> {
    if args.json {
        let line = json!({"file": path, "http_status": status, "document": document});
        return print(format!("{line}\n").as_bytes());
    }
    let (total, currency) = (cell(&document["total_with_vat"]), cell(&document["currency"]));
    let (id, state) = (cell(&document["document_id"]), cell(&document["status"]));
    let mut lines = format!("{path}  {id}  {state}  {total} {currency}\n");
    for warning in document["warnings"].as_array().into_iter().flatten() {
        lines.push_str(&format!("  {}\n", finding(warning)));
    }
    print(lines.as_bytes())
}

fn path(operation: Operation) -> &'static str {
    match operation {
        Operation::Invoice => "/invoices",
        Operation::CreditNote => "/credit-notes",
        Operation::SelfBilledInvoice => "/self-billing/invoices",
        Operation::SelfBilledCreditNote => "/self-billing/credit-notes",
    }
}

/// What is sent.
struct Body {
    operation: Operation,
    bytes: Vec<u8>,
}

impl Body {
    /// The body in a file, and which operation it is for.
    fn read(bytes: &[u8], asked: Option<Operation>) -> Result<Self, String> {
        let mut value: Value =
            serde_json::from_slice(bytes).map_err(|why| match instead_of_json(bytes) {
                Some(said) => said.to_owned(),
                None => format!("this is no valid JSON: {why}"),
            })?;
        // As `content` has it, with the type beside it.
        if value["content"].is_object() && value["type"].is_string() {
            let name = value["type"].as_str().unwrap_or_default();
            let named =
                Operation::from_name(name).ok_or_else(|| format!("there is no type {name:?}"))?;
            let bytes = value["content"].take().to_string().into_bytes();
            return Ok(Body { operation: asked.unwrap_or(named), bytes });
        }
        let operation = match asked {
            Some(operation) => operation,
            None => {
                Operation::of_body(&value).ok_or("the body does not show its type: set --type")?
            }
        };
        Ok(Body { operation, bytes: bytes.to_vec() })
    }

    /// A key that is the same whenever the same is sent for the same taxpayer.
    fn key(&self, taxpayer: &str) -> String {
        let hashed = [taxpayer.as_bytes(), self.operation.as_str().as_bytes(), &self.bytes];
        format!("cli-{}", sha256_hex(&hashed.join(&b'\n')))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_samples_show_what_they_are() {
        let samples = [
            ("invoice", include_str!("../../../../events/invoices/minimal.json")),
            ("credit_note", include_str!("../../../../events/credit-notes/external.json")),
            (
                "self_billed_invoice",
                include_str!("../../../../events/self-billing/invoices/reverse-charge.json"),
            ),
            (
                "self_billed_credit_note",
                include_str!("../../../../events/self-billing/credit-notes/external.json"),
            ),
        ];
        for (name, text) in samples {
            let body = Body::read(text.as_bytes(), None).unwrap();
            assert_eq!((body.operation.as_str(), body.bytes.as_slice()), (name, text.as_bytes()));
            let content = json!({"type": name, "content": {"a": 1}, "unmapped": []}).to_string();
            let body = Body::read(content.as_bytes(), None).unwrap();
            assert_eq!((body.operation.as_str(), body.bytes.as_slice()), (name, &b"{\"a\":1}"[..]));
        }
        for text in ["{}", r#"{"invoice_number": "1"}"#, "[]", "1", "{", r#"{"customer": {}}"#] {
            assert!(Body::read(text.as_bytes(), None).is_err(), "{text}");
        }
        let named = Body::read(b"{}", Some(Operation::CreditNote)).unwrap();
        assert_eq!(named.operation, Operation::CreditNote);
        let order = json!({"type": "order", "content": {}}).to_string();
        assert!(Body::read(order.as_bytes(), None).is_err());
    }

    #[test]
    fn the_key_follows_from_what_is_sent_and_for_whom() {
        let body = |bytes: &[u8], operation| Body { operation, bytes: bytes.to_vec() };
        let one = body(b"{}", Operation::Invoice).key("txpay_1");
        assert_eq!(one, body(b"{}", Operation::Invoice).key("txpay_1"));
        for other in [
            body(b"{ }", Operation::Invoice).key("txpay_1"),
            body(b"{}", Operation::CreditNote).key("txpay_1"),
            body(b"{}", Operation::Invoice).key("txpay_2"),
        ] {
            assert_ne!(one, other);
        }
    }
}
