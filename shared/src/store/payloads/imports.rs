//! The objects of imports.

use super::{Bucket, PayloadKind, payload_in};
use crate::{
    store::{Payload, StoreError},
    types::{ImportId, Mode, OrganizationId, TaxpayerId, sha256_hex},
};

impl Bucket {
    /// Stores the file or the outcomes of an import. Storing the same bytes again changes nothing.
    pub async fn put_import(
        &self,
        place: (Mode, &OrganizationId, &TaxpayerId, &ImportId),
        kind: PayloadKind,
        bytes: Vec<u8>,
    ) -> Result<Payload, StoreError> {
        let (mode, organization_id, taxpayer_id, import_id) = place;
        let folder = format!("{mode}/imports/{organization_id}/{taxpayer_id}/{import_id}");
        self.write_object(payload_in(&folder, kind, &bytes), kind, bytes.into()).await
    }

    /// Holds a file until an authorized member confirms its import. Its name is the import's id.
    pub async fn hold_import(
        &self,
        place: (Mode, &OrganizationId, &TaxpayerId, &ImportId),
        bytes: Vec<u8>,
    ) -> Result<(), StoreError> {
        let (sha256, size) = (sha256_hex(&bytes), bytes.len().try_into().unwrap_or(u64::MAX));
        let payload = Payload { key: held_in(place), sha256, bytes: size, part: None };
        self.write_object(payload, PayloadKind::Import, bytes.into()).await.map(drop)
    }

    /// A file that is held; `None` when there is none, or it has been removed.
    pub async fn held_import(
        &self,
        place: (Mode, &OrganizationId, &TaxpayerId, &ImportId),
    ) -> Result<Option<Vec<u8>>, StoreError> {
        self.read_object(&held_in(place), None).await
    }
}

/// The key of a file that is held.
fn held_in(place: (Mode, &OrganizationId, &TaxpayerId, &ImportId)) -> String {
    let (mode, organization_id, taxpayer_id, import_id) = place;
    let kind = PayloadKind::Import.extension();
    format!("{mode}/imports/held/{organization_id}/{taxpayer_id}/{import_id}.{kind}")
}
