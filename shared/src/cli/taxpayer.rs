//! `access-point taxpayer`: creates a taxpayer, shows it, and changes its status.

use std::{fs, io};

use serde_json::{Value, json};

use super::{
    Error, block_on, grant,
    operate::{Given, context, line},
    print,
};
use crate::{
    access::TaxpayerStatus,
    service::{
        Context,
        onboarding::{self, NewTaxpayer},
        taxpayers::StatusChange,
    },
    store::{Register, RegistrationRecord, TaxpayerState, instant},
    types::{Mode, TaxpayerId},
};

pub(super) const USAGE: &str = "\
access-point taxpayer ACTION [txpay_…] [OPTION…]

A taxpayer of the deployment. Needs the environment of the functions: TABLE_NAME, and access to the table.

  create --tin TIN --email ADDRESS --details FILE
                             creates one in Live. FILE (- is standard input) holds its registered details as JSON: a
                             party as in the body of a send, with name, address, legal_registration and, if it has a
                             TRN, vat_identifier. The rules for the supplier of an invoice validate them. The taxpayer
                             is onboarding until it is registered in the network, then active. Verify the address
                             first: whoever reads its mail can sign in for the taxpayer
  suspend txpay_…            no caller may act for it, and it receives no documents, until it resumes
  resume txpay_…             ends a suspension
  show                       shows who it is, how far its onboarding is, its settings and the active grants on it
  set-status --status STATUS suspended, active, reverification or deregistered. A suspended one comes back as active;
                             one in reverification must confirm its details, and is active then; a deregistered one
                             is gone for good, and withdrawn from the network. Every organization with an active grant
                             is told

  --dry-run                  with create, suspend and resume: shows the change without making it
  --mode MODE                live (the default) or sandbox
  --json                     for programs
";

/// Creates or shows a taxpayer, or changes its status.
pub(super) fn run(arguments: lexopt::Parser) -> Result<(), Error> {
    let known = ["status", "tin", "email", "details", "dry-run"];
    let Some(given) = Given::read(arguments, &known, USAGE)? else {
        return print(USAGE.as_bytes());
    };
    block_on(act(given))
}

async fn act(given: Given) -> Result<(), Error> {
    if given.action == "create" {
        return create(&given).await;
    }
    let id: TaxpayerId = given.identifier()?;
    match given.action.as_str() {
        "suspend" | "resume" if given.dry_run => {
            let context = context().await?;
            let change = match given.action.as_str() {
                "suspend" => onboarding::plan_suspension(&context, given.mode, &id).await?,
                _ => onboarding::plan_resumption(&context, given.mode, &id).await?,
            };
            preview(&given, &change)
        }
        _ if given.dry_run => {
            let words = "--dry-run is for create, suspend and resume".to_owned();
            Err(Error::Usage(words, USAGE))
        }
        "suspend" => {
            let context = context().await?;
            onboarding::suspend(&context, given.mode, &id).await?;
            show(&given, &context, &id).await
        }
        "resume" => {
            let context = context().await?;
            onboarding::resume(&context, given.mode, &id).await?;
            show(&given, &context, &id).await
        }
        "show" => show(&given, &context().await?, &id).await,
        "set-status" => {
            let status = match given.required::<String>("status")?.as_str() {
                "active" => TaxpayerStatus::Active,
                "suspended" => TaxpayerStatus::Suspended,
                "reverification" => TaxpayerStatus::Reverification,
                "deregistered" => TaxpayerStatus::Deregistered,
                _ => {
                    let words = "--status is suspended, active, reverification or deregistered";
                    return Err(Error::Usage(words.into(), USAGE));
                }
            };
            let context = context().await?;
            onboarding::set_status(&context, given.mode, &id, status).await?;
            show(&given, &context, &id).await
        }
        _ => Err(given.unknown_action()),
    }
}

async fn create(given: &Given) -> Result<(), Error> {
    let new = new_taxpayer(given)?;
    let context = context().await?;
    if given.dry_run {
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
        return given.show(&shown, &[line]);
    }
    let created = onboarding::create_taxpayer(&context, &new).await?;
    show(given, &context, &created.taxpayer_id).await
}

