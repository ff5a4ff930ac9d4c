//! The bucket: documents, the bodies of queued sends and the evidence of transmissions, one object a
//! fact, named by its content and never overwritten.
//!
//! `<mode>/<txpay_…>/<doc_…>/<SHA-256>.xml` is a UBL document, `….json` the body of a queued send,
//! `….content` what a large document says as JSON, `….html` and `….pdf` what people read of it, `….sbdh` a document in
//! its envelope, `….receipt` what an access point signed for it, ours for what came, `….as4` the message in which another
//! access point brought it, `….tdd` the Tax Data Document by which it was reported. What is for this access point itself is in
//! `<mode>/status/<SHA-256 of its InstanceIdentifier>/`, the file of an import, `….gz`, with its outcomes, `….ndjson` or
//! `….csv`, in `<mode>/imports/<org_…>/<txpay_…>/<imp_…>/`, and before anybody has it sent it is
//! `<mode>/imports/held/<org_…>/<txpay_…>/<imp_…>.gz`, for a day; an archive, `<arc_…>.zip`, with what is in its parts,
//! `….files`, in `<mode>/archives/<txpay_…>/<arc_…>/`, from both of which the bucket removes them, and what OpenPeppol was
//! told of a month, `….report` with the envelope and the receipt, in `live/monthly/<month>/`.

use std::{sync::Arc, time::Duration};

use aws_sdk_s3::{
    error::ProvideErrorMetadata,
    operation::{head_object::HeadObjectError, put_object::builders::PutObjectFluentBuilder},
    presigning::PresigningConfig,
    primitives::{ByteStream, DateTime},
    types::ObjectLockMode,
};

use bytes::Bytes;

use super::{
    Addressee, Carried, EnvelopeHash, Payload, StoreError,
    dynamo::{pause, unavailable},
    transmissions::unknown,
    uploads::UploadError,
};
use crate::{
    peppol::statistics::Month,
    types::{
        ArchiveId, Clock, DocumentId, ImportId, Lock, LockMode, Mode, OrganizationId, Random,
        TaxpayerId, sha256_hex,
    },
};

/// What a payload is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PayloadKind {
    /// A UBL document.
    Ubl,
    /// The body of a queued send.
    Request,
    /// What a document says, as an answer that is too large to be one.
    Content,
    /// A document as people read it, which is too large to be an answer.
    View,
    /// A document as PDF, likewise.
    Pdf,
    /// A document in its envelope, as it is sent.
    Envelope,
    /// The receipt of an access point, as it came; our own, as it went.
    Receipt,
    /// The message of another access point, as it came.
    Message,
    /// A Tax Data Document.
    TaxData,
    /// A report of a month to OpenPeppol.
    PeppolReport,
    /// The file of an import, compressed.
    Import,
    /// Outcomes of an import as JSON Lines.
    Outcomes,
    /// All outcomes of an import as CSV.
    OutcomesTable,
    /// What is in a part of an archive, as JSON Lines.
    ArchivedFiles,
}

impl PayloadKind {
    fn extension(self) -> &'static str {
        match self {
            PayloadKind::Ubl => "xml",
            PayloadKind::Request => "json",
            PayloadKind::Content => "content",
            PayloadKind::View => "html",
            PayloadKind::Pdf => "pdf",
            PayloadKind::Envelope => "sbdh",
            PayloadKind::Receipt => "receipt",
            PayloadKind::Message => "as4",
            PayloadKind::TaxData => "tdd",
            PayloadKind::PeppolReport => "report",
            PayloadKind::Import => "gz",
            PayloadKind::Outcomes => "ndjson",
            PayloadKind::OutcomesTable => "csv",
            PayloadKind::ArchivedFiles => "files",
        }
    }

    /// Whether it is a document or a proof, which the law wants kept; what is no such thing can be made again, or has
    /// done its part.
    fn is_kept(self) -> bool {
        match self {
            PayloadKind::Ubl
            | PayloadKind::Envelope
            | PayloadKind::Receipt
            | PayloadKind::Message
            | PayloadKind::TaxData
            | PayloadKind::PeppolReport => true,
            PayloadKind::Request
            | PayloadKind::Content
            | PayloadKind::View
            | PayloadKind::Pdf
            | PayloadKind::Import
            | PayloadKind::Outcomes
            | PayloadKind::OutcomesTable
            | PayloadKind::ArchivedFiles => false,
        }
    }

    /// Whether a failed attempt removes the object. That is so for the body of a queued send alone, which no document needs
    /// once it is converted. No role may remove documents and proofs. What a failed attempt leaves of them has an
    /// identifier that no document has, until the bucket's lifecycle rule removes it.
    fn is_removed_with_a_failed_attempt(self) -> bool {
        self == PayloadKind::Request
    }

    fn content_type(self) -> &'static str {
        match self {
            PayloadKind::Ubl | PayloadKind::TaxData | PayloadKind::PeppolReport => {
                "application/xml"
            }
            PayloadKind::Request | PayloadKind::Content => "application/json",
            PayloadKind::View => "text/html; charset=utf-8",
            PayloadKind::Pdf => "application/pdf",
            PayloadKind::Import => "application/gzip",
            PayloadKind::Outcomes | PayloadKind::ArchivedFiles => "application/x-ndjson",
            PayloadKind::OutcomesTable => "text/csv; charset=utf-8",
            PayloadKind::Envelope => "application/xml",
            PayloadKind::Receipt | PayloadKind::Message => "application/octet-stream",
        }
    }
}

