//! `access-point register`: what a deployment's taxpayers are registered for, as who operates it decides.

use crate::{
    config,
    document::Operation,
    lambda::Deployment,
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
use tokio::sync::OnceCell;

use super::{
    Error, block_on,
    common::{InMode, deployment, environment, sealing_keys},
    one_of, print,
};

/// Register taxpayers in the network
///
/// Shows the progress of each registration. The function `register` announces registrations to the SML in the background. Needs
/// the environment of that function: TABLE_NAME, SEALING_KEY_SECRET_ARN for migration keys, and EGRESS for redirects.
#[derive(clap::Args)]
pub(super) struct Args {
    #[command(subcommand)]
    action: Action,
    #[command(flatten)]
    place: InMode,
}

#[derive(clap::Subcommand)]
enum Action {
    /// Show the registrations, and why one does not advance
    List {
        #[command(flatten)]
        whose: AnyOrAll,
    },
    /// Register for the four documents of PINT-AE; a registered taxpayer stays registered
    Begin {
        #[command(flatten)]
        whose: AnyOrAll,
        /// Key that the former SMP of one taxpayer created
        #[arg(long, value_name = "KEY", conflicts_with = "all")]
        migration_key: Option<String>,
    },
    /// End a registration, and the listing in the Directory
    Withdraw(Taxpayers),
    /// Let another SMP take over a taxpayer
    ///
    /// Shows the migration key once the SML has it: run the command again.
    MigrateOut(Taxpayers),
    /// Redirect senders from our SMP to another SMP, which answers their lookups
    Redirect {
        #[command(flatten)]
        taxpayers: Taxpayers,
        /// Address of the other SMP
        #[arg(long, value_name = "URL")]
        to: String,
        /// Subject of the certificate that the other SMP signs with, such as CN=…,O=…,C=…
        #[arg(long, value_name = "DN")]
        certificate_uid: String,
        #[command(flatten)]
        documents: DocumentKinds,
    },
    /// End a redirect: our SMP answers lookups again
    EndRedirect {
        #[command(flatten)]
        taxpayers: Taxpayers,
        #[command(flatten)]
        documents: DocumentKinds,
    },
}

#[derive(clap::Args)]
#[group(required = true, multiple = true)]
struct AnyOrAll {
    /// A taxpayer, txpay_…; may be repeated
    #[arg(long = "taxpayer", value_name = "TAXPAYER")]
    taxpayers: Vec<TaxpayerId>,
    /// Every active taxpayer of the mode, by a scan of the table
    #[arg(long)]
    all: bool,
}

#[derive(clap::Args)]
struct Taxpayers {
    /// A taxpayer, txpay_…; may be repeated
    #[arg(long = "taxpayer", value_name = "TAXPAYER", required = true)]
    taxpayers: Vec<TaxpayerId>,
}

#[derive(clap::Args)]
struct DocumentKinds {
    /// Only this kind of document, not all four; may be repeated
    #[arg(
        long = "document", value_name = "KIND",
        value_parser = one_of(Operation::ALL, Operation::as_str)
    )]
    kinds: Vec<Operation>,
}

/// What is to be done.
enum Work {
    List,
    Begin(Option<MigrationKey>),
    Withdraw,
    MigrateOut,
    Redirect(Vec<Operation>, Option<OtherSmp>),
}

struct Wanted {
    work: Work,
    mode: Mode,
    taxpayers: Vec<TaxpayerId>,
    all: bool,
}

/// Does what is asked for, for each taxpayer.
pub(super) fn run(args: Args) -> Result<(), Error> {
    block_on(each(wanted(args)?))
}

fn wanted(Args { action, place: InMode { mode } }: Args) -> Result<Wanted, Error> {
    let kinds = |DocumentKinds { kinds }| match kinds.is_empty() {
        true => Operation::ALL.to_vec(),
        false => kinds,
    };
    let (work, taxpayers, all) = match action {
        Action::List { whose: AnyOrAll { taxpayers, all } } => (Work::List, taxpayers, all),
        Action::Begin { whose: AnyOrAll { taxpayers, all }, migration_key } => {
            if migration_key.is_some() && taxpayers.len() != 1 {
                return Err(Error::Usage("--migration-key is for one taxpayer".to_owned()));
            }
            // Read here, since a message about a value that is no key would quote it.
            let key = migration_key.map(|key| key.parse()).transpose();
            let key = key.map_err(|why| Error::Usage(format!("--migration-key: {why}")))?;
            (Work::Begin(key), taxpayers, all)
        }
        Action::Withdraw(Taxpayers { taxpayers }) => (Work::Withdraw, taxpayers, false),
        Action::MigrateOut(Taxpayers { taxpayers }) => (Work::MigrateOut, taxpayers, false),
        Action::Redirect { taxpayers, to: url, certificate_uid, documents } => {
            let other = Some(OtherSmp { url, certificate_uid });
            (Work::Redirect(kinds(documents), other), taxpayers.taxpayers, false)
        }
        Action::EndRedirect { taxpayers, documents } => {
            (Work::Redirect(kinds(documents), None), taxpayers.taxpayers, false)
        }
    };
    Ok(Wanted { work, mode, taxpayers, all })
}

