//! `access-point trigger`: a test event.

use http::HeaderMap;
use serde_json::json;

use super::{
    CREDENTIALS, Error,
    api::Api,
    cell,
    credentials::credentials,
    forward::{Forward, secret},
    print, sample,
};
use crate::{
    cli::block_on,
    environment::Environment,
    types::{SystemClock, SystemRandom},
};

/// Trigger a test event
///
/// Sends a program an event whose `test` is true and that is about no real document or taxpayer. With --forward, this command
/// creates the event, signs it with the secret of `listen`, and posts it to a local program without the service. With
/// --endpoint, the service delivers the event to a webhook endpoint like any other event.
#[derive(clap::Args)]
#[command(after_help = CREDENTIALS)]
pub(in crate::cli) struct Args {
    /// taxpayer.created, taxpayer.updated, taxpayer.deleted, document.sent, document.received, document.status or
    /// document.reported
    #[arg(value_name = "TYPE")]
    kind: String,
    /// Address of a local program
    #[arg(
        long,
        value_name = "URL",
        required_unless_present = "endpoint",
        conflicts_with = "endpoint"
    )]
    forward: Option<String>,
    /// Webhook endpoint of the organization, we_…
    #[arg(long, value_name = "ID")]
    endpoint: Option<String>,
    /// Outcome of document.reported: accepted, rejected or failed
    #[arg(long)]
    outcome: Option<String>,
    /// Print a line of JSON
    #[arg(long)]
    json: bool,
}

/// Triggers one event.
pub(super) fn run(args: &Args) -> Result<(), Error> {
    let (kind, outcome) = (&args.kind, args.outcome.as_deref());
    let sample = sample::event(kind, outcome, &SystemClock, &SystemRandom).map_err(Error::Usage)?;
    let environment = Environment::of_process();
    let (line, text) = match (&args.forward, args.endpoint.as_deref().unwrap_or_default()) {
        (Some(url), _) => {
            let forward = Forward::to(url, secret(&environment)?)?;
            let done = block_on(async { Ok(forward.post(&sample).await) })?;
            let status = done.answer.map_err(|why| Error::Away(format!("{url}: {why}")))?;
            let id = cell(&sample["id"]);
            let line = json!({"event_id": id, "type": kind, "test": true, "status": status});
            (line, format!("{status}  {:>5} ms  {kind}  {id}", done.took.as_millis()))
        }
        (None, endpoint) => {
            let body = json!({"event_type": kind, "outcome": outcome});
            let body = match outcome {
                Some(_) => body,
                None => json!({"event_type": kind}),
            };
            let api = Api::new(&credentials(&environment)?)?;
            let path = format!("/webhook-endpoints/{endpoint}/test");
            let body = body.to_string().into_bytes();
            let posted = block_on(async { Ok(api.post(&path, HeaderMap::new(), body).await?) });
            let (_, delivery) = posted?;
            let (id, status) = (cell(&delivery["event_id"]), cell(&delivery["status"]));
            (delivery, format!("{status}  {kind}  {id}"))
        }
    };
    let shown = if args.json { line.to_string() } else { text };
    print(format!("{shown}\n").as_bytes())
}