/// How an address of a payload is to be used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PayloadMethod {
    /// For the payload.
    Get,
    /// For its length and type.
    Head,
}

/// Where the file of an archive is, and what belongs to it.
#[derive(Debug, Clone, Copy)]
pub struct ArchivePlace<'a> {
    /// Live or Sandbox.
    pub mode: Mode,
    /// Whose documents are in it.
    pub taxpayer_id: &'a TaxpayerId,
    /// The archive.
    pub archive_id: &'a ArchiveId,
}

impl ArchivePlace<'_> {
    fn folder(&self) -> String {
        let ArchivePlace { mode, taxpayer_id, archive_id } = self;
        format!("{mode}/archives/{taxpayer_id}/{archive_id}")
    }

    /// The file's own name: what is in it is not known before it is whole.
    fn file(&self) -> String {
        format!("{}/{}.zip", self.folder(), self.archive_id)
    }
}

/// The bucket of payloads. Clients are built once and shared.
#[derive(Clone)]
pub struct Bucket {
    pub(super) s3: aws_sdk_s3::Client,
    pub(super) name: Arc<str>,
    random: Arc<dyn Random>,
    lock: Option<(Lock, Arc<dyn Clock>)>,
}

impl Bucket {
    /// A bucket by its name. `random` spreads the retries of writes that met.
    pub fn new(s3: aws_sdk_s3::Client, name: &str, random: Arc<dyn Random>) -> Self {
        Bucket { s3, name: name.into(), random, lock: None }
    }

    /// The same, which locks what is to be kept.
    pub fn locking(self, lock: Lock, clock: Arc<dyn Clock>) -> Self {
        Bucket { lock: Some((lock, clock)), ..self }
    }

    /// The lock of an object: Sandbox has nothing that is to be kept.
    fn lock_of(&self, key: &str, kind: PayloadKind) -> (Option<ObjectLockMode>, Option<DateTime>) {
        let is_kept = kind.is_kept() && key.starts_with(&format!("{}/", Mode::Live));
        let lock = self.lock.as_ref().filter(|_| is_kept);
        let until = lock.and_then(|(lock, clock)| lock.until(clock.now()));
        let mode = lock.map(|(lock, _)| match lock.mode {
            LockMode::Governance => ObjectLockMode::Governance,
            LockMode::Compliance => ObjectLockMode::Compliance,
        });
        (mode, until.map(|until| DateTime::from_secs(until.as_second())))
    }

    /// Stores bytes under a document of a taxpayer. Storing the same bytes again changes nothing.
    /// The name of an object that a failed attempt removes is put into `begun` before, so that the
    /// caller can discard it, known to be stored or not.
    pub async fn put(
        &self,
        mode: Mode,
        taxpayer_id: &TaxpayerId,
        document_id: &DocumentId,
        kind: PayloadKind,
        bytes: Vec<u8>,
        begun: &mut Vec<Payload>,
    ) -> Result<Payload, StoreError> {
        let payload = Self::name(mode, taxpayer_id, document_id, kind, &bytes);
        self.put_named(payload, kind, bytes, begun).await
    }

    /// What bytes under a document of a taxpayer are called, once they are stored.
    pub fn name(
        mode: Mode,
        taxpayer_id: &TaxpayerId,
        document_id: &DocumentId,
        kind: PayloadKind,
        bytes: &[u8],
    ) -> Payload {
        payload_in(&format!("{mode}/{taxpayer_id}/{document_id}"), kind, bytes)
    }

    /// Stores bytes under the name that they have, as [`Bucket::put`] does.
    pub async fn put_named(
        &self,
        payload: Payload,
        kind: PayloadKind,
        bytes: Vec<u8>,
        begun: &mut Vec<Payload>,
    ) -> Result<Payload, StoreError> {
        if kind.is_removed_with_a_failed_attempt() {
            begun.push(payload.clone());
        }
        self.write_object(payload, kind, bytes.into()).await
    }

