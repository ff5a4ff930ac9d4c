//! Checks the texts of a header and converts them to their types.

use std::collections::{BTreeMap, btree_map::Entry};

use jiff::Timestamp;

use super::{
    error::{MlsToError, Party, SbdhError},
    header::{CountryCode, DocumentIdentification, Header, MlsTo, MlsType, ScopeType, ScopeValue},
    raw::{Raw, RawIdentification, RawParty, RawScope},
    scope,
    time::instant,
};
use crate::{
    peppol::identifiers::{
        DocumentType, DocumentTypeScheme, PARTICIPANT_SCHEME, Process, Syntax, quoted,
    },
    types::ParticipantId,
};

/// Number of mandatory scopes.
const FEWEST_SCOPES: usize = 3;

/// A valid header, and the errors in scopes that a receiver ignores.
pub(super) struct Checked {
    pub(super) header: Header,
    pub(super) ignored: Vec<SbdhError>,
}

/// Checks a header against Business Message Envelope 2.0.1.
pub(super) fn check(raw: Raw) -> Result<Checked, SbdhError> {
    version(raw.version)?;
    let sender = participant(raw.sender, Party::Sender)?;
    let receiver = participant(raw.receiver, Party::Receiver)?;
    let said = raw.identification.ok_or(SbdhError::Missing("DocumentIdentification"))?;
    let instance_id = text(&said.instance_id, "InstanceIdentifier")?.parse()?;
    let created_at = created_at(&said)?;

    let mut scopes = scopes(raw.scopes)?;
    let mut mandatory = |kind, missing| scopes.remove(kind).ok_or(SbdhError::Missing(missing));
    let document_type = document_type(&mandatory(scope::DOCUMENT_ID, "scope DOCUMENTID")?)?;
    let process = process(&mandatory(scope::PROCESS_ID, "scope PROCESSID")?)?;
    let country = mandatory(scope::COUNTRY_C1, "scope COUNTRY_C1")?;
    let country_c1 = CountryCode::new(country.value.as_deref().unwrap_or_default())?;
    let document = document(document_type, &said)?;

    // Peppol MLS: these scopes are treated as absent when they are wrong.
    let mut ignored = Vec::new();
    let mls_to = scopes.remove(scope::MLS_TO).map(mls_to);
    let mls_to = accepted(mls_to, &mut ignored);
    let mls_type = scopes.remove(scope::MLS_TYPE).map(mls_type);
    let mls_type = accepted(mls_type, &mut ignored);
    let others = others(scopes, &mut ignored);

    let header = Header {
        sender,
        receiver,
        instance_id,
        document,
        process,
        created_at,
        country_c1,
        mls_to,
        mls_type,
        others,
    };
    Ok(Checked { header, ignored })
}

/// Business Message Envelope 2.0.1: HeaderVersion is 1.0. Some senders write it as the number 1.
fn version(version: Option<String>) -> Result<(), SbdhError> {
    match version.as_deref() {
        Some("1.0" | "1") => Ok(()),
        Some(other) => Err(SbdhError::HeaderVersion(quoted(other))),
        None => Err(SbdhError::Missing("HeaderVersion")),
    }
}

fn created_at(said: &RawIdentification) -> Result<Timestamp, SbdhError> {
    let text = text(&said.created_at, "CreationDateAndTime")?;
    instant(text).map_err(|reason| SbdhError::CreatedAt { found: quoted(text), reason })
}

fn text<'r>(place: &'r Option<String>, name: &'static str) -> Result<&'r str, SbdhError> {
    place.as_deref().ok_or(SbdhError::Missing(name))
}

fn accepted<T>(read: Option<Result<T, SbdhError>>, ignored: &mut Vec<SbdhError>) -> Option<T> {
    match read? {
        Ok(value) => Some(value),
        Err(error) => {
            ignored.push(error);
            None
        }
    }
}

fn participant(raw: Option<RawParty>, party: Party) -> Result<ParticipantId, SbdhError> {
    let RawParty { authority, identifier } = raw.ok_or(SbdhError::Missing(party.element()))?;
    if authority.as_deref() != Some(PARTICIPANT_SCHEME) {
        let found = quoted(authority.as_deref().unwrap_or_default());
        return Err(SbdhError::Authority { party, found });
    }
    identifier.parse().map_err(|reason| SbdhError::Participant {
        party,
        found: quoted(&identifier),
        reason,
    })
}

