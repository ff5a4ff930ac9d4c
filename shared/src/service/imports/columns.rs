//! Tables with foreign headings that members import: which field each column is. The organization's choice is remembered
//! for each kind of document.

use super::{
    NewImport, Owner,
    held::{check_member, held, keep},
    packed, refused,
};
use crate::{
    document::Operation,
    error::Failure,
    import_tables::{
        self,
        mapping::{Headed, Mapping},
    },
    service::{Portal, Reading},
    store::ColumnsRecord,
    types::ImportId,
};

/// Maximum headings that are remembered for a kind of document.
const MAX_REMEMBERED: usize = 1_000;

/// What becomes of a table with foreign headings.
#[derive(Debug)]
pub enum Foreign {
    /// The remembered fields fit: the table is held with them.
    Mapped {
        /// The table as it came.
        raw: ImportId,
        /// The table with the fields as its headings.
        mapped: ImportId,
    },
    /// The table is held as it is, and a member must say what its columns are.
    Asked(ImportId),
}

/// Holds a table with foreign headings; `None` if the file is not such a table.
pub async fn hold_foreign(
    portal: &Portal,
    owner: Owner<'_>,
    NewImport { operation, file, .. }: NewImport,
) -> Result<Option<Foreign>, Failure> {
    check_member(portal, owner).await?;
    let bytes = import_tables::unpacked(file).map_err(refused)?;
    let packed_raw = packed(&bytes)?;
    let Some(headed) = Headed::read(bytes).map_err(refused)? else { return Ok(None) };
    let known = remembered(portal, owner, operation).await?;
    let raw = keep(portal, owner, packed_raw).await?;
    if headed.is_covered_by(&known)
        && let Ok(table) = headed.mapped(&known)
    {
        let packed_table = packed(&table)?;
        if import_tables::File::open(operation, table).is_ok() {
            let mapped = keep(portal, owner, packed_table).await?;
            return Ok(Some(Foreign::Mapped { raw, mapped }));
        }
    }
    Ok(Some(Foreign::Asked(raw)))
}

/// The headings of a held table, from left to right, each with its most likely field.
pub async fn columns(
    portal: &Portal,
    owner: Owner<'_>,
    (operation, import_id): (Operation, &str),
) -> Result<Vec<(String, String)>, Failure> {
    let headed = headed(&portal.reading(), owner, import_id).await?;
    let known = remembered(portal, owner, operation).await?;
    let mut guesses = headed.guesses(operation, &known);
    let guess = |heading: String| {
        let field = guesses.remove(&heading).unwrap_or_default();
        (heading, field)
    };
    Ok(headed.headings.into_iter().map(guess).collect())
}

/// Holds a table with the fields that a member chose, and remembers these.
pub async fn map(
    portal: &Portal,
    owner: Owner<'_>,
    (operation, import_id): (Operation, &str),
    chosen: Vec<String>,
) -> Result<ImportId, Failure> {
    check_member(portal, owner).await?;
    let headed = headed(&portal.reading(), owner, import_id).await?;
    let mapping: Mapping = headed.headings.iter().cloned().zip(chosen).collect();
    let table = headed.mapped(&mapping).map_err(refused)?;
    let packed = packed(&table)?;
    import_tables::File::open(operation, table).map_err(refused)?;
    let mut fields = remembered(portal, owner, operation).await?;
    if fields.len() + mapping.len() > MAX_REMEMBERED {
        fields.clear();
    }
    fields.extend(mapping);
    let Owner { mode, organization_id, .. } = owner;
    let store = &portal.ctx.store;
    store.put_import_columns(mode, organization_id, operation, &ColumnsRecord { fields }).await?;
    keep(portal, owner, packed).await
}

async fn remembered(
    portal: &Portal,
    Owner { mode, organization_id, .. }: Owner<'_>,
    operation: Operation,
) -> Result<Mapping, Failure> {
    let store = &portal.ctx.store;
    Ok(store.get_import_columns(mode, organization_id, operation).await?.fields)
}

async fn headed(reading: &Reading, owner: Owner<'_>, import_id: &str) -> Result<Headed, Failure> {
    let (_, file) = held(reading, owner, import_id).await?;
    let bytes = import_tables::unpacked(file).map_err(refused)?;
    let none = || {
        let message = "The file is not a table with headings.";
        Failure::new(crate::error::Code::NotFound, message)
    };
    Headed::read(bytes).map_err(refused)?.ok_or_else(none)
}
