//! `access-point taxpayer`: creates a taxpayer, shows it, and changes its status.

use std::{fs, io};

use serde_json::{Value, json};

use super::{
    Error, block_on,
    common::{Common, context, line},
    grant, one_of,
};
use crate::{
    access::TaxpayerStatus,
    service::{
        Context,
        onboarding::{self, NewTaxpayer},
        taxpayers::StatusChange,
    },
    store::{Register, RegistrationRecord, TaxpayerState, instant},
    types::{EmailAddress, Mode, TaxpayerId, Tin},
};

/// Manage taxpayers
///
/// Needs the environment of the functions: TABLE_NAME, and access to the table.
#[derive(clap::Args)]
pub(super) struct Args {
    #[command(subcommand)]
    action: Action,
    #[command(flatten)]
    common: Common,
}

#[derive(clap::Subcommand)]
enum Action {
    Create(Create),
    /// Suspend a taxpayer: no caller may act for it, and it receives no documents
    Suspend(Taxpayer),
    /// End a suspension
    Resume(Taxpayer),
    /// Show a taxpayer: its onboarding, its settings and the active grants on it
    Show {
        /// Taxpayer, txpay_…
        id: TaxpayerId,
    },
    /// Set the status of a taxpayer, and notify every organization with an active grant
    ///
    /// A suspended taxpayer can become active again. A taxpayer in reverification must confirm its details to become active.
    /// Deregistration is permanent, and withdraws the taxpayer from the network.
    SetStatus {
        /// Taxpayer, txpay_…
        id: TaxpayerId,
        /// The new status
        #[arg(long, value_parser = one_of(STATUSES, TaxpayerStatus::as_str))]
        status: TaxpayerStatus,
    },
}

/// Create a taxpayer in Live
///
/// The rules for the supplier of an invoice validate the details. The taxpayer is onboarding until it is registered in the
/// network, then active. Verify the address first: anyone who reads its mail can sign in for the taxpayer.
#[derive(clap::Args)]
struct Create {
    /// Tax identification number, ten digits
    #[arg(long)]
    tin: Tin,
    /// Address that signs in for the taxpayer
    #[arg(long, value_name = "ADDRESS")]
    email: EmailAddress,
    /// Registered details as JSON: a party as in the body of a send, with name, address, legal_registration and, if it has a
    /// TRN, vat_identifier; standard input for -
    #[arg(long, value_name = "FILE")]
    details: String,
    /// Show the change without applying it
    #[arg(long)]
    dry_run: bool,
}

#[derive(clap::Args)]
struct Taxpayer {
    /// Taxpayer, txpay_…
    id: TaxpayerId,
    /// Show the change without applying it
    #[arg(long)]
    dry_run: bool,
}

/// The statuses that an operator sets.
const STATUSES: [TaxpayerStatus; 4] = [
    TaxpayerStatus::Suspended,
    TaxpayerStatus::Active,
    TaxpayerStatus::Reverification,
    TaxpayerStatus::Deregistered,
];

/// Creates or shows a taxpayer, or changes its status.
pub(super) fn run(Args { action, common }: Args) -> Result<(), Error> {
    block_on(act(action, &common))
}

async fn act(action: Action, common: &Common) -> Result<(), Error> {
    if let Action::Create(args) = action {
        return create(args, common).await;
    }
    let (context, mode) = (context().await?, common.mode());
    let id = match action {
        Action::Create(_) => return Ok(()),
        Action::Suspend(Taxpayer { id, dry_run: true }) => {
            return preview(common, &onboarding::plan_suspension(&context, mode, &id).await?);
        }
        Action::Resume(Taxpayer { id, dry_run: true }) => {
            return preview(common, &onboarding::plan_resumption(&context, mode, &id).await?);
        }
        Action::Suspend(Taxpayer { id, dry_run: false }) => {
            onboarding::suspend(&context, mode, &id).await?;
            id
        }
        Action::Resume(Taxpayer { id, dry_run: false }) => {
            onboarding::resume(&context, mode, &id).await?;
            id
        }
        Action::Show { id } => id,
        Action::SetStatus { id, status } => {
            onboarding::set_status(&context, mode, &id, status).await?;
            id
        }
    };
    show(common, &context, &id).await
}

async fn create(args: Create, common: &Common) -> Result<(), Error> {
    let dry_run = args.dry_run;
    let new = new_taxpayer(args, common.mode())?;
    let context = context().await?;
    if dry_run {
        let planned = onboarding::plan_taxpayer(&context, &new).await?;
        let participant_id = planned.participant_id.to_string();
        let shown = json!({
            "dry_run": true,
            "participant_id": participant_id,
            "name": planned.name,
            "status": planned.status.as_str(),
            "email": planned.email,
        });
        let line = line([&participant_id, planned.status.as_str(), &planned.name, "not created"]);
        return common.show(&shown, &[line]);
    }
    let created = onboarding::create_taxpayer(&context, &new).await?;
    show(common, &context, &created.taxpayer_id).await
}

/// The business to create, with its details from their file.
fn new_taxpayer(args: Create, mode: Mode) -> Result<NewTaxpayer, Error> {
    if mode != Mode::Live {
        let words =
            "create is for Live: in Sandbox, people create test businesses on the sign-in page";
        return Err(Error::Usage(words.to_owned()));
    }
    let Create { tin, email, details: file, .. } = args;
    let text = match file.as_str() {
        "-" => io::read_to_string(io::stdin()),
        path => fs::read_to_string(path),
    };
    let text = text.map_err(|why| Error::failed(&file, why))?;
    let details = serde_json::from_str(&text).map_err(|why| Error::failed(&file, why))?;
    Ok(NewTaxpayer { tin, email, details })
}