/// The business to create, from the options.
fn new_taxpayer(given: &Given) -> Result<NewTaxpayer, Error> {
    if given.mode != Mode::Live {
        let words =
            "create is for Live: in Sandbox, people create test businesses on the sign-in page";
        return Err(Error::Usage(words.to_owned(), USAGE));
    }
    let (tin, email) = (given.required("tin")?, given.required("email")?);
    let file: String = given.required("details")?;
    let text = match file.as_str() {
        "-" => io::read_to_string(io::stdin()),
        path => fs::read_to_string(path),
    };
    let text = text.map_err(|why| Error::failed(&file, why))?;
    let details = serde_json::from_str(&text).map_err(|why| Error::failed(&file, why))?;
    Ok(NewTaxpayer { tin, email, details })
}

/// Shows a change without making it.
fn preview(given: &Given, change: &StatusChange) -> Result<(), Error> {
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
    given.show(&shown, &lines)
}

async fn show(given: &Given, context: &Context, id: &TaxpayerId) -> Result<(), Error> {
    let found = context.store.get_taxpayer_state(given.mode, id, None).await;
    let found = found.map_err(|why| Error::failed("the table", why))?;
    let TaxpayerState { taxpayer, access, settings, .. } = found
        .ok_or_else(|| Error::Failed(format!("there is no taxpayer {id} in {}", given.mode)))?;
    let mut registrations = Vec::new();
    for register in Register::ALL {
        let found = context.store.get_registration(given.mode, id, register).await;
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
    given.show(&shown, &lines)
}

/// How far a registration is, which onboarding waits for.
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
    use crate::error::{Failure, Finding};

    fn given(words: &[&str]) -> Given {
        let arguments = lexopt::Parser::from_args(words.iter().copied());
        let known = ["status", "tin", "email", "details", "dry-run"];
        Given::read(arguments, &known, USAGE).unwrap().unwrap()
    }

    #[test]
    fn a_creation_names_tin_address_and_a_file_of_details_in_live() {
        let file = std::env::temp_dir().join(format!("details-{}.json", std::process::id()));
        fs::write(&file, r#"{"name": "Falcon Trading LLC"}"#).unwrap();
        let path = file.to_str().unwrap();
        let whole =
            ["create", "--tin", "1001234509", "--email", "a@falcon.example", "--details", path];
        let new = new_taxpayer(&given(&whole)).unwrap();
        assert_eq!(
            (new.tin.as_str(), &new.details["name"]),
            ("1001234509", &json!("Falcon Trading LLC"))
        );
        assert!(!given(&whole).dry_run && given(&[&whole[..], &["--dry-run"]].concat()).dry_run);
        for (at, wrong, why) in [
            (2, "100123450", "a TIN has ten digits"),
            (4, "falcon", "--email"),
            (6, "/nonexistent/details.json", "/nonexistent/details.json"),
        ] {
            let mut words = whole;
            words[at] = wrong;
            let refused = format!("{:?}", new_taxpayer(&given(&words)).unwrap_err());
            assert!(refused.contains(why), "{refused}");
        }
        for least in 1..4 {
            let words = [&whole[..least * 2 - 1], &whole[least * 2 + 1..]].concat();
            let refused = new_taxpayer(&given(&words)).unwrap_err();
            let missing = whole[least * 2 - 1];
            assert!(
                matches!(&refused, Error::Usage(why, _) if why.contains(missing)),
                "{refused:?}"
            );
        }
        let sandbox = [&whole[..], &["--mode", "sandbox"]].concat();
        assert!(matches!(new_taxpayer(&given(&sandbox)), Err(Error::Usage(..))));
        fs::remove_file(file).unwrap();
    }

    #[test]
    fn each_defect_of_the_details_is_shown_with_its_pointer() {
        let finding = Finding::error("/vat_identifier", "AP-PARTY-trn", "A TRN has 15 digits.");
        let Error::Failed(text) = Failure::invalid(vec![finding]).into() else { panic!() };
        assert!(text.ends_with("\n/vat_identifier: A TRN has 15 digits. (AP-PARTY-trn)"), "{text}");
    }

    #[tokio::test]
    async fn a_dry_run_of_an_action_that_has_none_is_refused() {
        let show = given(&["show", "txpay_019f1c2e8a7b7cc1a1b2c3d4e5f60718", "--dry-run"]);
        let refused = act(show).await.unwrap_err();
        assert!(
            matches!(&refused, Error::Usage(why, _) if why.contains("--dry-run")),
            "{refused:?}"
        );
    }
}
