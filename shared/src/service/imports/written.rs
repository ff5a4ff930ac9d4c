//! Documents that members write by hand. Each is sent as an import of one document, so the portal needs no right to
//! write documents. The import's identifier is fixed by the form: a second click on its button sends nothing.

use jiff::SignedDuration;
use serde_json::Value;

use super::{
    Asking, NewImport, Opened, Outcome, Owner, create, get, held::check_member, overtaken,
    work::open,
};
use crate::{
    document::Operation,
    error::{Code, Failure},
    service::{Context, Portal, Reading, later},
    store::{ImportRecord, StoreError},
    types::ImportId,
};

/// How long a form can be sent after it was first shown.
pub const FORM_OPEN: SignedDuration = SignedDuration::from_hours(7 * 24);

/// A document that a member wrote.
#[derive(Debug, Clone)]
pub struct Written<'a> {
    /// The identifier that the form fixed.
    pub import_id: &'a str,
    /// The kind of document.
    pub operation: Operation,
    /// Its number, as the import's name.
    pub name: Option<String>,
    /// The body of the send.
    pub body: &'a Value,
}

/// The identifier for a new form.
pub fn form_id(ctx: &Context) -> ImportId {
    ImportId::new(ctx.now(), &*ctx.random)
}

/// An identifier that a form of at most [`FORM_OPEN`] ago fixed.
pub fn form_id_of(ctx: &Context, text: &str) -> Option<ImportId> {
    let is_open = |id: &ImportId| {
        id.made_at().is_some_and(|at| at <= ctx.now() && ctx.now() < later(at, FORM_OPEN))
    };
    text.parse().ok().filter(is_open)
}

/// Sends a written document. A second request with the same identifier has no effect.
pub async fn send_written(
    portal: &Portal,
    owner: Owner<'_>,
    asking: Asking,
    written: Written<'_>,
) -> Result<ImportId, Failure> {
    check_member(portal, owner).await?;
    let Written { import_id, operation, name, body } = written;
    let expired = || Failure::new(Code::NotFound, "The form has expired.");
    let import_id = form_id_of(&portal.ctx, import_id).ok_or_else(expired)?;
    let Owner { mode, organization_id, taxpayer_id } = owner;
    let store = &portal.ctx.store;
    if store.get_import(mode, organization_id, taxpayer_id, &import_id).await?.is_some() {
        return Ok(import_id);
    }
    let file = Opened::read(NewImport { operation, name, file: format!("{body}\n").into_bytes() })?;
    let made = create(&portal.reading(), owner, asking, (import_id, file), None).await?;
    // The same content under another form is the same import while it runs.
    made.map(|made| made.record.import_id).ok_or_else(overtaken)
}

/// The kind and the body of a document that a member wrote, so that it can be corrected and sent again.
pub async fn written_before(
    reading: &Reading,
    owner: Owner<'_>,
    import_id: &str,
) -> Result<(Operation, Vec<u8>), Failure> {
    let record = get(&reading.ctx, owner, import_id).await?;
    let file = open(&reading.bucket, &record).await?;
    match file.body(0) {
        Some(Ok(body)) if file.documents() == 1 => Ok((record.operation, body)),
        _ => Err(Failure::new(Code::NotFound, "This import was not written by hand.")),
    }
}

/// The outcome of an import with one document; `None` while it is running.
pub async fn outcome_of_written(
    reading: &Reading,
    record: &ImportRecord,
) -> Result<Option<Outcome>, Failure> {
    let Some(result) = &record.result else { return Ok(None) };
    let lines = reading.bucket.get(result).await?;
    let first = lines.split(|byte| *byte == b'\n').next().unwrap_or_default();
    let outcome =
        serde_json::from_slice(first).map_err(|error| StoreError::Corrupt(error.into()))?;
    Ok(Some(outcome))
}
