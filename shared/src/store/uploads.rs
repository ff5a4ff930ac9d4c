//! Multipart uploads. The object exists only when the upload is completed. The bucket removes incomplete uploads after
//! a day.

use aws_sdk_s3::{
    error::ProvideErrorMetadata,
    primitives::ByteStream,
    types::{CompletedMultipartUpload, CompletedPart},
};

use super::{Bucket, StoreError, dynamo::unavailable};

/// How many bytes are buffered before a part is sent. S3 requires parts of at least 5 MiB, and at most 10,000 of them.
pub(super) const PART: usize = if cfg!(test) { 1024 } else { 8 * 1024 * 1024 };

/// S3's error code for an upload that was completed or removed.
const GONE: &str = "NoSuchUpload";

/// Why a part or a completion failed.
pub(super) enum UploadError {
    /// The upload no longer exists.
    Gone,
    /// Another error.
    Failed(StoreError),
}

impl From<UploadError> for StoreError {
    fn from(error: UploadError) -> Self {
        match error {
            UploadError::Gone => StoreError::Unavailable("an upload no longer exists".into()),
            UploadError::Failed(error) => error,
        }
    }
}

impl Bucket {
    /// Begins an object. A browser saves it under the name `saved_as`, if one is given.
    pub(super) async fn begin_upload(
        &self,
        key: &str,
        content_type: &str,
        saved_as: Option<&str>,
    ) -> Result<String, StoreError> {
        let request = self.s3.create_multipart_upload().bucket(&*self.name).key(key);
        let disposition = saved_as.map(|name| format!("attachment; filename=\"{name}\""));
        let request = request.content_type(content_type).set_content_disposition(disposition);
        let upload = request.send().await.map_err(unavailable)?.upload_id;
        upload.ok_or_else(|| StoreError::Unavailable("S3 named no upload".into()))
    }

    /// Sends a part and returns its ETag. Part numbers begin at 1. A repeated part replaces the earlier one.
    pub(super) async fn upload_part(
        &self,
        (key, upload): (&str, &str),
        number: usize,
        bytes: Vec<u8>,
    ) -> Result<String, UploadError> {
        let number =
            i32::try_from(number).map_err(|error| UploadError::Failed(unavailable(error)))?;
        let request = self.s3.upload_part().bucket(&*self.name).key(key);
        let request = request.upload_id(upload).part_number(number);
        match request.body(ByteStream::from(bytes)).send().await {
            Ok(sent) => Ok(sent.e_tag.unwrap_or_default()),
            Err(error) if error.code() == Some(GONE) => Err(UploadError::Gone),
            Err(error) => Err(UploadError::Failed(unavailable(error))),
        }
    }

    /// Completes the object from all its parts.
    pub(super) async fn end_upload<'a>(
        &self,
        (key, upload): (&str, &str),
        e_tags: impl Iterator<Item = &'a String>,
    ) -> Result<(), UploadError> {
        let part = |(number, e_tag): (i32, &String)| {
            CompletedPart::builder().part_number(number).e_tag(e_tag).build()
        };
        let parts = (1..).zip(e_tags).map(part).collect();
        let whole = CompletedMultipartUpload::builder().set_parts(Some(parts)).build();
        let request = self.s3.complete_multipart_upload().bucket(&*self.name).key(key);
        match request.upload_id(upload).multipart_upload(whole).send().await {
            Ok(_) => Ok(()),
            Err(error) if error.code() == Some(GONE) => Err(UploadError::Gone),
            Err(error) => Err(UploadError::Failed(unavailable(error))),
        }
    }

    pub(super) async fn abort_upload(&self, (key, upload): (&str, &str)) {
        let request = self.s3.abort_multipart_upload().bucket(&*self.name).key(key);
        if let Err(error) = request.upload_id(upload).send().await {
            tracing::warn!(object = key, error.cause = %error, "parts of an object stay");
        }
    }
}
