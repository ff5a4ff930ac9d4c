//! Files that are held for a person, who sees their content before they are imported.

use super::{
    Asking, NewImport, Opened, Owner, check_queue, create, look::Look, overtaken, packed, refused,
};
use crate::{
    access::Taxpayer,
    document::Operation,
    error::{Code, Failure},
    import_tables::{self, File, Format},
    service::{
        Portal, Reading, later,
        submit::{self, Examination},
    },
    types::ImportId,
};

/// How long an uploaded file is held for a member. Nothing is sent before the member confirms.
pub const HELD: jiff::SignedDuration = jiff::SignedDuration::from_hours(1);

/// Holds a member's file, if it can be imported and the member's organization may import. Nothing is sent. Returns the
/// identifier of the later import.
pub async fn hold(portal: &Portal, owner: Owner<'_>, new: NewImport) -> Result<ImportId, Failure> {
    check_member(portal, owner).await?;
    let text = import_tables::unpacked(new.file).map_err(refused)?;
    let packed = packed(&text)?;
    File::open(new.operation, text).map_err(refused)?;
    keep(portal, owner, packed).await
}

/// Keeps a packed file under a new identifier.
pub(super) async fn keep(
    portal: &Portal,
    owner: Owner<'_>,
    packed: Vec<u8>,
) -> Result<ImportId, Failure> {
    let import_id = ImportId::new(portal.ctx.now(), &*portal.ctx.random);
    let Owner { mode, organization_id, taxpayer_id } = owner;
    portal.bucket.hold_import((mode, organization_id, taxpayer_id, &import_id), packed).await?;
    tracing::info!(import_id = %import_id, "a file is kept");
    Ok(import_id)
}

/// The preview of a held file.
pub async fn look(
    reading: &Reading,
    owner: Owner<'_>,
    taxpayer: &Taxpayer,
    (operation, import_id): (Operation, &str),
) -> Result<Look, Failure> {
    let file = open(reading, owner, (operation, import_id)).await?;
    super::look::look(&reading.ctx, taxpayer, operation, &file).await
}

/// The documents of a held file that would be refused, as a file of its format. A table has the reasons in its last
/// column, which an import ignores.
pub async fn refused_rows(
    reading: &Reading,
    owner: Owner<'_>,
    taxpayer: &Taxpayer,
    (operation, import_id): (Operation, &str),
) -> Result<(Format, Vec<u8>), Failure> {
    let file = open(reading, owner, (operation, import_id)).await?;
    let look = super::look::look(&reading.ctx, taxpayer, operation, &file).await?;
    Ok((file.format(), file.only(&look.refused)))
}

/// The first document of a held file that would be sent, as the checks of a send complete it.
pub async fn example(
    reading: &Reading,
    owner: Owner<'_>,
    taxpayer: &Taxpayer,
    (operation, import_id): (Operation, &str),
) -> Result<Examination, Failure> {
    let file = open(reading, owner, (operation, import_id)).await?;
    let look = super::look::look(&reading.ctx, taxpayer, operation, &file).await?;
    let body = look.example.and_then(|document| file.body(document)).and_then(Result::ok);
    let none = || Failure::new(Code::NotFound, "The file has no document without errors.");
    submit::examine(&reading.ctx, taxpayer, operation, &body.ok_or_else(none)?).await
}

async fn open(
    reading: &Reading,
    owner: Owner<'_>,
    (operation, import_id): (Operation, &str),
) -> Result<File, Failure> {
    let (_, file) = held(reading, owner, import_id).await?;
    File::open(operation, import_tables::unpacked(file).map_err(refused)?).map_err(refused)
}

/// Imports a held file after the member's confirmation. A second confirmation has no effect.
pub async fn take_held(
    portal: &Portal,
    owner: Owner<'_>,
    asking: Asking,
    (operation, import_id, name): (Operation, &str, Option<String>),
) -> Result<(), Failure> {
    check_member(portal, owner).await?;
    let (import_id, file) = held(&portal.reading(), owner, import_id).await?;
    let Owner { mode, organization_id, taxpayer_id } = owner;
    let store = &portal.ctx.store;
    if store.get_import(mode, organization_id, taxpayer_id, &import_id).await?.is_some() {
        return Ok(());
    }
    let file = Opened::read(NewImport { operation, name, file })?;
    let made = create(&portal.reading(), owner, asking, (import_id, file), None).await?;
    made.map(drop).ok_or_else(overtaken)
}

/// Checks whether the member's organization may import.
pub(super) async fn check_member(portal: &Portal, owner: Owner<'_>) -> Result<(), Failure> {
    let Owner { mode, organization_id, .. } = owner;
    submit::check_subscription(&portal.ctx, portal.freshness, mode, organization_id).await?;
    check_queue(portal.queued_delivery)
}

/// A file that has been held for at most [`HELD`].
pub(super) async fn held(
    Reading { ctx, bucket, .. }: &Reading,
    owner: Owner<'_>,
    import_id: &str,
) -> Result<(ImportId, Vec<u8>), Failure> {
    let Owner { mode, organization_id, taxpayer_id } = owner;
    let is_fresh = |id: &ImportId| {
        id.made_at().is_some_and(|at| at <= ctx.now() && ctx.now() < later(at, HELD))
    };
    let import_id: Option<ImportId> = import_id.parse().ok().filter(is_fresh);
    let found = match &import_id {
        Some(id) => bucket.held_import((mode, organization_id, taxpayer_id, id)).await?,
        None => None,
    };
    let none = || Failure::new(Code::NotFound, "The file is no longer kept: choose it again.");
    import_id.zip(found).ok_or_else(none)
}
