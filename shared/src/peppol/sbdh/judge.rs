//! From what stands in a header to what it says.

use std::collections::{BTreeMap, btree_map::Entry};

use super::{
    error::{MlsToError, Party, SbdhError},
    header::{CountryCode, DocumentIdentification, Header, MlsType, ScopeType, ScopeValue},
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

/// Scopes that every message has.
const FEWEST_SCOPES: usize = 3;

/// A header, and what was wrong with scopes that a receiver ignores.
pub(super) struct Judged {
    pub(super) header: Header,
    pub(super) ignored: Vec<SbdhError>,
}

/// Judges a header by Business Message Envelope 2.0.1.
pub(super) fn judge(raw: Raw) -> Result<Judged, SbdhError> {
    let version = raw.version.ok_or(SbdhError::Missing("HeaderVersion"))?;
    if !matches!(version.as_str(), "1.0" | "1") {
        return Err(SbdhError::HeaderVersion(quoted(&version)));
    }
    let sender = participant(raw.sender, Party::Sender)?;
    let receiver = participant(raw.receiver, Party::Receiver)?;
    let identification = raw.identification.ok_or(SbdhError::Missing("DocumentIdentification"))?;
    let instance_id = text(&identification.instance_id, "InstanceIdentifier")?.parse()?;
    let created = text(&identification.created_at, "CreationDateAndTime")?;
    let created_at = instant(created)
        .map_err(|reason| SbdhError::CreatedAt { found: quoted(created), reason })?;

    let scopes = raw.scopes.ok_or(SbdhError::Missing("BusinessScope"))?;
    if scopes.len() < FEWEST_SCOPES {
        return Err(SbdhError::TooFewScopes(scopes.len()));
    }
    let mut scopes = by_type(scopes)?;
    let mut mandatory = |kind, missing| scopes.remove(kind).ok_or(SbdhError::Missing(missing));
    let document_type = document_type(&mandatory(scope::DOCUMENT_ID, "scope DOCUMENTID")?)?;
    let process = process(&mandatory(scope::PROCESS_ID, "scope PROCESSID")?)?;
    let country = mandatory(scope::COUNTRY_C1, "scope COUNTRY_C1")?;
    let country_c1 = CountryCode::new(country.value.as_deref().unwrap_or_default())?;
    let document = document(document_type, &identification)?;

    // Peppol MLS: what is wrong with these counts as if it were not there.
    let mut ignored = Vec::new();
    let mls_to = scopes.remove(scope::MLS_TO).map(|scope| mls_to(&scope));
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
    Ok(Judged { header, ignored })
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
        let found = authority.as_deref().map(quoted);
        return Err(SbdhError::Authority { party, found });
    }
    identifier.parse().map_err(|reason| SbdhError::Participant {
        party,
        found: quoted(&identifier),
        reason,
    })
}

/// Scopes by their type, of which none may occur twice.
fn by_type(scopes: Vec<RawScope>) -> Result<BTreeMap<String, RawScope>, SbdhError> {
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

fn document_type(scope: &RawScope) -> Result<DocumentType, SbdhError> {
    // Oxalis leaves out the scheme where it is the default.
    let scheme = match &scope.scheme {
        Some(scheme) => scheme.parse()?,
        None => DocumentTypeScheme::Exact,
    };
    let document_type = DocumentType::new(scheme, scope.value.as_deref().unwrap_or_default())?;
    // PFUOI 4.3: the wildcard is for registrations.
    if document_type.is_wildcard() {
        return Err(SbdhError::WildcardDocumentType);
    }
    Ok(document_type)
}

fn process(scope: &RawScope) -> Result<Process, SbdhError> {
    let scheme = scope.scheme.as_deref().unwrap_or(Process::SCHEME);
    Ok(Process::new(scheme, scope.value.as_deref().unwrap_or_default())?)
}

/// Holds DocumentIdentification to DOCUMENTID.
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

fn mls_to(scope: &RawScope) -> Result<ParticipantId, SbdhError> {
    // An element without text says no more than none.
    let said = |text: &Option<String>| text.clone().filter(|text| !text.is_empty());
    let (value, scheme) = match (said(&scope.value), said(&scope.scheme)) {
        (None, None) => return Err(MlsToError::Empty.into()),
        (None, Some(_)) => return Err(MlsToError::NoValue.into()),
        (Some(_), None) => return Err(MlsToError::NoScheme.into()),
        (Some(value), Some(scheme)) => (value, scheme),
    };
    if scheme != PARTICIPANT_SCHEME {
        return Err(MlsToError::Scheme(quoted(&scheme)).into());
    }
    value.parse().map_err(|_| MlsToError::Value(quoted(&value)).into())
}

fn mls_type(scope: RawScope) -> Result<MlsType, SbdhError> {
    let word = scope.value;
    word.as_deref().and_then(MlsType::read).ok_or(SbdhError::MlsType(word.as_deref().map(quoted)))
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
