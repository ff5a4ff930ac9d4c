//! `access-point listen`: the events of a Sandbox, forwarded to the integrator's own program.

use std::time::Duration;

use jiff::{SignedDuration, Timestamp, tz::TimeZone};
use serde_json::{Value, json};

use super::{
    CREDENTIALS, Error,
    api::{Api, PAGE, Trouble},
    cell,
    credentials::credentials,
    forward::{Forward, pause, secret},
    plain, print,
    tail::Tail,
};
use crate::{
    cli::{block_on, complain},
    environment::Environment,
    types::{Clock, SystemClock},
};

/// Forward Sandbox events to a local program
///
/// Forwards the events of a Sandbox as they happen, signed like webhooks. Shows the signing secret at the start. The secret
/// stays the same if a credentials file exists. An event is forwarded once the program answers with any status. If the
/// program or the service does not answer, later events wait. Ctrl-C ends it.
#[derive(clap::Args)]
#[command(after_help = CREDENTIALS)]
pub(in crate::cli) struct Args {
    /// Address of the program, such as http://localhost:3000/hook
    #[arg(long, value_name = "URL")]
    pub(super) forward: String,
    /// Only events of this type
    #[arg(long = "type", value_name = "TYPE")]
    kind: Option<String>,
    /// Print a line of JSON for each event
    #[arg(long)]
    json: bool,
}

/// Between two looks.
const EVERY: Duration = Duration::from_secs(1);

/// Listens until it is stopped.
pub(super) fn run(args: Args) -> Result<(), Error> {
    let environment = Environment::of_process();
    block_on(async {
        let api = Api::new(&credentials(&environment)?)?;
        let forward = Forward::to(&args.forward, secret(&environment)?)?;
        let mut listening = Listening::begin(api, forward, args).await?;
        let stopped = tokio::select! {
            stopped = listening.listen() => stopped,
            _ = tokio::signal::ctrl_c() => Ok(()),
        };
        complain(&format!("access-point: {} events were forwarded\n", listening.forwarded));
        stopped
    })
}

/// What listens.
pub(super) struct Listening {
    api: Api,
    forward: Forward,
    wanted: Option<String>,
    json: bool,
    tail: Tail,
    pub(super) forwarded: usize,
    /// Failures in a row, of the service or of the program.
    failures: u32,
}

impl Listening {
    /// Begins with what happens from now on.
    pub(super) async fn begin(api: Api, forward: Forward, args: Args) -> Result<Self, Error> {
        let me = api.get("/me", &[]).await?;
        if me["environment"] != "sandbox" {
            let why = "listen works only in Sandbox: use a key that starts with pk_test_";
            return Err(Error::Unreadable(why.to_owned()));
        }
        let Args { kind: wanted, json, .. } = args;
        let (tail, forwarded, failures) = (Tail::default(), 0, 0);
        let mut listening = Listening { api, forward, wanted, json, tail, forwarded, failures };
        listening.know_all().await?;
        let (url, secret) = (listening.forward.url(), listening.forward.secret().expose());
        let text = match json {
            true => json!({"listening": cell(&me["organization_name"]), "forward": url, "secret": secret}).to_string(),
            false => format!("{}: forwarding to {url}\nSigning secret: {secret}", cell(&me["organization_name"])),
        };
        print(format!("{text}\n").as_bytes())?;
        Ok(listening)
    }

    /// Listens until an error that a retry does not resolve.
    pub(super) async fn listen(&mut self) -> Result<(), Error> {
        loop {
            match self.look().await {
                Ok(items) => {
                    self.failures = 0;
                    for item in self.tail.fresh(items) {
                        self.deliver(&item).await?;
                        self.tail.know(&item);
                    }
                    self.tail.looked();
                    tokio::time::sleep(EVERY).await;
                }
                Err(Trouble::Away(why)) => self.wait(&why).await,
                // The key was revoked, for example: nobody would get anything any more.
                Err(refused) => return Err(refused.into()),
            }
        }
    }

    /// Takes what is in the list already as known, as far back as there is room for it.
    async fn know_all(&mut self) -> Result<(), Trouble> {
        let Listening { api, tail, wanted, .. } = self;
        let wanted: Vec<_> = wanted.iter().map(|wanted| ("type", wanted.as_str())).collect();
        let take = |items: Vec<Value>| {
            let has_room = items.iter().all(|item| tail.know_before(item));
            if has_room { PAGE } else { 0 }
        };
        api.pages("/events", &wanted, PAGE, take).await?;
        tail.looked();
        Ok(())
    }

    /// What is in the list and not known.
    async fn look(&self) -> Result<Vec<Value>, Trouble> {
        let from = self.tail.from().map(instant);
        let from = from.iter().map(|from| ("created_from", from.as_str()));
        let wanted = self.wanted.iter().map(|wanted| ("type", wanted.as_str()));
        let query: Vec<_> = from.chain(wanted).collect();
        let mut found = Vec::new();
        let take = |items: Vec<Value>| {
            found.extend(items.into_iter().filter(|item| self.tail.is_new(item)));
            PAGE
        };
        self.api.pages("/events", &query, PAGE, take).await?;
        Ok(found)
    }

    /// Forwards an event until it is answered.
    async fn deliver(&mut self, item: &Value) -> Result<(), Error> {
        loop {
            let done = self.forward.post(&item["payload"]).await;
            match done.answer {
                Ok(status) => {
                    self.failures = 0;
                    self.forwarded += 1;
                    return self.tell(item, status, done.took);
                }
                Err(why) => self.wait(&format!("{}: {}", self.forward.url(), why.message)).await,
            }
        }
    }

    async fn wait(&mut self, why: &str) {
        self.failures += 1;
        let pause = pause(self.failures);
        complain(&format!("access-point: {}; retrying in {} s\n", plain(why), pause.as_secs()));
        tokio::time::sleep(pause).await;
    }

    fn tell(&self, item: &Value, status: u16, took: SignedDuration) -> Result<(), Error> {
        let millis = took.as_millis();
        let line = match self.json {
            true => json!({
                "event_id": item["event_id"], "type": item["type"], "created_at": item["created_at"],
                "test": item["test"], "status": status, "duration_ms": u64::try_from(millis).unwrap_or(0),
            })
            .to_string(),
            false => {
                let time = SystemClock.now().to_zoned(TimeZone::UTC).strftime("%H:%M:%S");
                let (kind, id) = (cell(&item["type"]), cell(&item["event_id"]));
                format!("{time}  {status}  {millis:>5} ms  {kind:<17}  {id}")
            }
        };
        print(format!("{line}\n").as_bytes())
    }
}

/// An instant as a query has it.
fn instant(at: Timestamp) -> String {
    at.strftime("%Y-%m-%dT%H:%M:%S%.3fZ").to_string()
}