/// The scopes by their type; each type may occur once.
fn scopes(scopes: Option<Vec<RawScope>>) -> Result<BTreeMap<String, RawScope>, SbdhError> {
    let scopes = scopes.ok_or(SbdhError::Missing("BusinessScope"))?;
    if scopes.len() < FEWEST_SCOPES {
        return Err(SbdhError::TooFewScopes(scopes.len()));
    }
    let mut found = BTreeMap::new();
    for mut scope in scopes {
        let kind = scope.kind.take().ok_or(SbdhError::Missing("Scope/Type"))?;
        match found.entry(kind) {
            Entry::Vacant(place) => place.insert(scope),
            Entry::Occupied(place) => return Err(SbdhError::RepeatedScope(quoted(place.key()))),
        };
    }
    Ok(found)
}

/// A text that is not empty: an empty element counts as a missing one.
fn said(text: &Option<String>) -> Option<&str> {
    text.as_deref().filter(|text| !text.is_empty())
}

fn document_type(scope: &RawScope) -> Result<DocumentType, SbdhError> {
    // Oxalis omits the scheme when it is the default.
    let scheme = said(&scope.scheme).map_or(Ok(DocumentTypeScheme::Exact), str::parse)?;
    let document_type = DocumentType::new(scheme, scope.value.as_deref().unwrap_or_default())?;
    // PFUOI 4.3: only registrations may be wildcards.
    if document_type.is_wildcard() {
        return Err(SbdhError::WildcardDocumentType);
    }
    Ok(document_type)
}

fn process(scope: &RawScope) -> Result<Process, SbdhError> {
    // Oxalis never writes the scheme.
    let scheme = said(&scope.scheme).unwrap_or(Process::SCHEME);
    Ok(Process::new(scheme, scope.value.as_deref().unwrap_or_default())?)
}

/// Checks DocumentIdentification against DOCUMENTID.
fn document(
    document_type: DocumentType,
    said: &RawIdentification,
) -> Result<DocumentIdentification, SbdhError> {
    let standard = text(&said.standard, "Standard")?;
    let type_name = text(&said.type_name, "Type")?;
    let type_version = text(&said.type_version, "TypeVersion")?;
    match document_type.syntax() {
        Syntax::Xml { namespace, local_name } => {
            consistent("Standard", standard, namespace)?;
            consistent("Type", type_name, local_name)?;
            consistent("TypeVersion", type_version, document_type.version())?;
        }
        Syntax::Other(name) => consistent("Standard", standard, name)?,
    }
    let (type_version, type_name) = (type_version.to_owned(), type_name.to_owned());
    Ok(DocumentIdentification::of(document_type, type_version, type_name))
}

fn consistent(element: &'static str, found: &str, expected: &str) -> Result<(), SbdhError> {
    if found == expected {
        return Ok(());
    }
    Err(SbdhError::Inconsistent { element, found: quoted(found), expected: quoted(expected) })
}

fn mls_to(scope: RawScope) -> Result<MlsTo, SbdhError> {
    let (value, scheme) = match (said(&scope.value), said(&scope.scheme)) {
        (None, None) => return Err(MlsToError::Empty.into()),
        (None, Some(_)) => return Err(MlsToError::NoValue.into()),
        (Some(_), None) => return Err(MlsToError::NoScheme.into()),
        (Some(value), Some(scheme)) => (value, scheme),
    };
    if scheme != PARTICIPANT_SCHEME {
        return Err(MlsToError::Scheme(quoted(scheme)).into());
    }
    value.parse().map_err(|_| MlsToError::Value(quoted(value)).into())
}

fn mls_type(scope: RawScope) -> Result<MlsType, SbdhError> {
    let word = scope.value.unwrap_or_default();
    MlsType::read(&word).ok_or_else(|| SbdhError::MlsType(quoted(&word)))
}

fn others(
    scopes: BTreeMap<String, RawScope>,
    ignored: &mut Vec<SbdhError>,
) -> BTreeMap<ScopeType, ScopeValue> {
    let mut others = BTreeMap::new();
    for (kind, scope) in scopes {
        let value = scope.value.unwrap_or_default();
        let read = ScopeType::new(&kind)
            .and_then(|kind| Ok((kind, ScopeValue::new(&value, scope.scheme.as_deref())?)))
            .map_err(|reason| SbdhError::Scope { found: quoted(&kind), reason });
        others.extend(accepted(Some(read), ignored));
    }
    others
}