    /// Stores what belongs to a transmission, under what that carries.
    pub async fn put_carried(
        &self,
        mode: Mode,
        carried: &Carried,
        kind: PayloadKind,
        bytes: Vec<u8>,
        begun: &mut Vec<Payload>,
    ) -> Result<Payload, StoreError> {
        let folder = match carried {
            Carried::Document(of) | Carried::Status(of) | Carried::Report(of, _) => {
                format!("{mode}/{}/{}", of.taxpayer_id, of.document_id)
            }
            Carried::PeppolReport(id) => peppol_reports(id.month),
            Carried::Unknown => return Err(unknown()),
        };
        self.put_named(payload_in(&folder, kind, &bytes), kind, bytes, begun).await
    }

    /// Stores a report of a month. Storing the same bytes again changes nothing.
    pub async fn put_peppol_report(
        &self,
        month: Month,
        bytes: Vec<u8>,
    ) -> Result<Payload, StoreError> {
        let kind = PayloadKind::PeppolReport;
        self.write_object(payload_in(&peppol_reports(month), kind, &bytes), kind, bytes.into())
            .await
    }

    /// Stores the file of an import, or outcomes of it. Storing the same bytes again changes nothing.
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

    /// Holds a file for who may have it imported. Its name is its import's, so that whoever knows that finds it.
    pub async fn hold_import(
        &self,
        place: (Mode, &OrganizationId, &TaxpayerId, &ImportId),
        bytes: Vec<u8>,
    ) -> Result<(), StoreError> {
        let (sha256, size) = (sha256_hex(&bytes), bytes.len().try_into().unwrap_or(u64::MAX));
        let payload = Payload { key: held_in(place), sha256, bytes: size };
        self.write_object(payload, PayloadKind::Import, bytes.into()).await.map(drop)
    }

    /// A file that is held; `None` when it never was, or is no longer.
    pub async fn held_import(
        &self,
        place: (Mode, &OrganizationId, &TaxpayerId, &ImportId),
    ) -> Result<Option<Vec<u8>>, StoreError> {
        self.read_object(&held_in(place)).await
    }

    /// Stores what is in a part of an archive. Storing the same bytes again changes nothing.
    pub async fn put_archived(
        &self,
        place: ArchivePlace<'_>,
        bytes: Vec<u8>,
    ) -> Result<Payload, StoreError> {
        let kind = PayloadKind::ArchivedFiles;
        self.write_object(payload_in(&place.folder(), kind, &bytes), kind, bytes.into()).await
    }

    /// Begins the file of an archive.
    pub async fn begin_archive(&self, place: ArchivePlace<'_>) -> Result<String, StoreError> {
        let saved_as = format!("{}.zip", place.archive_id);
        self.begin_upload(&place.file(), "application/zip", Some(&saved_as)).await
    }

    /// Adds a part to the file of an archive, the first of which has number 1; gives what S3 calls it. One that comes again
    /// is the later one. `None` when the upload is none any more.
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

    /// Has the file of an archive be there, of all its parts. `false` when the upload is none any more.
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

    /// How many bytes the file of an archive has, if it is there.
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

    /// An address of the file of an archive, as [`Bucket::address`] gives one.
    pub async fn archive_address(
        &self,
        place: ArchivePlace<'_>,
        method: PayloadMethod,
        valid: Duration,
    ) -> Result<String, StoreError> {
        self.address_of(&place.file(), method, valid).await
    }

    /// Stores what came in a message of another access point, under whose it is. Storing the same
    /// bytes again changes nothing.
    pub async fn put_received(
        &self,
        mode: Mode,
        envelope: &EnvelopeHash,
        addressee: &Addressee,
        kind: PayloadKind,
        bytes: Bytes,
    ) -> Result<Payload, StoreError> {
        let folder = match addressee {
            Addressee::Taxpayer { taxpayer_id, document_id } => {
                format!("{mode}/{taxpayer_id}/{document_id}")
            }
            Addressee::Provider => format!("{mode}/status/{envelope}"),
            Addressee::Unknown => {
                return Err(StoreError::Corrupt("it is for somebody of a newer version".into()));
            }
        };
        self.write_object(payload_in(&folder, kind, &bytes), kind, bytes).await
    }

    /// Not where it is sent: each of its steps would lie on the stack of that, without optimization.
    fn put_request(&self, key: &str, kind: PayloadKind, bytes: Bytes) -> PutObjectFluentBuilder {
        let (lock, until) = self.lock_of(key, kind);
        self.s3
            .put_object()
            .bucket(&*self.name)
            .key(key)
            .if_none_match("*")
            .content_type(kind.content_type())
            .set_object_lock_mode(lock)
            .set_object_lock_retain_until_date(until)
            .body(ByteStream::from(bytes))
    }

