//! Changes of a taxpayer's details: its record, the pointer that deliveries read, the pointer from its e-mail address,
//! and the sessions of the old address.

use super::{
    StoreError,
    dynamo::{Expression, Update, Write, corrupt},
    emails,
    keys::Key,
};
use crate::access::{Taxpayer, TaxpayerStatus};

/// The status that earlier versions wrote as `inactive`.
const BEFORE: (TaxpayerStatus, &str) = (TaxpayerStatus::Suspended, "inactive");

/// The writes that change a taxpayer to `to`, if it is as it was read.
pub(super) fn writes(read: &Taxpayer, to: &Taxpayer) -> Result<Vec<Write>, StoreError> {
    let (mode, id) = (read.mode, &read.taxpayer_id);
    let mut all = vec![Write::Update {
        key: Key::taxpayer(mode, id),
        update: update(read, to)?,
        condition: as_read(read)?,
    }];
    if to.status != read.status {
        all.push(Write::Update {
            key: Key::participant(mode, &read.participant_id),
            update: Update::new().set("status", &to.status)?.build(),
            condition: Expression::new("taxpayer_id = :taxpayer").text(":taxpayer", id.as_str()),
        });
    }
    if to.email == read.email {
        return Ok(all);
    }
    if let Some(email) = &to.email {
        all.push(emails::pointer_write(mode, email, id)?);
    }
    if let Some(email) = &read.email {
        let key = Key::email(mode, email, id);
        all.push(Write::Delete { key, condition: Expression::default() });
        // The holder of the old address must not keep a session.
        all.push(Write::Update {
            key: Key::sessions(mode, &id.into()),
            update: Update::new().add("epoch", 1).build(),
            condition: Expression::default(),
        });
    }
    Ok(all)
}

/// The changed attributes alone, so that attributes of a newer version stay.
fn update(read: &Taxpayer, to: &Taxpayer) -> Result<Expression, StoreError> {
    let mut update = Update::new();
    if to.status != read.status {
        update = update.set("status", &to.status)?;
    }
    if to.suspended_by != read.suspended_by {
        update = match &to.suspended_by {
            Some(by) => update.set("suspended_by", by)?,
            None => update.remove("suspended_by"),
        };
    }
    if to.name != read.name {
        update = update.set("name", &to.name)?;
    }
    if to.profile != read.profile {
        update = update.set("profile", &to.profile)?;
    }
    if to.email != read.email {
        update = match &to.email {
            Some(email) => update.set("email", email)?,
            None => update.remove("email"),
        };
    }
    if to.confirmed != read.confirmed {
        update = match &to.confirmed {
            Some(confirmed) => update.set("confirmed", confirmed)?,
            None => update.remove("confirmed"),
        };
    }
    Ok(update.build())
}

/// The condition that a taxpayer is as it was read, in every attribute that can change.
fn as_read(read: &Taxpayer) -> Result<Expression, StoreError> {
    let mut condition = has_status(read.status)?.name("#email", "email");
    condition = match &read.email {
        Some(email) => condition.and("#email = :email").text(":email", email.as_str()),
        None => condition.and("attribute_not_exists(#email)"),
    };
    condition = condition.name("#confirmed", "confirmed");
    Ok(match &read.confirmed {
        Some(confirmed) => condition
            .and("#confirmed = :confirmed")
            .value(":confirmed", serde_dynamo::to_attribute_value(confirmed).map_err(corrupt)?),
        None => condition.and("attribute_not_exists(#confirmed)"),
    })
}

/// The condition that a taxpayer's status is as it was read.
pub(super) fn status_as_read(read: &Taxpayer) -> Result<Write, StoreError> {
    let key = Key::taxpayer(read.mode, &read.taxpayer_id);
    Ok(Write::Check { key, condition: has_status(read.status)? })
}

fn has_status(status: TaxpayerStatus) -> Result<Expression, StoreError> {
    let word = serde_dynamo::to_attribute_value(status).map_err(corrupt)?;
    let (now, before) = BEFORE;
    let condition = match status == now {
        true => Expression::new("#status IN (:known, :before)").text(":before", before),
        false => Expression::new("#status = :known"),
    };
    Ok(condition.name("#status", "status").value(":known", word))
}
