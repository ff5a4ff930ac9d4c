//! Imports: many documents in one file, each sent as a queued send is.
//!
//! A request stores the file and makes the import, after it has looked whether the file can be one: its form, its
//! columns, how many documents it has. The function `imports` then goes through it, a chunk at a time ([`work`]). Each
//! document is a send of its own, under an idempotency key that follows from its kind and number, so that neither a
//! file that comes twice nor a worker that dies sends anything twice.

mod outcome;
pub mod work;

use std::{collections::BTreeSet, io::Write, time::Duration};

use flate2::{Compression, write::GzEncoder};

use super::{
    Context, Portal, RELAY_GRACE, Reading, Sending, audit,
    documents::{Stored, stored},
    later,
    page::{Asked, List, Page},
    submit::{self, Render},
};
use crate::{
    access::{Action, By, Caller, CredentialId, Deed, Trail},
    bulk::{self, File},
    document::Operation,
    error::{Code, Failure, Finding},
    store::{ImportCounts, ImportRecord, ImportStatus, PayloadKind, PayloadMethod, StoreError},
    types::{GrantId, ImportId, Mode, OrganizationId, TaxpayerId, sha256_hex},
};

pub use outcome::{Outcome, OutcomeKind};

/// The most characters of a file's name.
pub const MAX_NAME: usize = 255;

/// What brings imports on.
#[derive(Clone)]
pub struct Importing {
    /// What sends work with.
    pub sending: Sending,
    /// How the answer to a send is written.
    pub render: Render,
    /// After how long a worker lets another go on: it must end before its function has to.
    pub slice: Duration,
}

/// Whose imports they are.
#[derive(Debug, Clone, Copy)]
pub struct Owner<'a> {
    /// Live or Sandbox.
    pub mode: Mode,
    /// Who imports.
    pub organization_id: &'a OrganizationId,
    /// For whom.
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

/// By whom an import is asked for.
#[derive(Debug, Clone)]
pub struct Asking {
    /// By what.
    pub asked_by: CredentialId,
    /// Through which grants.
    pub grant_ids: BTreeSet<GrantId>,
    /// By whom, and from where, for the audit trail.
    pub by: By,
}

/// A file as it came.
#[derive(Debug, Clone)]
pub struct NewImport {
    /// Which kind of document it holds.
    pub operation: Operation,
    /// What the caller calls it.
    pub name: Option<String>,
    /// Its bytes, compressed by gzip or not.
    pub file: Vec<u8>,
}

/// Takes an import for a caller who may send, where sends may be queued.
pub async fn take(
    sending: &Sending,
    caller: &Caller,
    by: By,
    new: NewImport,
) -> Result<ImportRecord, Failure> {
    submit::check_mode(sending, caller).await?;
    check_queue(sending.settings.queued_delivery)?;
    let (asked_by, grant_ids) = (caller.credential.clone(), caller.grant_ids.clone());
    create(&sending.reading(), caller.into(), Asking { asked_by, grant_ids, by }, new).await
}

/// Takes an import of a member, on the same conditions.
pub async fn take_on_page(
    portal: &Portal,
    owner: Owner<'_>,
    asking: Asking,
    new: NewImport,
) -> Result<ImportRecord, Failure> {
    let Owner { mode, organization_id, .. } = owner;
    submit::check_subscription(&portal.ctx, portal.freshness, mode, organization_id).await?;
    check_queue(portal.queued_delivery)?;
    create(&portal.reading(), owner, asking, new).await
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

/// Makes an import, if the file can be one.
async fn create(
    reading: &Reading,
    owner: Owner<'_>,
    Asking { asked_by, grant_ids, by }: Asking,
    NewImport { operation, name, file }: NewImport,
) -> Result<ImportRecord, Failure> {
    let Reading { ctx, bucket } = reading;
    if name.as_ref().is_some_and(|name| name.chars().count() > MAX_NAME) {
        let message = format!("The file's name has more than {MAX_NAME} characters.");
        return Err(Failure::new(Code::InvalidRequest, message));
    }
    let text = bulk::unpacked(file).map_err(refused)?;
    let (sha256, bytes) = (sha256_hex(&text), text.len());
    let packed = packed(&text)?;
    let opened = File::open(operation, text).map_err(refused)?;
    let now = ctx.now();
    let import_id = ImportId::new(now, &*ctx.random);
    let Owner { mode, organization_id, taxpayer_id } = owner;
    let place = (mode, organization_id, taxpayer_id, &import_id);
    let file = bucket.put_import(place, PayloadKind::Import, packed).await?;
    let record = ImportRecord {
        mode,
        organization_id: organization_id.clone(),
        taxpayer_id: taxpayer_id.clone(),
        asked_by,
        grant_ids,
        name: name.filter(|name| !name.is_empty()),
        operation,
        format: opened.format(),
        file,
        sha256,
        bytes: u64::try_from(bytes).unwrap_or(u64::MAX),
        documents: u32::try_from(opened.documents()).unwrap_or(u32::MAX),
        status: ImportStatus::Running,
        counts: ImportCounts::default(),
        parts: Vec::new(),
        result: None,
        created_at: now,
        updated_at: now,
        lease: None,
        tries: 0,
        import_id,
    };
    let (by, action, subject) = (&by, Action::ImportCreated, record.import_id.as_str());
    let deed = Deed { mode, by, action, subject, at: now };
    let entry = audit::entry(ctx, &deed, Trail::Organization(organization_id.clone()));
    ctx.store.create_import(&record, &entry, later(now, RELAY_GRACE)).await?;
    tracing::info!(import_id = %record.import_id, documents = record.documents, "an import was made");
    Ok(record)
}

fn refused(findings: Vec<Finding>) -> Failure {
    let message = "The file cannot be imported; see errors. Nothing of it was sent.".to_owned();
    Failure { message, ..Failure::invalid(findings) }
}

/// A file as it is stored.
fn packed(text: &[u8]) -> Result<Vec<u8>, StoreError> {
    let mut packer = GzEncoder::new(Vec::new(), Compression::fast());
    let written = packer.write_all(text).and_then(|()| packer.finish());
    written.map_err(|error| StoreError::Unavailable(error.into()))
}

/// An import of the owner's.
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
    asked: Asked<'_>,
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

/// The outcome of each document of an import that is completed: itself up to `here` bytes, its address beyond.
pub async fn result(
    reading: &Reading,
    record: &ImportRecord,
    here: usize,
    method: PayloadMethod,
) -> Result<Stored, Failure> {
    let payload = record.result.as_ref().ok_or_else(|| {
        Failure::new(Code::NotFound, "The import is not completed: there is no result yet.")
    })?;
    stored(reading, payload, here, method).await
}
