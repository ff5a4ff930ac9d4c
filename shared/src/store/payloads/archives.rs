//! The objects of archives.

use std::time::Duration;

use aws_sdk_s3::operation::head_object::HeadObjectError;

use super::{Bucket, PayloadKind, PayloadMethod, payload_in};
use crate::{
    store::{Payload, StoreError, dynamo::unavailable, uploads::UploadError},
    types::{ArchiveId, Mode, TaxpayerId},
};

/// Where the objects of an archive are.
#[derive(Debug, Clone, Copy)]
pub struct ArchivePlace<'a> {
    /// Live or Sandbox.
    pub mode: Mode,
    /// The taxpayer that the documents belong to.
    pub taxpayer_id: &'a TaxpayerId,
    /// The archive.
    pub archive_id: &'a ArchiveId,
}

impl ArchivePlace<'_> {
    fn folder(&self) -> String {
        let ArchivePlace { mode, taxpayer_id, archive_id } = self;
        format!("{mode}/archives/{taxpayer_id}/{archive_id}")
    }

    /// The key of the file. It is not a hash, because the content is not known when the upload begins.
    fn file(&self) -> String {
        format!("{}/{}.zip", self.folder(), self.archive_id)
    }
}

impl Bucket {
    /// Begins the multipart upload of an archive's file.
    pub async fn begin_archive(&self, place: ArchivePlace<'_>) -> Result<String, StoreError> {
        let saved_as = format!("{}.zip", place.archive_id);
        self.begin_upload(&place.file(), "application/zip", Some(&saved_as)).await
    }

    /// Uploads a part of an archive's file and returns its ETag. Part numbers begin at 1. A repeated part replaces the
    /// earlier one. Returns `None` when the upload no longer exists.
    pub async fn add_to_archive(
        &self,
        place: ArchivePlace<'_>,
        upload: &str,
        number: usize,
        bytes: Vec<u8>,
    ) -> Result<Option<String>, StoreError> {
        match self.upload_part((&place.file(), upload), number, bytes).await {
            Ok(e_tag) => Ok(Some(e_tag)),
            Err(UploadError::Gone) => Ok(None),
            Err(UploadError::Failed(error)) => Err(error),
        }
    }

    /// Completes the file of an archive from its parts. Returns `false` when the upload no longer exists.
    pub async fn end_archive<'a>(
        &self,
        place: ArchivePlace<'_>,
        upload: &str,
        e_tags: impl Iterator<Item = &'a String>,
    ) -> Result<bool, StoreError> {
        match self.end_upload((&place.file(), upload), e_tags).await {
            Ok(()) => Ok(true),
            Err(UploadError::Gone) => Ok(false),
            Err(UploadError::Failed(error)) => Err(error),
        }
    }

    /// The size of an archive's file in bytes, if the file exists.
    pub async fn archive_bytes(&self, place: ArchivePlace<'_>) -> Result<Option<u64>, StoreError> {
        let request = self.s3.head_object().bucket(&*self.name).key(place.file());
        match request.send().await {
            Ok(head) => Ok(head.content_length.and_then(|bytes| u64::try_from(bytes).ok())),
            Err(error) if error.as_service_error().is_some_and(HeadObjectError::is_not_found) => {
                Ok(None)
            }
            Err(error) => Err(unavailable(error)),
        }
    }

    /// A presigned URL of an archive's file, as by [`Bucket::address`].
    pub async fn archive_address(
        &self,
        place: ArchivePlace<'_>,
        method: PayloadMethod,
        valid: Duration,
    ) -> Result<String, StoreError> {
        self.address_of(&place.file(), method, valid).await
    }

    /// Stores the list of files in a part of an archive. Storing the same bytes again changes nothing.
    pub async fn put_archived(
        &self,
        place: ArchivePlace<'_>,
        bytes: Vec<u8>,
    ) -> Result<Payload, StoreError> {
        let kind = PayloadKind::ArchivedFiles;
        self.write_object(payload_in(&place.folder(), kind, &bytes), kind, bytes.into()).await
    }
}