async fn each(wanted: Wanted) -> Result<(), Error> {
    let deployment = deployment().await?;
    let context = deployment.context();
    let registrar = Registrar { deployment, context, keys: OnceCell::new() };
    let context = &registrar.context;
    let mut taxpayers = wanted.taxpayers.clone();
    if wanted.all {
        let known = context.store.scan_taxpayers(wanted.mode).await;
        let known = known.map_err(|why| Error::failed("the table", why))?;
        let active = known.into_iter().filter(|one| one.status.as_str() == "active");
        taxpayers.extend(active.map(|one| one.taxpayer_id));
    }
    let mut refused = false;
    for taxpayer in &taxpayers {
        match one(&registrar, &wanted, taxpayer).await {
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

/// The deployment, its table and its sealing keys.
struct Registrar {
    deployment: Deployment,
    context: Context,
    keys: OnceCell<SealingKeys>,
}

impl Registrar {
    /// The sealing keys, which few actions need.
    async fn keys(&self) -> Result<&SealingKeys, Error> {
        self.keys.get_or_try_init(|| sealing_keys(&self.deployment)).await
    }
}

async fn one(
    registrar: &Registrar,
    wanted: &Wanted,
    taxpayer: &TaxpayerId,
) -> Result<String, Error> {
    let records = records(registrar, wanted, taxpayer).await?;
    if records.is_empty() {
        return Ok(format!("{taxpayer}\tnot registered\n"));
    }
    let mut lines = String::new();
    for record in &records {
        // Who only looks need not see it.
        let key = match (&wanted.work, record.status) {
            (Work::MigrateOut, RegistrationStatus::Prepared) => revealed(registrar, record).await?,
            _ => None,
        };
        lines.push_str(&line(record, key.as_ref()));
    }
    Ok(lines)
}

/// The key that lets another SMP take over a taxpayer.
async fn revealed(
    registrar: &Registrar,
    record: &RegistrationRecord,
) -> Result<Option<MigrationKey>, Error> {
    let key = migration_key(registrar.keys().await?, record);
    key.map_err(|why| Error::failed("the migration key", why))
}

async fn records(
    registrar: &Registrar,
    wanted: &Wanted,
    taxpayer: &TaxpayerId,
) -> Result<Vec<RegistrationRecord>, Error> {
    let (mode, context) = (wanted.mode, &registrar.context);
    match &wanted.work {
        Work::List => {
            let mut found = Vec::new();
            for register in Register::ALL {
                let record = context.store.get_registration(mode, taxpayer, register).await;
                found.extend(record.map_err(|why| Error::failed("the table", why))?);
            }
            Ok(found)
        }
        Work::Begin(key) => {
            let migration = match key {
                None => None,
                Some(key) => Some((registrar.keys().await?, key.clone())),
            };
            Ok(vec![begin_registration(context, mode, taxpayer, migration).await?])
        }
        Work::Withdraw => Ok(withdraw(context, mode, taxpayer).await?.into_iter().collect()),
        Work::MigrateOut => {
            let keys = registrar.keys().await?;
            Ok(vec![prepare_migration(context, keys, mode, taxpayer).await?])
        }
        Work::Redirect(kinds, other) => {
            let reach = config::nameable(registrar.deployment.environment());
            let reach = reach.map_err(environment)?;
            let whose = (mode, taxpayer);
            Ok(vec![redirect(context, whose, kinds, other.as_ref(), reach).await?])
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::read_line;

    const ONE: [&str; 2] = ["--taxpayer", "txpay_1"];

    fn read(arguments: &[&str]) -> Result<Wanted, String> {
        wanted(read_line(arguments)?).map_err(|why| match why {
            Error::Usage(why) => why,
            other => panic!("{other:?}"),
        })
    }

    #[test]
    fn a_redirect_is_of_all_documents_unless_some_are_named() {
        let kinds = |arguments: &[&str]| match read(&[&["end-redirect"], arguments].concat()) {
            Ok(Wanted { work: Work::Redirect(kinds, None), .. }) => kinds,
            _ => panic!("{arguments:?}"),
        };
        assert_eq!(kinds(&ONE), Operation::ALL);
        assert_eq!(kinds(&[&ONE[..], &["--document", "invoice"]].concat()), [Operation::Invoice]);
        let all = read(&["list", "--mode", "sandbox", "--all"]).ok().unwrap();
        assert!(all.all && all.mode == Mode::Sandbox && all.taxpayers.is_empty());
    }

    #[test]
    fn a_migration_key_may_start_with_a_hyphen_and_is_never_quoted() {
        let key = "-aB3$aB3$";
        let begin = ["begin", "--migration-key", key];
        let read_key = |arguments: &[&str]| read(&[&begin[..], arguments].concat());
        let Ok(Wanted { work: Work::Begin(Some(read)), .. }) = read_key(&ONE) else { panic!() };
        assert_eq!(read.reveal(), key);
        for more in [
            &[][..],
            &["--all"],
            &["--taxpayer", "txpay_1", "--taxpayer", "txpay_2"],
            &["--taxpayer", "7"],
        ] {
            let said = read_key(more).err().unwrap();
            assert!(!said.contains(key), "{more:?}: {said}");
        }
        let said = super::tests::read(&["begin", "--migration-key", "secret", ONE[0], ONE[1]]);
        let said = said.err().unwrap();
        assert!(
            said.contains("--migration-key: a migration key has") && !said.contains("secret"),
            "{said}"
        );
    }

    #[test]
    fn an_option_of_another_action_is_refused() {
        for arguments in [
            &["withdraw", "--all"][..],
            &["list"],
            &["redirect", "--to", "https://smp.example"],
            &["withdraw", "--document", "invoice"],
            &["list", "--all", "--migration-key", "k"],
        ] {
            assert!(
                read(&[arguments, &ONE[..]].concat()).is_err() || arguments == ["list"],
                "{arguments:?}"
            );
        }
        assert!(read(&["list"]).is_err());
    }
}
