//! The commands of `access-point`, one file each. They are part of the crate, and not of the program,
//! for the same reason as the functions (see `lambda/functions.rs`).

#[cfg(feature = "service")]
mod client;
mod content;
mod convert;
#[cfg(feature = "desk")]
mod desk;
#[cfg(feature = "service")]
mod grant;
#[cfg(feature = "service")]
mod key;
#[cfg(feature = "service")]
mod member;
#[cfg(feature = "service")]
mod mls_sla;
#[cfg(feature = "service")]
mod openapi;
#[cfg(feature = "service")]
mod operate;
#[cfg(feature = "service")]
mod org;
mod out;
#[cfg(feature = "service")]
mod peppol_report;
#[cfg(feature = "service")]
mod redrive;
#[cfg(feature = "service")]
mod refile;
#[cfg(feature = "service")]
mod register;
#[cfg(feature = "service")]
mod render;
#[cfg(feature = "service")]
mod reseal;
mod rules_drift;
#[cfg(feature = "service")]
mod seed;
#[cfg(feature = "service")]
mod serve;
#[cfg(feature = "service")]
mod smp_register;
#[cfg(feature = "service")]
mod subscription;
#[cfg(feature = "desk")]
mod table;
mod taxdata;
#[cfg(feature = "service")]
mod taxpayer;
mod validate;

use std::{
    fmt,
    io::{self, Write},
    process::ExitCode,
};

use lexopt::prelude::*;

#[cfg(feature = "service")]
use crate::{
    config::{DeliveryConfig, Environment},
    error::Failure,
    lambda::{aws, sealing_keys},
    service::Context,
    webhook::SealingKeys,
};

const USAGE: &str = "\
access-point COMMAND [OPTION…]

Commands of an integrator at the desk, with an API key:
  login         a key into a file of credentials
  send          documents from files
  import        many documents from one file
  documents     what was sent and received
  events        what happened
  listen        the events of a Sandbox, forwarded to a program at the desk
  trigger       a test event

Commands without any key, and those of who operates a deployment, with its environment:
  client        the OAuth clients of organizations
  completions   what a shell offers while a command is typed
  content       PINT-AE UBL to JSON documents
  convert       JSON documents to PINT-AE UBL
  grant         what taxpayers granted an organization
  key           the API keys of organizations
  member        the people of organizations
  mls-sla       how well Message Level Statuses are sent
  openapi       the OpenAPI document of the HTTP interface
  org           integrators' accounts
  peppol-report what OpenPeppol is told about a month
  redrive       what was parked goes on its way again
  refile        reports to the tax authority that did not hold, again
  register      taxpayers in the network, and out of it
  render        documents as people read them
  reseal        signing secrets under the current sealing key
  rules-drift   what a new official release changes in the rules
  seed          demo data for a deployment
  serve         messages of other access points, without Lambda
  smp-register  our SMP announced to the SML
  subscription  what organizations have paid for in Live
  taxdata       UBL to the Tax Data Documents that report it
  taxpayer      creates, shows, suspends and resumes taxpayers
  validate      documents judged by schema and rules

access-point COMMAND --help tells a command's options.
";