/// Shows a change without applying it.
fn preview(common: &Common, change: &StatusChange) -> Result<(), Error> {
    let StatusChange { before, after, notified } = change;
    let shown = json!({
        "dry_run": true,
        "taxpayer_id": before.taxpayer_id,
        "name": before.name,
        "status": before.status.as_str(),
        "becomes": after.status.as_str(),
        "organizations_notified": notified,
    });
    let mut lines = vec![line([
        before.taxpayer_id.as_str(),
        before.status.as_str(),
        &format!("would become {}", after.status.as_str()),
        &before.name,
    ])];
    lines.extend(
        notified.iter().map(|organization| line([organization.as_str(), "would be notified"])),
    );
    common.show(&shown, &lines)
}

async fn show(common: &Common, context: &Context, id: &TaxpayerId) -> Result<(), Error> {
    let found = context.store.get_taxpayer_state(common.mode(), id, None).await;
    let found = found.map_err(|why| Error::failed("the table", why))?;
    let TaxpayerState { taxpayer, access, settings, .. } = found
        .ok_or_else(|| Error::Failed(format!("there is no taxpayer {id} in {}", common.mode())))?;
    let mut registrations = Vec::new();
    for register in Register::ALL {
        let found = context.store.get_registration(common.mode(), id, register).await;
        registrations.extend(found.map_err(|why| Error::failed("the table", why))?);
    }
    let shown = json!({
        "taxpayer_id": taxpayer.taxpayer_id,
        "mode": taxpayer.mode,
        "participant_id": taxpayer.participant_id,
        "name": taxpayer.name,
        "status": taxpayer.status.as_str(),
        "suspended_by": taxpayer.suspended_by,
        "email": taxpayer.email,
        "confirmed_at": taxpayer.confirmed.as_ref().map(|confirmed| instant(confirmed.at)),
        "registrations": registrations.iter().map(registration).collect::<Vec<_>>(),
        "created_at": instant(taxpayer.created_at),
        "settings": settings,
        "grants": access.grants.iter().map(grant::shown).collect::<Vec<_>>(),
    });
    let mut lines = vec![line([
        taxpayer.taxpayer_id.as_str(),
        &taxpayer.participant_id.to_string(),
        taxpayer.status.as_str(),
        &taxpayer.name,
    ])];
    if let Some(by) = &taxpayer.suspended_by {
        lines.push(line(["suspended by", &String::from(by.clone())]));
    }
    if let Some(confirmed) = &taxpayer.confirmed {
        lines.push(line(["confirmed", &instant(confirmed.at)]));
    }
    lines.extend(registrations.iter().map(|it| {
        let cause = it.cause.as_deref().unwrap_or_default();
        line([it.register.as_str(), it.status.as_str(), cause])
    }));
    lines.extend(access.grants.iter().map(grant::columns));
    common.show(&shown, &lines)
}

/// The status of a registration that onboarding waits for.
fn registration(record: &RegistrationRecord) -> Value {
    json!({
        "register": record.register,
        "status": record.status.as_str(),
        "cause": record.cause,
        "parked": record.parked.as_ref().map(|parked| &parked.reason),
        "updated_at": instant(record.updated_at),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        cli::read_line,
        error::{Failure, Finding},
    };

    /// The taxpayer to create, or why it is not created.
    fn created(words: &[&str]) -> Result<NewTaxpayer, String> {
        let Args { action: Action::Create(args), common } = read_line(words)? else { panic!() };
        new_taxpayer(args, common.mode()).map_err(|why| format!("{why:?}"))
    }

    #[test]
    fn a_creation_names_tin_address_and_a_file_of_details_in_live() {
        let file = tempfile::NamedTempFile::new().unwrap();
        fs::write(&file, r#"{"name": "Falcon Trading LLC"}"#).unwrap();
        let path = file.path().to_str().unwrap();
        let whole =
            ["create", "--tin", "1001234509", "--email", "a@falcon.example", "--details", path];
        let new = created(&whole).unwrap();
        assert_eq!(
            (new.tin.as_str(), &new.details["name"]),
            ("1001234509", &json!("Falcon Trading LLC"))
        );
        for (at, wrong, why) in [
            (2, "100123450", "a TIN has ten digits"),
            (4, "falcon", "--email"),
            (6, "/nonexistent/details.json", "/nonexistent/details.json"),
        ] {
            let mut words = whole;
            words[at] = wrong;
            let refused = created(&words).unwrap_err();
            assert!(refused.contains(why), "{refused}");
        }
        for least in 1..4 {
            let words = [&whole[..least * 2 - 1], &whole[least * 2 + 1..]].concat();
            let refused = created(&words).unwrap_err();
            assert!(refused.contains(whole[least * 2 - 1]), "{refused}");
        }
        let sandbox = [&whole[..], &["--mode", "sandbox"]].concat();
        assert!(created(&sandbox).unwrap_err().contains("create is for Live"));
    }

    #[test]
    fn each_defect_of_the_details_is_shown_with_its_pointer() {
        let finding = Finding::error("/vat_identifier", "AP-PARTY-trn", "A TRN has 15 digits.");
        let Error::Failed(text) = Failure::invalid(vec![finding]).into() else { panic!() };
        assert!(text.ends_with("\n/vat_identifier: A TRN has 15 digits. (AP-PARTY-trn)"), "{text}");
    }

    #[test]
    fn a_dry_run_is_of_an_action_that_has_one() {
        let read = |action| read_line::<Args>(&[action, "txpay_1", "--dry-run"]);
        assert!(read("suspend").is_ok() && read("resume").is_ok());
        assert!(read("show").err().unwrap().contains("--dry-run"));
    }
}
