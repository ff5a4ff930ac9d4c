//! The bucket: UBL documents and the bodies of queued sends, one object a fact, named by its
//! content and never overwritten.
//!
//! `<mode>/<txpay_…>/<doc_…>/<SHA-256>.xml` is a UBL document, `….json` the body of a queued send.

use aws_sdk_s3::{error::ProvideErrorMetadata, primitives::ByteStream};

use super::{Payload, Payloads, Store, StoreError, dynamo::unavailable};
use crate::types::{DocumentId, Mode, TaxpayerId, sha256_hex};

/// What a payload is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PayloadKind {
    /// A UBL document.
    Ubl,
    /// The body of a queued send.
    Request,
}

impl PayloadKind {
    fn extension(self) -> &'static str {
        match self {
            PayloadKind::Ubl => "xml",
            PayloadKind::Request => "json",
        }
    }

    fn content_type(self) -> &'static str {
        match self {
            PayloadKind::Ubl => "application/xml",
            PayloadKind::Request => "application/json",
        }
    }
}

impl Store {
    /// Stores bytes under a document of a taxpayer. Storing the same bytes again changes nothing.
    pub async fn put_payload(
        &self,
        mode: Mode,
        taxpayer_id: &TaxpayerId,
        document_id: &DocumentId,
        kind: PayloadKind,
        bytes: Vec<u8>,
    ) -> Result<Payload, StoreError> {
        let Payloads { s3, bucket } = self.bucket()?;
        let sha256 = sha256_hex(&bytes);
        let key = format!("{mode}/{taxpayer_id}/{document_id}/{sha256}.{}", kind.extension());
        let payload =
            Payload { key: key.clone(), sha256, bytes: bytes.len().try_into().unwrap_or(u64::MAX) };
        // S3 answers 409 when two writes of one key meet; the other one has the same bytes, but
        // may still fail.
        let mut repeats = 2;
        loop {
            let result = s3
                .put_object()
                .bucket(&**bucket)
                .key(&key)
                .if_none_match("*")
                .content_type(kind.content_type())
                .body(ByteStream::from(bytes.clone()))
                .send()
                .await;
            let error = match result {
                Ok(_) => return Ok(payload),
                Err(error) => error,
            };
            match error.code() {
                // The name is the content's hash: what stands there is the same.
                Some("PreconditionFailed") => return Ok(payload),
                Some("ConditionalRequestConflict") if repeats > 0 => {
                    repeats -= 1;
                    self.pause(3 - repeats).await;
                }
                _ => return Err(unavailable(error)),
            }
        }
    }

    /// Reads a payload and checks that it is what was stored.
    pub async fn get_payload(&self, payload: &Payload) -> Result<Vec<u8>, StoreError> {
        let Payloads { s3, bucket } = self.bucket()?;
        let output = s3
            .get_object()
            .bucket(&**bucket)
            .key(&payload.key)
            .send()
            .await
            .map_err(unavailable)?;
        let bytes = output.body.collect().await.map_err(unavailable)?.to_vec();
        if sha256_hex(&bytes) != payload.sha256 {
            return Err(StoreError::Corrupt("an object does not have the hash in its name".into()));
        }
        Ok(bytes)
    }

    fn bucket(&self) -> Result<&Payloads, StoreError> {
        self.payloads
            .as_ref()
            .ok_or_else(|| StoreError::Unavailable("this function has no BUCKET_NAME".into()))
    }
}