/// Why a command did not do its work.
#[derive(Debug)]
pub(crate) enum Error {
    /// The command line is wrong: exit status 2, with the command's usage.
    Usage(String, &'static str),
    /// The work was done and its result is negative, already reported: exit status 1.
    Refused,
    /// Something else went wrong: exit status 1.
    Failed(String),
    /// What is to be judged, or whom a command acts for, cannot be read: exit status 2.
    Unreadable(String),
    /// A service did not answer, or said to come again: exit status 3.
    #[cfg(feature = "desk")]
    Away(String),
}

impl Error {
    /// What cannot be read, written or understood, and why.
    pub(crate) fn failed(what: impl fmt::Display, why: impl fmt::Display) -> Self {
        Error::Failed(format!("{what}: {why}"))
    }
}

#[cfg(feature = "service")]
impl From<Failure> for Error {
    fn from(Failure { message, findings, source, .. }: Failure) -> Self {
        let lines =
            findings.iter().map(|it| format!("\n{}: {} ({})", it.pointer, it.message, it.rule));
        let message = message + &lines.collect::<String>();
        match source {
            Some(source) => Error::failed(message, source),
            None => Error::Failed(message),
        }
    }
}

#[cfg(feature = "desk")]
impl From<io::Error> for Error {
    fn from(why: io::Error) -> Self {
        Error::failed("the runtime", why)
    }
}

/// Runs the command that the arguments name.
pub fn run(mut arguments: lexopt::Parser) -> ExitCode {
    // A further command is one more arm here and one more line in the usage.
    let outcome = match arguments.next() {
        Ok(Some(Value(command))) => match command.to_str() {
            #[cfg(feature = "service")]
            Some("client") => client::run(arguments),
            #[cfg(feature = "desk")]
            Some("completions") => desk::completions::run(arguments, &usages()),
            Some("content") => content::run(arguments),
            Some("convert") => convert::run(arguments),
            #[cfg(feature = "desk")]
            Some("documents") => desk::documents::run(arguments),
            #[cfg(feature = "desk")]
            Some("events") => desk::events::run(arguments),
            #[cfg(feature = "service")]
            Some("grant") => grant::run(arguments),
            #[cfg(feature = "desk")]
            Some("import") => desk::import::run(arguments),
            #[cfg(feature = "service")]
            Some("key") => key::run(arguments),
            #[cfg(feature = "desk")]
            Some("listen") => desk::listen::run(arguments),
            #[cfg(feature = "desk")]
            Some("login") => desk::login::run(arguments),
            #[cfg(feature = "service")]
            Some("member") => member::run(arguments),
            #[cfg(feature = "service")]
            Some("mls-sla") => mls_sla::run(arguments),
            #[cfg(feature = "service")]
            Some("openapi") => openapi::run(arguments),
            #[cfg(feature = "service")]
            Some("org") => org::run(arguments),
            #[cfg(feature = "service")]
            Some("peppol-report") => peppol_report::run(arguments),
            #[cfg(feature = "service")]
            Some("redrive") => redrive::run(arguments),
            #[cfg(feature = "service")]
            Some("refile") => refile::run(arguments),
            #[cfg(feature = "service")]
            Some("register") => register::run(arguments),
            #[cfg(feature = "service")]
            Some("render") => render::run(arguments),
            #[cfg(feature = "service")]
            Some("reseal") => reseal::run(arguments),
            Some("rules-drift") => rules_drift::run(arguments),
            #[cfg(feature = "service")]
            Some("seed") => seed::run(arguments),
            #[cfg(feature = "desk")]
            Some("send") => desk::send::run(arguments),
            #[cfg(feature = "service")]
            Some("serve") => serve::run(arguments),
            #[cfg(feature = "service")]
            Some("smp-register") => smp_register::run(arguments),
            #[cfg(feature = "service")]
            Some("subscription") => subscription::run(arguments),
            Some("taxdata") => taxdata::run(arguments),
            #[cfg(feature = "service")]
            Some("taxpayer") => taxpayer::run(arguments),
            #[cfg(feature = "desk")]
            Some("trigger") => desk::trigger::run(arguments),
            Some("validate") => validate::run(arguments),
            _ => Err(Error::Usage(format!("unknown command {}", command.display()), USAGE)),
        },
        Ok(Some(Long("help") | Short('h'))) => print(USAGE.as_bytes()),
        Ok(Some(other)) => Err(Error::Usage(other.unexpected().to_string(), USAGE)),
        Ok(None) => Err(Error::Usage("a command is missing".to_owned(), USAGE)),
        Err(error) => Err(Error::Usage(error.to_string(), USAGE)),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(Error::Refused) => ExitCode::from(1),
        Err(Error::Failed(message)) => {
            complain(&format!("access-point: {message}\n"));
            ExitCode::from(1)
        }
        Err(Error::Unreadable(message)) => {
            complain(&format!("access-point: {message}\n"));
            ExitCode::from(2)
        }
        #[cfg(feature = "desk")]
        Err(Error::Away(message)) => {
            complain(&format!("access-point: {message}\n"));
            ExitCode::from(3)
        }
        Err(Error::Usage(message, usage)) => {
            complain(&format!("access-point: {message}\n\n{usage}"));
            ExitCode::from(2)
        }
    }
}

/// The usage of each command.
#[cfg(feature = "desk")]
fn usages() -> Vec<(&'static str, &'static str)> {
    vec![
        #[cfg(feature = "service")]
        ("client", client::USAGE),
        ("completions", desk::completions::USAGE),
        ("content", content::USAGE),
        ("convert", convert::USAGE),
        ("documents", desk::documents::USAGE),
        ("events", desk::events::USAGE),
        #[cfg(feature = "service")]
        ("grant", grant::USAGE),
        ("import", desk::import::USAGE),
        #[cfg(feature = "service")]
        ("key", key::USAGE),
        ("listen", desk::listen::USAGE),
        ("login", desk::login::USAGE),
        #[cfg(feature = "service")]
        ("member", member::USAGE),
        #[cfg(feature = "service")]
        ("mls-sla", mls_sla::USAGE),
        #[cfg(feature = "service")]
        ("openapi", openapi::USAGE),
        #[cfg(feature = "service")]
        ("org", org::USAGE),
        #[cfg(feature = "service")]
        ("peppol-report", peppol_report::USAGE),
        #[cfg(feature = "service")]
        ("redrive", redrive::USAGE),
        #[cfg(feature = "service")]
        ("refile", refile::USAGE),
        #[cfg(feature = "service")]
        ("register", register::USAGE),
        #[cfg(feature = "service")]
        ("render", render::USAGE),
        #[cfg(feature = "service")]
        ("reseal", reseal::USAGE),
        ("rules-drift", rules_drift::USAGE),
        #[cfg(feature = "service")]
        ("seed", seed::USAGE),
        ("send", desk::send::USAGE),
        #[cfg(feature = "service")]
        ("serve", serve::USAGE),
        #[cfg(feature = "service")]
        ("smp-register", smp_register::USAGE),
        #[cfg(feature = "service")]
        ("subscription", subscription::USAGE),
        ("taxdata", taxdata::USAGE),
        #[cfg(feature = "service")]
        ("taxpayer", taxpayer::USAGE),
        ("trigger", desk::trigger::USAGE),
        ("validate", validate::USAGE),
    ]
}

/// The text that an option is given.
#[cfg(feature = "desk")]
fn text(arguments: &mut lexopt::Parser) -> Result<String, lexopt::Error> {
    arguments.value()?.string()
}

/// Does what needs the network.
#[cfg(feature = "desk")]
fn block_on<T>(work: impl Future<Output = Result<T, Error>>) -> Result<T, Error> {
    tokio::runtime::Builder::new_current_thread().enable_all().build()?.block_on(work)
}

/// The table of the deployment whose environment the command has, and its sealing keys.
#[cfg(feature = "service")]
async fn table_and_keys() -> Result<(Context, SealingKeys), Error> {
    let environment = Environment::of_process();
    let config = |why| Error::failed("the environment", why);
    let delivery = DeliveryConfig::read(&environment).map_err(config)?;
    let context = Context::start(&environment).await.map_err(config)?;
    let keys = sealing_keys(&aws().await, &delivery.sealing_key_secret_arn).await;
    Ok((context, keys.map_err(|why| Error::failed("the sealing keys", why))?))
}

/// Writes to standard output. A reader that went away early, such as `head`, is no failure.
pub(crate) fn print(bytes: &[u8]) -> Result<(), Error> {
    let mut out = io::stdout().lock();
    match out.write_all(bytes).and_then(|()| out.flush()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            Err(Error::failed("standard output", error))
        }
        _ => Ok(()),
    }
}

/// Writes to standard error. When even that fails there is nobody left to tell.
pub(crate) fn complain(text: &str) {
    let _ = io::stderr().write_all(text.as_bytes());
}

#[cfg(all(test, feature = "desk"))]
mod tests {
    use super::*;

    #[test]
    fn every_command_of_the_usage_has_one_of_its_own_and_the_other_way_round() {
        let lines = USAGE.lines().filter_map(|line| line.strip_prefix("  "));
        let mut listed: Vec<_> = lines.filter_map(|line| line.split(' ').next()).collect();
        listed.sort_unstable();
        assert_eq!(listed, usages().iter().map(|(name, _)| *name).collect::<Vec<_>>());
        for (name, usage) in usages() {
            assert!(usage.starts_with(&format!("access-point {name}")), "{usage}");
        }
    }
}
