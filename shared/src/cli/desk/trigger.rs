//! `access-point trigger`: a test event.

use http::HeaderMap;
use serde_json::json;

use super::{
    Error, Given,
    api::Api,
    cell,
    credentials::credentials,
    credentials_usage,
    forward::{Forward, secret},
    print, sample,
};
use crate::{
    cli::block_on,
    environment::Environment,
    types::{SystemClock, SystemRandom},
};

pub(in crate::cli) const USAGE: &str = concat!(
    "\
access-point trigger TYPE (--forward URL | --endpoint we_…) [OPTION…]

Gives a test event to a program: its test is true, and it is about nothing that there is. With --forward it is made here, signed by
the secret of `listen`, and posted to a program at the desk; the service is not asked. With --endpoint the service
delivers it to a webhook endpoint of the organization, as it delivers everything.

  TYPE               taxpayer.created, taxpayer.updated, taxpayer.deleted, document.sent, document.received, document.status,
                     document.reported
  --outcome OUTCOME  of document.reported: accepted, rejected or failed
  --json             a line of JSON
",
    credentials_usage!()
);

/// Triggers one event.
pub(in crate::cli) fn run(arguments: lexopt::Parser) -> Result<(), Error> {
    let valued = ["forward", "endpoint", "outcome"];
    let Some(given) = Given::read(arguments, &valued, &["json"], USAGE)? else {
        return print(USAGE.as_bytes());
    };
    given.at_most(1)?;
    let kind = given.words.first().ok_or_else(|| given.wrong("the type is missing"))?;
    let outcome = given.option("outcome");
    let sample = sample::event(kind, outcome, &SystemClock, &SystemRandom);
    let sample = sample.map_err(|why| given.wrong(why))?;
    let environment = Environment::of_process();
    let (line, text) = match (given.option("forward"), given.option("endpoint")) {
        (Some(url), None) => {
            let forward = Forward::to(url, secret(&environment)?, &given)?;
            let done = block_on(async { Ok(forward.post(&sample).await) })?;
            let status = done.answer.map_err(|why| Error::Away(format!("{url}: {why}")))?;
            let id = cell(&sample["id"]);
            let line = json!({"event_id": id, "type": kind, "test": true, "status": status});
            (line, format!("{status}  {:>5} ms  {kind}  {id}", done.took.as_millis()))
        }
        (None, Some(endpoint)) => {
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
        _ => return Err(given.wrong("one of --forward and --endpoint is needed")),
    };
    let shown = if given.has("json") { line.to_string() } else { text };
    print(format!("{shown}\n").as_bytes())
}
