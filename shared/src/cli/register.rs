//! `access-point register`: what a deployment's taxpayers are registered for, as who operates it decides.

use crate::{
    config,
    document::Operation,
    environment::Environment,
    lambda::{aws, sealing_keys},
    peppol::{sml::MigrationKey, smp::Redirect},
    service::{
        Context,
        register::{
            OtherSmp, begin_registration, migration_key, prepare_migration, redirect, withdraw,
        },
    },
    store::{Register, RegistrationRecord, RegistrationStatus},
    types::{Mode, TaxpayerId},
    webhook::SealingKeys,
};
use lexopt::prelude::*;
use tokio::sync::OnceCell;

use super::{Error, block_on, print, text};

pub(super) const USAGE: &str = "\
access-point register ACTION [OPTION…]

Registers taxpayers in the network, and says how far each is. The register function tells the SML in the
background. Needs the environment of that function: TABLE_NAME, SEALING_KEY_SECRET_ARN for migration keys, and
EGRESS for redirects.

Actions:
  list          shows what there is, and why it is not further
  begin         registers, for the four documents of PINT-AE; what is registered stays so
  withdraw      ends a registration, and the listing in the Directory
  migrate-out   lets another SMP take a taxpayer over; shows the key once the SML has it (run it again)
  redirect      has our SMP lead to another one, which says where documents go
  end-redirect  has our SMP say that itself again

  --mode MODE           live (the default) or sandbox
  --taxpayer txpay_…    one taxpayer; may be repeated
  --all                 every active taxpayer of the mode, by a scan of the table: list and begin alone
  --migration-key KEY   with begin and one taxpayer: the key that its former SMP made
  --to URL              with redirect: the address of the other SMP
  --certificate-uid DN  with redirect: the subject of the certificate that it signs with, such as CN=…,O=…,C=…
  --document KIND       with redirect and end-redirect: invoice, credit_note, self_billed_invoice or
                        self_billed_credit_note alone, not all four; may be repeated
";

/// What is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Action {
    List,
    Begin,
    Withdraw,
    MigrateOut,
    Redirect,
    EndRedirect,
}

struct Wanted {
    action: Action,
    mode: Mode,
    taxpayers: Vec<TaxpayerId>,
    all: bool,
    migration_key: Option<MigrationKey>,
    other: Option<OtherSmp>,
    kinds: Vec<Operation>,
}

/// Does what is asked for, for each taxpayer.
pub(super) fn run(arguments: lexopt::Parser) -> Result<(), Error> {
    let Some(wanted) = wanted(arguments)? else { return print(USAGE.as_bytes()) };
    block_on(each(wanted))
}

