//! Imports: many documents in one file, each sent like a queued send.
//!
//! A request checks the file's form, its columns and its count of documents. Then it stores the file and creates the
//! import. The function `imports` works through the file in chunks ([`work`]). Each document is a send of its own, with
//! an idempotency key that is derived from its kind and number. So neither a file that is imported twice nor a dying
//! worker sends a document twice.

mod columns;
mod document;
mod held;
mod look;
mod outcome;
pub mod work;
mod written;

use std::{collections::BTreeSet, io::Write, time::Duration};

use flate2::{Compression, write::GzEncoder};
use jiff::Timestamp;
use sha2::{Digest, Sha256};

use super::{
    Context, RELAY_GRACE, Reading, Sending, audit,
    documents::{Stored, stored},
    idempotency::{self, replay, unconfirmed, unreadable},
    later,
    page::{List, Page, PageQuery},
    reply::{Render, Reply, Sent},
    submit,
};
use crate::{
    access::{Action, By, Caller, CredentialId, Deed, Trail},
    document::Operation,
    error::{Code, Failure, Finding},
    import_tables::{self, File, Format},
    store::{
        IdempotencyHash, ImportCounts, ImportRecord, ImportStatus, ImportedRow, Payload,
        PayloadKind, PayloadMethod, Recorded, Release, Reservation, Reserved, SendFacts,
        StoreError,
    },
    types::{
        DocumentId, GrantId, ImportId, MessageId, Mode, OrganizationId, TaxpayerId, hex, sha256_hex,
    },
};

pub use self::columns::{Foreign, columns, hold_foreign, map};
pub(crate) use self::document::{Earlier, found_after};
#[cfg(test)]
pub use self::held::HELD;
pub use self::held::{example, hold, look, refused_rows, take_held};
pub use self::look::Look;
pub use self::outcome::{Outcome, OutcomeKind};
pub use self::written::{
    Written, form_id, form_id_of, outcome_of_written, send_written, written_before,
};

/// Maximum characters of a file's name.
pub const MAX_NAME: usize = 255;

/// What working on imports needs.
#[derive(Clone)]
pub struct Importing {
    /// What sends need.
    pub sending: Sending,
    /// Renders the replies to sends.
    pub render: Render,
    /// After how long a worker hands over to another one. Shorter than its function's time limit.
    pub slice: Duration,
    /// How many documents are handled together.
    pub pace: Pace,
}

/// How many documents of an import are handled together.
#[derive(Debug, Clone, Copy)]
pub struct Pace {
    /// How many documents are recorded together. An interrupted import checks at most this many again.
    pub chunk: usize,
    /// How many documents are sent concurrently.
    pub at_once: usize,
}

impl Default for Pace {
    fn default() -> Self {
        Pace { chunk: 100, at_once: 16 }
    }
}

/// The owner of imports.
#[derive(Debug, Clone, Copy)]
pub struct Owner<'a> {
    /// Live or Sandbox.
    pub mode: Mode,
    /// The importing organization.
    pub organization_id: &'a OrganizationId,
    /// The taxpayer that it imports for.
    pub taxpayer_id: &'a TaxpayerId,
}

impl<'a> From<&'a Caller> for Owner<'a> {
    fn from(caller: &'a Caller) -> Self {
        Owner {
            mode: caller.mode,
            organization_id: &caller.organization_id,
            taxpayer_id: &caller.taxpayer.taxpayer_id,
        }
    }
}

/// The origin of an import.
#[derive(Debug, Clone)]
pub struct Asking {
    /// The credential of the request.
    pub asked_by: CredentialId,
    /// The grants of the request.
    pub grant_ids: BTreeSet<GrantId>,
    /// The actor and its address, for the audit trail.
    pub by: By,
}

/// An uploaded file.
#[derive(Debug, Clone)]
pub struct NewImport {
    /// The kind of its documents.
    pub operation: Operation,
    /// The caller's name for the file.
    pub name: Option<String>,
    /// Its bytes, optionally compressed by gzip.
    pub file: Vec<u8>,
}

/// A request of a caller to import a file.
#[derive(Debug, Clone)]
pub struct Requested<'a> {
    /// The actor and its address, for the audit trail.
    pub by: By,
    /// The file.
    pub new: NewImport,
    /// `Idempotency-Key`, in the form that the API admits.
    pub idempotency_key: Option<&'a str>,
}