    async fn write_object(
        &self,
        payload: Payload,
        kind: PayloadKind,
        bytes: Bytes,
    ) -> Result<Payload, StoreError> {
        // S3 answers 409 when two writes of one key meet; the other one has the same bytes, but
        // may still fail.
        let mut repeats = 2;
        loop {
            let result = self.put_request(&payload.key, kind, bytes.clone()).send().await;
            let error = match result {
                Ok(_) => return Ok(payload),
                Err(error) => error,
            };
            match error.code() {
                // The name is the content's hash: what stands there is the same.
                Some("PreconditionFailed") => return Ok(payload),
                Some("ConditionalRequestConflict") if repeats > 0 => {
                    repeats -= 1;
                    pause(&*self.random, 3 - repeats).await;
                }
                _ => return Err(unavailable(error)),
            }
        }
    }

    /// Reads a payload and checks that it is what was stored.
    pub async fn get(&self, payload: &Payload) -> Result<Vec<u8>, StoreError> {
        let gone = || StoreError::Corrupt("the object is gone (NoSuchKey)".into());
        self.find(payload).await?.ok_or_else(gone)
    }

    /// The same of what may have been removed, after the time that the bucket keeps it. It was stored before it was
    /// named, and is never replaced: it is gone for good.
    pub async fn find(&self, payload: &Payload) -> Result<Option<Vec<u8>>, StoreError> {
        let Some(bytes) = self.read_object(&payload.key).await? else { return Ok(None) };
        if sha256_hex(&bytes) != payload.sha256 {
            return Err(StoreError::Corrupt("an object does not have the hash in its name".into()));
        }
        Ok(Some(bytes))
    }

    async fn read_object(&self, key: &str) -> Result<Option<Vec<u8>>, StoreError> {
        let request = self.s3.get_object().bucket(&*self.name).key(key);
        let output = match request.send().await {
            Ok(output) => output,
            Err(error) if error.code() == Some("NoSuchKey") => return Ok(None),
            Err(error) => return Err(unavailable(error)),
        };
        Ok(Some(output.body.collect().await.map_err(unavailable)?.to_vec()))
    }

    /// Removes what an attempt began and nothing will ever name. What cannot be removed is logged
    /// and stays; it harms nobody.
    pub async fn discard(&self, payloads: &[Payload]) {
        for payload in payloads {
            let request = self.s3.delete_object().bucket(&*self.name).key(&payload.key);
            if let Err(error) = request.send().await {
                tracing::warn!(
                    object = payload.key, error.cause = %error, "a payload without a document stays"
                );
            }
        }
    }

    /// An address that gives a payload to whoever has it, for some time, without credentials
    /// (Signature Version 4 in the query). `method` is part of what is signed.
    pub async fn address(
        &self,
        payload: &Payload,
        method: PayloadMethod,
        valid: Duration,
    ) -> Result<String, StoreError> {
        self.address_of(&payload.key, method, valid).await
    }

    async fn address_of(
        &self,
        key: &str,
        method: PayloadMethod,
        valid: Duration,
    ) -> Result<String, StoreError> {
        let config = PresigningConfig::expires_in(valid).map_err(unavailable)?;
        let bucket = &*self.name;
        let signed = match method {
            PayloadMethod::Get => {
                let get = self.s3.get_object().bucket(bucket).key(key);
                get.presigned(config).await.map_err(unavailable)?
            }
            PayloadMethod::Head => {
                let head = self.s3.head_object().bucket(bucket).key(key);
                head.presigned(config).await.map_err(unavailable)?
            }
        };
        Ok(signed.uri().to_owned())
    }
}

fn peppol_reports(month: Month) -> String {
    format!("{}/monthly/{month}", Mode::Live)
}

/// The name of a file that is held.
fn held_in(place: (Mode, &OrganizationId, &TaxpayerId, &ImportId)) -> String {
    let (mode, organization_id, taxpayer_id, import_id) = place;
    let kind = PayloadKind::Import.extension();
    format!("{mode}/imports/held/{organization_id}/{taxpayer_id}/{import_id}.{kind}")
}

/// The name of bytes in a folder: that of their content.
fn payload_in(folder: &str, kind: PayloadKind, bytes: &[u8]) -> Payload {
    let sha256 = sha256_hex(bytes);
    let key = format!("{folder}/{sha256}.{}", kind.extension());
    Payload { key, sha256, bytes: bytes.len().try_into().unwrap_or(u64::MAX) }
}
