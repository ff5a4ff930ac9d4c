//! Revocation lists of the network's authorities, one object for each URL. They are public, belong to no tenant, and
//! are replaced by newer ones.

use aws_sdk_s3::{error::ProvideErrorMetadata, primitives::ByteStream};
use jiff::Timestamp;

use super::{Bucket, StoreError, dynamo::unavailable};
use crate::types::sha256_hex;

impl Bucket {
    /// The stored list of a URL, and when it was stored.
    pub async fn get_revocation_list(
        &self,
        url: &str,
    ) -> Result<Option<(Timestamp, Vec<u8>)>, StoreError> {
        let request = self.s3.get_object().bucket(&*self.name).key(key(url));
        let output = match request.send().await {
            Ok(output) => output,
            Err(error) if error.code() == Some("NoSuchKey") => return Ok(None),
            Err(error) => return Err(unavailable(error)),
        };
        let kept = output.last_modified.and_then(|at| at.to_millis().ok()).unwrap_or_default();
        let kept = Timestamp::from_millisecond(kept).unwrap_or_default();
        let bytes = output.body.collect().await.map_err(unavailable)?.to_vec();
        Ok(Some((kept, bytes)))
    }

    /// Stores the list of a URL.
    pub async fn put_revocation_list(&self, url: &str, bytes: Vec<u8>) -> Result<(), StoreError> {
        let request = self.s3.put_object().bucket(&*self.name).key(key(url));
        let request = request.content_type("application/pkix-crl").body(ByteStream::from(bytes));
        request.send().await.map(drop).map_err(unavailable)
    }
}

fn key(url: &str) -> String {
    format!("revocation/{}.crl", sha256_hex(url.as_bytes()))
}