/// The answer to a caller.
#[derive(Debug, Clone)]
pub struct Taken {
    /// The import.
    pub import_id: ImportId,
    /// The reply.
    pub reply: Reply,
    /// Whether the request created nothing: the reply is a saved one, or the same file is being imported already.
    pub replayed: bool,
}

/// Renders the reply for an import. It comes from the API; with an idempotency key, its bytes are saved as they are.
pub type RenderImport = fn(&ImportRecord) -> Reply;

/// The operation's name in the fingerprint of its requests. No send has this name.
const OPERATION: &str = "create_import";
/// How often concurrent requests for the same file may win before this one fails.
const ATTEMPTS: usize = 3;

/// Accepts an import from a caller who may send, where sends may be queued. As for a send, a saved reply is replayed
/// before any other check.
pub async fn take(
    sending: &Sending,
    caller: &Caller,
    requested: Requested<'_>,
    render: RenderImport,
) -> Result<Taken, Failure> {
    let Requested { by, new, idempotency_key } = requested;
    let key = idempotency_key.map(IdempotencyHash::of);
    let file = match Opened::read(new) {
        Ok(file) => file,
        Err(failure) => {
            return Err(unreadable(&sending.ctx, caller, key.as_ref(), failure).await);
        }
    };
    let Some(key) = key else {
        let made = make(sending, caller, by, file, None).await?;
        let MadeImport { record, is_new } = made.ok_or_else(overtaken)?;
        let reply = render(&record);
        return Ok(Taken { import_id: record.import_id, reply, replayed: !is_new });
    };
    // The fingerprint covers the kind of document and the content of the file, not its name.
    let said = format!("{OPERATION} {} {}", file.operation, file.sha256);
    let fingerprint = hex(&Sha256::digest(said));
    let facts = facts(&sending.ctx);
    let reservation = match idempotency::reserve(sending, caller, key, &fingerprint, facts).await? {
        Reserved::Mine(reservation) => reservation,
        Reserved::Taken(found) => return replayed(replay(found, &fingerprint)?),
    };
    let reserved = Some(Reserving { reservation: &reservation, render });
    let error = match make(sending, caller, by, file, reserved).await {
        Ok(Some(MadeImport { record, is_new })) => {
            let reply = render(&record);
            return Ok(Taken { import_id: record.import_id, reply, replayed: !is_new });
        }
        Ok(None) => None,
        Err(failure) => Some(failure),
    };
    // The release decides. It cannot release a reservation whose result was recorded. After a release, the result can
    // no longer be recorded.
    match idempotency::free(&sending.ctx.store, &reservation).await {
        Some(Release::Remains(found)) => {
            let is_own =
                found.ended_by(reservation.owner) && found.facts.import == reservation.facts.import;
            let taken = replayed(replay(*found, &fingerprint)?)?;
            Ok(Taken { replayed: !is_own, ..taken })
        }
        Some(Release::Freed) | None => Err(error.unwrap_or_else(overtaken)),
    }
}

/// The facts in the reservation of a key: they fix the import's identifier. The request makes no document.
fn facts(ctx: &Context) -> SendFacts {
    let now = ctx.now();
    SendFacts {
        document_id: DocumentId::new(now, &*ctx.random),
        message_id: MessageId::new(now, &*ctx.random),
        uuid: ctx.new_uuid(),
        created_at: now,
        queued: true,
        import: Some(ImportedRow::whole(ImportId::new(now, &*ctx.random))),
    }
}

/// A saved answer.
fn replayed(sent: Sent) -> Result<Taken, Failure> {
    let import = sent.import.ok_or_else(|| {
        StoreError::Corrupt("the answer to an import does not name the import".into())
    })?;
    Ok(Taken { import_id: import.import_id, reply: sent.reply, replayed: true })
}

fn overtaken() -> Failure {
    let why = "other requests for the same file came first";
    Failure::new(Code::ServiceUnavailable, "The import was not created. Retry.").because(why)
}

async fn make(
    sending: &Sending,
    caller: &Caller,
    by: By,
    file: Opened,
    reserved: Option<Reserving<'_>>,
) -> Result<Option<MadeImport>, Failure> {
    submit::check_mode(sending, caller).await?;
    check_queue(sending.settings.queued_delivery)?;
    let (asked_by, grant_ids) = (caller.credential.clone(), caller.grant_ids.clone());
    let asking = Asking { asked_by, grant_ids, by };
    let fixed = reserved.and_then(|it| it.reservation.facts.import.as_ref());
    let new_id = || ImportId::new(sending.ctx.now(), &*sending.ctx.random);
    let import_id = fixed.map_or_else(new_id, |fixed| fixed.import_id.clone());
    create(&sending.reading(), caller.into(), asking, (import_id, file), reserved).await
}

