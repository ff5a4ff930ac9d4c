//! The object with the retired items of a document. It is the only one of its folder that is not named by its content: a
//! reader of the table knows no more than the document.

use std::io::{Read as _, Write as _};

use flate2::{Compression, read::GzDecoder, write::GzEncoder};

use super::{Bucket, PayloadKind};
use crate::{
    store::StoreError,
    types::{DocumentId, Mode, TaxpayerId},
};

/// Maximum bytes of the items. An item has 400 kB at most.
const MOST: u64 = 16 * 1024 * 1024;

impl Bucket {
    /// Stores the retired items of a Live document, one JSON object in each line. If the document has such an object
    /// already, that one stays, and its content is returned.
    pub(in crate::store) async fn put_retired(
        &self,
        taxpayer_id: &TaxpayerId,
        document_id: &DocumentId,
        lines: &[u8],
    ) -> Result<Option<Vec<u8>>, StoreError> {
        let key = retired_key(taxpayer_id, document_id);
        let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
        let object = encoder.write_all(lines).and_then(|()| encoder.finish());
        let object = object.map_err(|error| StoreError::Unavailable(error.into()))?;
        match self.create(&key, PayloadKind::Retired, object.into()).await? {
            true => Ok(None),
            false => self.find_retired(taxpayer_id, document_id).await,
        }
    }

    /// The retired items of a Live document, if there are any.
    pub(in crate::store) async fn find_retired(
        &self,
        taxpayer_id: &TaxpayerId,
        document_id: &DocumentId,
    ) -> Result<Option<Vec<u8>>, StoreError> {
        let key = retired_key(taxpayer_id, document_id);
        let Some(object) = self.read_object(&key, None).await? else { return Ok(None) };
        let mut lines = Vec::new();
        GzDecoder::new(&*object)
            .take(MOST)
            .read_to_end(&mut lines)
            .map_err(|error| StoreError::Corrupt(error.into()))?;
        Ok(Some(lines))
    }
}

fn retired_key(taxpayer_id: &TaxpayerId, document_id: &DocumentId) -> String {
    let extension = PayloadKind::Retired.extension();
    format!("{}/{taxpayer_id}/{document_id}/items.{extension}", Mode::Live)
}
