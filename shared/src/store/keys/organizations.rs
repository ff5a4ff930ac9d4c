//! Keys of an organization: its profile, its grants, its imports and its audit trail, which taxpayers have as well.

use super::{GRANT, Key, PROFILE, organization, taxpayer};
use crate::{
    access::{Notification, Trail},
    document::Operation,
    types::{AuditId, GrantId, ImportId, Mode, OrganizationId, TaxpayerId},
};

/// Prefix of the sort keys of connections.
pub const CONNECTION: &str = "CONNECTION#";
/// Prefix of the sort keys of drafts.
pub const DRAFT: &str = "DRAFT#";

/// The partition of an organization's imports for a taxpayer.
pub(in crate::store) fn imports(
    mode: Mode,
    organization_id: &OrganizationId,
    id: &TaxpayerId,
) -> String {
    format!("{}#IMPORTS#{id}", organization(mode, organization_id))
}

/// The partition of an organization's grants and connections, apart from its profile for the same reason.
pub(in crate::store) fn grants(mode: Mode, id: &OrganizationId) -> String {
    format!("{}#GRANTS", organization(mode, id))
}

/// The partition of an organization's notices.
pub(in crate::store) fn notices(mode: Mode, id: &OrganizationId) -> String {
    format!("{}#NOTICES", organization(mode, id))
}

/// The partition of an audit trail. Its entries are never changed or removed.
pub(in crate::store) fn audit(mode: Mode, trail: &Trail) -> String {
    match trail {
        Trail::Organization(id) => format!("{}#AUDIT", organization(mode, id)),
        Trail::Taxpayer(id) => format!("{}#AUDIT", taxpayer(mode, id)),
    }
}

impl Key {
    /// An organization.
    pub fn organization(mode: Mode, id: &OrganizationId) -> Self {
        Key::new(organization(mode, id), PROFILE)
    }

    /// A grant, in its organization's partition.
    pub fn grant_mirror(mode: Mode, organization_id: &OrganizationId, id: &GrantId) -> Self {
        Key::new(grants(mode, organization_id), format!("{GRANT}{id}"))
    }

    /// The connection of an organization with a taxpayer.
    pub fn connection(mode: Mode, organization_id: &OrganizationId, id: &TaxpayerId) -> Self {
        Key::new(grants(mode, organization_id), format!("{CONNECTION}{id}"))
    }

    /// An import.
    pub fn import(
        mode: Mode,
        organization_id: &OrganizationId,
        taxpayer_id: &TaxpayerId,
        id: &ImportId,
    ) -> Self {
        Key::new(imports(mode, organization_id, taxpayer_id), id.to_string())
    }

    /// The fields of an organization's foreign headings, for a kind of document.
    pub fn import_columns(mode: Mode, id: &OrganizationId, operation: Operation) -> Self {
        let partition = format!("{}#IMPORTS#COLUMNS", organization(mode, id));
        Key::new(partition, format!("COLUMNS#{operation}"))
    }

    /// A draft of a document.
    pub fn draft(
        mode: Mode,
        organization_id: &OrganizationId,
        taxpayer_id: &TaxpayerId,
        id: &ImportId,
    ) -> Self {
        Key::new(imports(mode, organization_id, taxpayer_id), format!("{DRAFT}{id}"))
    }

    /// The last import of a file.
    pub fn import_of_file(
        mode: Mode,
        organization_id: &OrganizationId,
        taxpayer_id: &TaxpayerId,
        (operation, sha256): (Operation, &str),
    ) -> Self {
        let sort = format!("FILE#{operation}#{sha256}");
        Key::new(imports(mode, organization_id, taxpayer_id), sort)
    }

    /// The notice of a kind.
    pub fn notice(mode: Mode, organization_id: &OrganizationId, kind: Notification) -> Self {
        Key::new(notices(mode, organization_id), kind.as_str())
    }

    /// An entry of an audit trail.
    pub fn audit(mode: Mode, trail: &Trail, id: &AuditId) -> Self {
        Key::new(audit(mode, trail), id.to_string())
    }
}