fn check_queue(queued_delivery: bool) -> Result<(), Failure> {
    match queued_delivery {
        true => Ok(()),
        false => Err(Failure::new(
            Code::QueuedDeliveryDisabled,
            "An import needs queued delivery, which is not enabled on this deployment.",
        )),
    }
}

/// A file that can be imported.
struct Opened {
    operation: Operation,
    name: Option<String>,
    format: Format,
    documents: usize,
    sha256: String,
    bytes: usize,
    packed: Vec<u8>,
}

impl Opened {
    fn read(NewImport { operation, name, file }: NewImport) -> Result<Self, Failure> {
        if name.as_ref().is_some_and(|name| name.chars().count() > MAX_NAME) {
            let message = format!("The file's name has more than {MAX_NAME} characters.");
            return Err(Failure::new(Code::InvalidRequest, message));
        }
        let text = import_tables::unpacked(file).map_err(refused)?;
        let (sha256, bytes) = (sha256_hex(&text), text.len());
        let packed = packed(&text)?;
        let opened = File::open(operation, text).map_err(refused)?;
        let (format, documents) = (opened.format(), opened.documents());
        let name = name.filter(|name| !name.is_empty());
        Ok(Opened { operation, name, format, documents, sha256, bytes, packed })
    }
}

/// The reservation of an import's idempotency key, and the renderer of its reply.
#[derive(Clone, Copy)]
struct Reserving<'a> {
    reservation: &'a Reservation,
    render: RenderImport,
}

/// The import of a request.
struct MadeImport {
    record: ImportRecord,
    /// Whether this request created it.
    is_new: bool,
}

/// Creates an import. While the same file is being imported through the same grants, that import is returned, also for
/// concurrent requests. `None` where another attempt owns the key by now, or where concurrent requests won every time.
async fn create(
    reading: &Reading,
    owner: Owner<'_>,
    asking: Asking,
    (import_id, file): (ImportId, Opened),
    reserved: Option<Reserving<'_>>,
) -> Result<Option<MadeImport>, Failure> {
    let Reading { ctx, bucket, .. } = reading;
    let Owner { mode, organization_id, taxpayer_id } = owner;
    let mut stored: Option<Payload> = None;
    let content = (file.operation, file.sha256.as_str());
    for _ in 0..ATTEMPTS {
        let now = ctx.now();
        let store = &ctx.store;
        let before = store.get_import_of_file(mode, organization_id, taxpayer_id, content).await?;
        if let Some(id) = &before {
            let known = store.get_import(mode, organization_id, taxpayer_id, id).await?;
            let is_it = |it: &ImportRecord| {
                it.status == ImportStatus::Running && it.grant_ids == asking.grant_ids
            };
            if let Some(record) = known.filter(is_it) {
                return under_way(ctx, record, reserved).await;
            }
        }
        let payload = match &stored {
            Some(payload) => payload.clone(),
            None => {
                let place = (mode, organization_id, taxpayer_id, &import_id);
                let packed = file.packed.clone();
                bucket.put_import(place, PayloadKind::Import, packed).await?
            }
        };
        stored = Some(payload.clone());
        let record = record(owner, &asking, &file, (import_id.clone(), payload, before), now);
        let (by, action, subject) = (&asking.by, Action::ImportCreated, record.import_id.as_str());
        let deed = Deed { mode, by, action, subject, at: now };
        let entry = audit::entry(ctx, &deed, Trail::Organization(organization_id.clone()));
        let sweep_at = later(now, RELAY_GRACE);
        let reply = reserved.map(|it| (it.reservation, (it.render)(&record)));
        let saved = reply
            .as_ref()
            .map(|(reservation, reply)| Ok::<_, StoreError>((*reservation, reply.saved()?)));
        let saved = saved.transpose()?;
        let recorded = store.create_import(&record, &entry, saved, sweep_at).await;
        match recorded {
            Ok(Recorded::Done) => {
                let ImportRecord { import_id, documents, .. } = &record;
                tracing::info!(%import_id, documents, "an import was created");
                return Ok(Some(MadeImport { record, is_new: true }));
            }
            // Another request for the same file, or another attempt under the same key, was faster.
            Ok(Recorded::Lost) => {}
            Err(error) if reserved.is_some() => return Err(unconfirmed().because(error)),
            Err(error) => return Err(error.into()),
        }
    }
    Ok(None)
}

