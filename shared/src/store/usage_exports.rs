//! The bucket's exports of usage: an object a day, of no tenant, which holds the same bytes whenever it is made again.
//!
//! A day may have more than fits a function's memory: beyond [`PART`] bytes it goes in parts.

use aws_sdk_s3::{
    primitives::ByteStream,
    types::{CompletedMultipartUpload, CompletedPart},
};
use jiff::civil::Date;

use super::{Bucket, StoreError, dynamo::unavailable};

/// How many bytes are held before a part goes: S3 takes parts of 5 MiB and more, and 10,000 of them.
const PART: usize = if cfg!(test) { 1024 } else { 8 * 1024 * 1024 };

const CONTENT_TYPE: &str = "application/x-ndjson";

/// The name of a day's object.
pub fn usage_object(day: Date) -> String {
    format!("live/usage/{}/{day}.ndjson", day.year())
}

/// An object that is being written.
pub struct UsageExport<'a> {
    bucket: &'a Bucket,
    key: String,
    held: Vec<u8>,
    /// The upload and its parts so far, once there is more than one.
    parts: Option<(String, Vec<CompletedPart>)>,
}

impl Bucket {
    /// Begins the object of a day. Nothing is there before it is finished.
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
            let request = self.bucket.s3.create_multipart_upload().bucket(&*self.bucket.name);
            let request = request.key(&self.key).content_type(CONTENT_TYPE);
            let upload = request.send().await.map_err(unavailable)?.upload_id;
            let upload =
                upload.ok_or_else(|| StoreError::Unavailable("S3 named no upload".into()))?;
            self.parts = Some((upload, Vec::new()));
        }
        self.send_held().await
    }

    /// Sends what is held as the next part.
    async fn send_held(&mut self) -> Result<(), StoreError> {
        let Some((upload, parts)) = &mut self.parts else { return Ok(()) };
        let number = i32::try_from(parts.len() + 1).map_err(unavailable)?;
        let held = std::mem::take(&mut self.held);
        let request = self.bucket.s3.upload_part().bucket(&*self.bucket.name).key(&self.key);
        let request = request.upload_id(&*upload).part_number(number);
        let sent = request.body(ByteStream::from(held)).send().await.map_err(unavailable)?;
        parts.push(CompletedPart::builder().part_number(number).set_e_tag(sent.e_tag).build());
        Ok(())
    }

    /// Has the object be there, whole.
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
        let whole = CompletedMultipartUpload::builder().set_parts(Some(parts)).build();
        let request = s3.complete_multipart_upload().bucket(&**name).key(&self.key);
        let request = request.upload_id(upload).multipart_upload(whole);
        request.send().await.map(drop).map_err(unavailable)
    }

    /// Gives up what has gone so far. What cannot be given up the bucket removes after a while.
    pub async fn give_up(self) {
        let Some((upload, _)) = self.parts else { return };
        let request = self.bucket.s3.abort_multipart_upload().bucket(&*self.bucket.name);
        if let Err(error) = request.key(&self.key).upload_id(upload).send().await {
            tracing::warn!(object = self.key, error.cause = %error, "parts of an export stay");
        }
    }
}
