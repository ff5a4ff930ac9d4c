//! `access-point register`: what a deployment's taxpayers are registered for, as who operates it decides.

use crate::{
    environment::Environment,
    peppol::sml::MigrationKey,
    service::{
        Context,
        register::{begin_registration, prepare_migration, withdraw},
    },
    store::{Register, RegistrationRecord, RegistrationStatus},
    types::{Mode, TaxpayerId},
};
use lexopt::prelude::*;

use super::{Error, block_on, print, text};

const USAGE: &str = "\
access-point register ACTION [OPTION…]

Registers taxpayers in the network, and says how far each is. The register function tells the SML in the
background. Needs the environment of the functions: TABLE_NAME, and access to the table.

Actions:
  list          shows what there is, and why it is not further
  begin         registers, for the four documents of PINT-AE; what is registered stays so
  withdraw      ends a registration, and the listing in the Directory
  migrate-out   lets another SMP take a taxpayer over; shows the key once the SML has it (run it again)

  --mode MODE           live (the default) or sandbox
  --taxpayer txpay_…    one taxpayer; may be repeated
  --all                 every active taxpayer of the mode, by a scan of the table: list and begin alone
  --migration-key KEY   with begin and one taxpayer: the key that its former SMP made
";

/// What is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Action {
    List,
    Begin,
    Withdraw,
    MigrateOut,
}

struct Wanted {
    action: Action,
    mode: Mode,
    taxpayers: Vec<TaxpayerId>,
    all: bool,
    migration_key: Option<MigrationKey>,
}

/// Does what is asked for, for each taxpayer.
pub(super) fn run(arguments: lexopt::Parser) -> Result<(), Error> {
    let Some(wanted) = wanted(arguments)? else { return print(USAGE.as_bytes()) };
    block_on(each(wanted))
}

async fn each(wanted: Wanted) -> Result<(), Error> {
    let context = Context::start(&Environment::of_process())
        .await
        .map_err(|why| Error::failed("the environment", why))?;
    let mut taxpayers = wanted.taxpayers.clone();
    if wanted.all {
        let known = context.store.scan_taxpayers(wanted.mode).await;
        let known = known.map_err(|why| Error::failed("the table", why))?;
        let active = known.into_iter().filter(|one| one.status.as_str() == "active");
        taxpayers.extend(active.map(|one| one.taxpayer_id));
    }
    let mut refused = false;
    for taxpayer in &taxpayers {
        match one(&context, &wanted, taxpayer).await {
            Ok(records) => print(lines(taxpayer, &records).as_bytes())?,
            // The others are not to wait for this one.
            Err(error) => {
                refused = true;
                let Error::Failed(why) = error else { return Err(error) };
                print(format!("{taxpayer}\t{why}\n").as_bytes())?;
            }
        }
    }
    if refused { Err(Error::Refused) } else { Ok(()) }
}

async fn one(
    context: &Context,
    wanted: &Wanted,
    taxpayer: &TaxpayerId,
) -> Result<Vec<RegistrationRecord>, Error> {
    let mode = wanted.mode;
    match wanted.action {
        Action::List => {
            let mut found = Vec::new();
            for register in Register::ALL {
                let record = context.store.get_registration(mode, taxpayer, register).await;
                found.extend(record.map_err(|why| Error::failed("the table", why))?);
            }
            Ok(found)
        }
        Action::Begin => {
            let key = wanted.migration_key.clone();
            Ok(vec![begin_registration(context, mode, taxpayer, key).await?])
        }
        Action::Withdraw => Ok(withdraw(context, mode, taxpayer).await?.into_iter().collect()),
        Action::MigrateOut => Ok(vec![prepare_migration(context, mode, taxpayer).await?]),
    }
}

/// A line for each register: taxpayer, participant, register, status, and the cause or the key.
fn lines(taxpayer: &TaxpayerId, records: &[RegistrationRecord]) -> String {
    if records.is_empty() {
        return format!("{taxpayer}\tnot registered\n");
    }
    let line = |record: &RegistrationRecord| {
        let key = match record.status {
            RegistrationStatus::Prepared => record.migration_key.as_ref().map(MigrationKey::reveal),
            _ => None,
        };
        let parked = if record.parked.is_some() { "parked: " } else { "" };
        let cause = record.cause.as_deref().unwrap_or_default();
        format!(
            "{taxpayer}\t{}\t{}\t{}\t{parked}{cause}{}\n",
            record.participant_id,
            record.register.as_str(),
            record.status.as_str(),
            key.unwrap_or_default(),
        )
    };
    records.iter().map(line).collect()
}

/// The command line; `None` when help was asked for.
fn wanted(mut arguments: lexopt::Parser) -> Result<Option<Wanted>, Error> {
    let usage = |why: lexopt::Error| Error::Usage(why.to_string(), USAGE);
    let wrong = |message: &str| Error::Usage(message.to_owned(), USAGE);
    let (mut action, mut mode, mut all, mut migration_key) = (None, Mode::Live, false, None);
    let mut taxpayers = Vec::new();
    while let Some(argument) = arguments.next().map_err(usage)? {
        match argument {
            Value(name) if action.is_none() => {
                action = Some(match name.to_str() {
                    Some("list") => Action::List,
                    Some("begin") => Action::Begin,
                    Some("withdraw") => Action::Withdraw,
                    Some("migrate-out") => Action::MigrateOut,
                    _ => return Err(wrong("the action is list, begin, withdraw or migrate-out")),
                });
            }
            Long("mode") => {
                mode = match text(&mut arguments).map_err(usage)?.as_str() {
                    "live" => Mode::Live,
                    "sandbox" => Mode::Sandbox,
                    _ => return Err(wrong("--mode is live or sandbox")),
                };
            }
            Long("taxpayer") => {
                let id = text(&mut arguments).map_err(usage)?.parse();
                taxpayers.push(id.map_err(|why| Error::failed("--taxpayer", why))?);
            }
            Long("all") => all = true,
            Long("migration-key") => {
                let key = text(&mut arguments).map_err(usage)?.parse::<MigrationKey>();
                migration_key = Some(key.map_err(|why| Error::failed("--migration-key", why))?);
            }
            Long("help") | Short('h') => return Ok(None),
            other => return Err(usage(other.unexpected())),
        }
    }
    let action = action.ok_or_else(|| wrong("the action is missing"))?;
    if !all && taxpayers.is_empty() {
        return Err(wrong("--taxpayer or --all is missing"));
    }
    if all && matches!(action, Action::Withdraw | Action::MigrateOut) {
        return Err(wrong("--all is for list and begin alone"));
    }
    if migration_key.is_some() && (action != Action::Begin || all || taxpayers.len() != 1) {
        return Err(wrong("--migration-key is for begin with one taxpayer"));
    }
    Ok(Some(Wanted { action, mode, taxpayers, all, migration_key }))
}
