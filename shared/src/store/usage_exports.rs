//! Exports of usage in the bucket: one object for each day, of no tenant. A repeated export has the same bytes.
//!
//! A day may have more data than a function's memory. Above [`PART`] bytes it is written in parts.

use aws_sdk_s3::primitives::ByteStream;
use jiff::civil::Date;

use super::{Bucket, StoreError, dynamo::unavailable, uploads::PART};

const CONTENT_TYPE: &str = "application/x-ndjson";

/// The key of a day's object.
pub fn usage_object(day: Date) -> String {
    format!("live/usage/{}/{day}.ndjson", day.year())
}

/// An object that is being written.
pub struct UsageExport<'a> {
    bucket: &'a Bucket,
    key: String,
    held: Vec<u8>,
    /// The upload and the ETags of its parts, if there is more than one part.
    parts: Option<(String, Vec<String>)>,
}

impl Bucket {
    /// Begins the object of a day. The object does not exist before it is finished.
    pub fn usage_export(&self, day: Date) -> UsageExport<'_> {
        UsageExport { bucket: self, key: usage_object(day), held: Vec::new(), parts: None }
    }
}

impl UsageExport<'_> {
    /// Adds bytes.
    pub async fn write(&mut self, bytes: &[u8]) -> Result<(), StoreError> {
        self.held.extend_from_slice(bytes);
        if self.held.len() < PART {
            return Ok(());
        }
        if self.parts.is_none() {
            let upload = self.bucket.begin_upload(&self.key, CONTENT_TYPE, None).await?;
            self.parts = Some((upload, Vec::new()));
        }
        self.send_held().await
    }

    /// Sends the buffered bytes as the next part.
    async fn send_held(&mut self) -> Result<(), StoreError> {
        let Some((upload, parts)) = &mut self.parts else { return Ok(()) };
        let held = std::mem::take(&mut self.held);
        let place = (self.key.as_str(), upload.as_str());
        parts.push(self.bucket.upload_part(place, parts.len() + 1, held).await?);
        Ok(())
    }

    /// Completes the object.
    pub async fn finish(mut self) -> Result<(), StoreError> {
        let Bucket { s3, name, .. } = self.bucket;
        if self.parts.is_none() {
            let request = s3.put_object().bucket(&**name).key(&self.key).content_type(CONTENT_TYPE);
            let request = request.body(ByteStream::from(self.held));
            return request.send().await.map(drop).map_err(unavailable);
        }
        if !self.held.is_empty() {
            self.send_held().await?;
        }
        let Some((upload, parts)) = self.parts else { return Ok(()) };
        self.bucket.end_upload((&self.key, &upload), parts.iter()).await?;
        Ok(())
    }

    /// Aborts the upload. If this fails, the bucket removes the parts later.
    pub async fn abort(self) {
        let Some((upload, _)) = self.parts else { return };
        self.bucket.abort_upload((&self.key, &upload)).await;
    }
}