/// Returns the running import of the same file.
async fn under_way(
    ctx: &Context,
    record: ImportRecord,
    reserved: Option<Reserving<'_>>,
) -> Result<Option<MadeImport>, Failure> {
    let made = MadeImport { record, is_new: false };
    let Some(Reserving { reservation, render }) = reserved else { return Ok(Some(made)) };
    let reply = render(&made.record);
    match ctx.store.save_reply(reservation, reply.saved()?, &made.record.import_id).await {
        Ok(Recorded::Done) => Ok(Some(made)),
        Ok(Recorded::Lost) => Ok(None),
        Err(error) => Err(unconfirmed().because(error)),
    }
}

fn record(
    Owner { mode, organization_id, taxpayer_id }: Owner<'_>,
    asking: &Asking,
    file: &Opened,
    (import_id, payload, same_file): (ImportId, Payload, Option<ImportId>),
    now: Timestamp,
) -> ImportRecord {
    ImportRecord {
        mode,
        organization_id: organization_id.clone(),
        taxpayer_id: taxpayer_id.clone(),
        asked_by: asking.asked_by.clone(),
        grant_ids: asking.grant_ids.clone(),
        name: file.name.clone(),
        operation: file.operation,
        format: file.format,
        file: payload,
        sha256: file.sha256.clone(),
        bytes: u64::try_from(file.bytes).unwrap_or(u64::MAX),
        documents: u32::try_from(file.documents).unwrap_or(u32::MAX),
        same_file,
        status: ImportStatus::Running,
        counts: ImportCounts::default(),
        parts: Vec::new(),
        result: None,
        parked: None,
        created_at: now,
        updated_at: now,
        lease: None,
        tries: 0,
        import_id,
    }
}

fn refused(findings: Vec<Finding>) -> Failure {
    let message = "The file cannot be imported; see errors. No document of it was sent.".to_owned();
    Failure { message, ..Failure::invalid(findings) }
}

/// A file in its stored form.
fn packed(text: &[u8]) -> Result<Vec<u8>, StoreError> {
    let mut packer = GzEncoder::new(Vec::new(), Compression::fast());
    let written = packer.write_all(text).and_then(|()| packer.finish());
    written.map_err(|error| StoreError::Unavailable(error.into()))
}

/// An import of the owner.
pub async fn get(
    ctx: &Context,
    owner: Owner<'_>,
    import_id: &str,
) -> Result<ImportRecord, Failure> {
    let Owner { mode, organization_id, taxpayer_id } = owner;
    let found = match import_id.parse() {
        Ok(id) => ctx.store.get_import(mode, organization_id, taxpayer_id, &id).await?,
        Err(_) => None,
    };
    found.ok_or_else(|| Failure::new(Code::NotFound, "There is no such import."))
}

/// A page of the owner's imports, the newest first.
pub async fn list(
    ctx: &Context,
    owner: Owner<'_>,
    asked: PageQuery<'_>,
) -> Result<Page<ImportRecord>, Failure> {
    let Owner { mode, organization_id, taxpayer_id } = owner;
    let owner = taxpayer_id.as_str();
    let list = List { name: "imports", mode, owner, filter: &organization_id };
    let after = asked.after(&list).await?;
    let (store, limit) = (&ctx.store, asked.limit());
    let page =
        store.list_imports(mode, organization_id, taxpayer_id, after.as_deref(), limit).await?;
    asked.page(&list, page.items, page.next).await
}

/// The result of a completed import, with the outcome of each document. Up to `here` bytes are returned directly; a
/// larger result by its address.
pub async fn result(
    reading: &Reading,
    record: &ImportRecord,
    here: usize,
    method: PayloadMethod,
) -> Result<Stored, Failure> {
    let why = match record.parked {
        None => "The import is not completed: there is no result yet.",
        Some(_) => {
            "There is no result: the service has abandoned the import. Import the file again: documents that were sent \
             are not sent again."
        }
    };
    let payload = record.result.as_ref().ok_or_else(|| Failure::new(Code::NotFound, why))?;
    stored(reading, payload, here, method).await
}