async fn each(wanted: Wanted) -> Result<(), Error> {
    let environment = Environment::of_process();
    let context = Context::start(&environment).await;
    let deployment = Deployment {
        context: context.map_err(|why| Error::failed("the environment", why))?,
        environment,
        keys: OnceCell::new(),
    };
    let context = &deployment.context;
    let mut taxpayers = wanted.taxpayers.clone();
    if wanted.all {
        let known = context.store.scan_taxpayers(wanted.mode).await;
        let known = known.map_err(|why| Error::failed("the table", why))?;
        let active = known.into_iter().filter(|one| one.status.as_str() == "active");
        taxpayers.extend(active.map(|one| one.taxpayer_id));
    }
    let mut refused = false;
    for taxpayer in &taxpayers {
        match one(&deployment, &wanted, taxpayer).await {
            Ok(lines) => print(lines.as_bytes())?,
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

/// The deployment that is operated.
struct Deployment {
    context: Context,
    environment: Environment,
    keys: OnceCell<SealingKeys>,
}

impl Deployment {
    /// The sealing keys, which few actions need.
    async fn keys(&self) -> Result<&SealingKeys, Error> {
        let fetch = async || {
            let arn = config::sealing_key_secret_arn(&self.environment)
                .map_err(|why| Error::failed("the environment", why))?;
            let keys = sealing_keys(&aws().await, arn).await;
            keys.map_err(|why| Error::failed("the sealing keys", why))
        };
        self.keys.get_or_try_init(fetch).await
    }
}

async fn one(
    deployment: &Deployment,
    wanted: &Wanted,
    taxpayer: &TaxpayerId,
) -> Result<String, Error> {
    let records = records(deployment, wanted, taxpayer).await?;
    if records.is_empty() {
        return Ok(format!("{taxpayer}\tnot registered\n"));
    }
    let mut lines = String::new();
    for record in &records {
        // Who only looks need not see it.
        let key = match (wanted.action, record.status) {
            (Action::MigrateOut, RegistrationStatus::Prepared) => {
                revealed(deployment, record).await?
            }
            _ => None,
        };
        lines.push_str(&line(record, key.as_ref()));
    }
    Ok(lines)
}

/// The key that lets another SMP take a taxpayer over.
async fn revealed(
    deployment: &Deployment,
    record: &RegistrationRecord,
) -> Result<Option<MigrationKey>, Error> {
    let key = migration_key(deployment.keys().await?, record);
    key.map_err(|why| Error::failed("the migration key", why))
}

async fn records(
    deployment: &Deployment,
    wanted: &Wanted,
    taxpayer: &TaxpayerId,
) -> Result<Vec<RegistrationRecord>, Error> {
    let (mode, context) = (wanted.mode, &deployment.context);
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
            let migration = match wanted.migration_key.clone() {
                None => None,
                Some(key) => Some((deployment.keys().await?, key)),
            };
            Ok(vec![begin_registration(context, mode, taxpayer, migration).await?])
        }
        Action::Withdraw => Ok(withdraw(context, mode, taxpayer).await?.into_iter().collect()),
        Action::MigrateOut => {
            let keys = deployment.keys().await?;
            Ok(vec![prepare_migration(context, keys, mode, taxpayer).await?])
        }
        Action::Redirect | Action::EndRedirect => {
            let reach = config::nameable(&deployment.environment);
            let reach = reach.map_err(|why| Error::failed("the environment", why))?;
            let (whose, other) = ((mode, taxpayer), wanted.other.as_ref());
            Ok(vec![redirect(context, whose, &wanted.kinds, other, reach).await?])
        }
    }
}

/// Taxpayer, participant, register, status, and the cause or the key; then a line for each redirect.
fn line(record: &RegistrationRecord, key: Option<&MigrationKey>) -> String {
    let parked = if record.parked.is_some() { "parked: " } else { "" };
    let cause = record.cause.as_deref().unwrap_or_default();
    let mut lines = format!(
        "{}\t{}\t{}\t{}\t{parked}{cause}{}\n",
        record.taxpayer_id,
        record.participant_id,
        record.register.as_str(),
        record.status.as_str(),
        key.map(MigrationKey::reveal).unwrap_or_default(),
    );
    for Redirect { href, certificate_uid } in
        record.services.iter().filter_map(|service| service.redirect.as_ref())
    {
        lines.push_str(&format!("{}\tredirect\t{href}\t{certificate_uid}\n", record.taxpayer_id));
    }
    lines
}

/// The command line; `None` when help was asked for.
fn wanted(mut arguments: lexopt::Parser) -> Result<Option<Wanted>, Error> {
    let usage = |why: lexopt::Error| Error::Usage(why.to_string(), USAGE);
    let wrong = |message: &str| Error::Usage(message.to_owned(), USAGE);
    let (mut action, mut mode, mut all, mut migration_key) = (None, Mode::Live, false, None);
    let (mut to, mut certificate_uid) = (None, None);
    let (mut taxpayers, mut kinds) = (Vec::new(), Vec::new());
    while let Some(argument) = arguments.next().map_err(usage)? {
        match argument {
            Value(name) if action.is_none() => {
                action = Some(match name.to_str() {
                    Some("list") => Action::List,
                    Some("begin") => Action::Begin,
                    Some("withdraw") => Action::Withdraw,
                    Some("migrate-out") => Action::MigrateOut,
                    Some("redirect") => Action::Redirect,
                    Some("end-redirect") => Action::EndRedirect,
                    _ => {
                        return Err(wrong(
                            "the action is list, begin, withdraw, migrate-out, redirect or end-redirect",
                        ));
                    }
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
            Long("to") => to = Some(text(&mut arguments).map_err(usage)?),
            Long("certificate-uid") => {
                certificate_uid = Some(text(&mut arguments).map_err(usage)?);
            }
            Long("document") => {
                let kind = Operation::from_name(&text(&mut arguments).map_err(usage)?);
                kinds.push(kind.ok_or_else(|| wrong("--document is one of the four kinds"))?);
            }
            Long("help") | Short('h') => return Ok(None),
            other => return Err(usage(other.unexpected())),
        }
    }
    let action = action.ok_or_else(|| wrong("the action is missing"))?;
    if !all && taxpayers.is_empty() {
        return Err(wrong("--taxpayer or --all is missing"));
    }
    if all && !matches!(action, Action::List | Action::Begin) {
        return Err(wrong("--all is for list and begin alone"));
    }
    if migration_key.is_some() && (action != Action::Begin || all || taxpayers.len() != 1) {
        return Err(wrong("--migration-key is for begin with one taxpayer"));
    }
    let other = match (action, to, certificate_uid) {
        (Action::Redirect, Some(url), Some(certificate_uid)) => {
            Some(OtherSmp { url, certificate_uid })
        }
        (Action::Redirect, ..) => return Err(wrong("--to or --certificate-uid is missing")),
        (_, None, None) => None,
        _ => return Err(wrong("--to and --certificate-uid are for redirect")),
    };
    if !kinds.is_empty() && !matches!(action, Action::Redirect | Action::EndRedirect) {
        return Err(wrong("--document is for redirect and end-redirect"));
    }
    if kinds.is_empty() {
        kinds.extend(Operation::ALL);
    }
    Ok(Some(Wanted { action, mode, taxpayers, all, migration_key, other, kinds }))
}
