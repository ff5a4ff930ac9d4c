//! The unchecked texts of a header.

use super::{
    cursor::{Cursor, Element},
    error::{Party, SbdhError},
    limits::{Limit, MOST_SCOPES},
};

/// The texts of a header.
#[derive(Default)]
pub(super) struct Raw {
    pub(super) version: Option<String>,
    pub(super) sender: Option<RawParty>,
    pub(super) receiver: Option<RawParty>,
    pub(super) identification: Option<RawIdentification>,
    pub(super) scopes: Option<Vec<RawScope>>,
}

/// Sender or Receiver.
pub(super) struct RawParty {
    pub(super) authority: Option<String>,
    pub(super) identifier: String,
}

#[derive(Default)]
pub(super) struct RawIdentification {
    pub(super) standard: Option<String>,
    pub(super) type_version: Option<String>,
    pub(super) instance_id: Option<String>,
    pub(super) type_name: Option<String>,
    pub(super) created_at: Option<String>,
}

#[derive(Default)]
pub(super) struct RawScope {
    pub(super) kind: Option<String>,
    pub(super) value: Option<String>,
    pub(super) scheme: Option<String>,
}

/// Sets a value that may occur once.
fn once<T>(place: &mut Option<T>, name: &'static str, value: T) -> Result<(), SbdhError> {
    match place.replace(value) {
        None => Ok(()),
        Some(_) => Err(SbdhError::Repeated(name)),
    }
}

/// Reads the header, which the cursor has entered, to its end. Elements without meaning in the network are skipped:
/// Manifest, ContactInformation, extensions.
pub(super) fn header(cursor: &mut Cursor<'_>) -> Result<Raw, SbdhError> {
    let mut raw = Raw::default();
    while let Some(element) = cursor.child()? {
        match element.name() {
            "HeaderVersion" => once(&mut raw.version, "HeaderVersion", cursor.text()?)?,
            "Sender" => once(&mut raw.sender, "Sender", party(cursor, Party::Sender)?)?,
            "Receiver" => once(&mut raw.receiver, "Receiver", party(cursor, Party::Receiver)?)?,
            "DocumentIdentification" => {
                let read = identification(cursor)?;
                once(&mut raw.identification, "DocumentIdentification", read)?;
            }
            "BusinessScope" => once(&mut raw.scopes, "BusinessScope", scopes(cursor)?)?,
            _ => cursor.skip()?,
        }
    }
    Ok(raw)
}

fn party(cursor: &mut Cursor<'_>, party: Party) -> Result<RawParty, SbdhError> {
    let mut found = None;
    while let Some(element) = cursor.child()? {
        match element.name() {
            "Identifier" => once(&mut found, party.identifier(), identifier(cursor, &element)?)?,
            _ => cursor.skip()?,
        }
    }
    found.ok_or(SbdhError::Missing(party.identifier()))
}

fn identifier(cursor: &mut Cursor<'_>, element: &Element<'_>) -> Result<RawParty, SbdhError> {
    Ok(RawParty { authority: element.attribute("Authority"), identifier: cursor.text()? })
}

fn identification(cursor: &mut Cursor<'_>) -> Result<RawIdentification, SbdhError> {
    let mut raw = RawIdentification::default();
    while let Some(element) = cursor.child()? {
        let (place, name) = match element.name() {
            "Standard" => (&mut raw.standard, "Standard"),
            "TypeVersion" => (&mut raw.type_version, "TypeVersion"),
            "InstanceIdentifier" => (&mut raw.instance_id, "InstanceIdentifier"),
            "Type" => (&mut raw.type_name, "Type"),
            "CreationDateAndTime" => (&mut raw.created_at, "CreationDateAndTime"),
            _ => {
                cursor.skip()?;
                continue;
            }
        };
        once(place, name, cursor.text()?)?;
    }
    Ok(raw)
}

fn scopes(cursor: &mut Cursor<'_>) -> Result<Vec<RawScope>, SbdhError> {
    let mut scopes = Vec::new();
    while let Some(element) = cursor.child()? {
        if element.name() != "Scope" {
            cursor.skip()?;
        } else if scopes.len() == MOST_SCOPES {
            return Err(Limit::Scopes.into());
        } else {
            scopes.push(scope(cursor)?);
        }
    }
    Ok(scopes)
}

fn scope(cursor: &mut Cursor<'_>) -> Result<RawScope, SbdhError> {
    let mut raw = RawScope::default();
    while let Some(element) = cursor.child()? {
        let (place, name) = match element.name() {
            "Type" => (&mut raw.kind, "Scope/Type"),
            "InstanceIdentifier" => (&mut raw.value, "Scope/InstanceIdentifier"),
            "Identifier" => (&mut raw.scheme, "Scope/Identifier"),
            _ => {
                cursor.skip()?;
                continue;
            }
        };
        once(place, name, cursor.text()?)?;
    }
    Ok(raw)
}
