//! The bucket: documents, the bodies of queued sends, and the evidence of transmissions. An object is named by the hash
//! of its content and never overwritten.
//!
//! | folder | object | content |
//! |---|---|---|
//! | `<mode>/<txpay_…>/<doc_…>/` | `<SHA-256>.xml` | a UBL document |
//! | | `….json` | the body of a queued send |
//! | | `….content` | the fields of a large document as JSON |
//! | | `….html`, `….pdf` | a document in readable form |
//! | | `….sbdh` | a document in its envelope |
//! | | `….receipt` | the receipt of another access point; for an inbound document, ours |
//! | | `….as4` | the message by which another access point sent it |
//! | | `….tdd` | the Tax Data Document that reports it |
//! | | `….tdd-sbdh` | that in its envelope, only together with its document |
//! | | `….tar.gz` | a compressed tar of several of these, which are small; from earlier releases `….parts`, a ZIP |
//! | | `….sbdh.gz`, `….receipt.gz` | a GZIP of one of these, which is small and alone; named by the hash of what it holds |
//! | | `items.jsonl.gz` | items of the closed document that are retired from the table, one JSON object in each line |
//! | `prints/<mode>/<txpay_…>/<doc_…>/` | `….pdf` | a PDF, named by all that it was made from, kept for a day |
//! | `logos/<mode>/<txpay_…>/` | `….png` | the logo of a taxpayer, which no lifecycle rule removes |
//! | `<mode>/status/<SHA-256 of its InstanceIdentifier>/` | as above | messages to this access point itself |
//! | `<mode>/imports/<org_…>/<txpay_…>/<imp_…>/` | `….gz` | the file of an import |
//! | | `….ndjson`, `….csv` | the outcomes of an import |
//! | `<mode>/imports/held/<org_…>/<txpay_…>/` | `<imp_…>.gz` | the file of an import that is not confirmed yet, kept for a day |
//! | `<mode>/archives/<txpay_…>/<arc_…>/` | `<arc_…>.zip` | an archive |
//! | | `….files` | the files in a part of the archive |
//! | `live/monthly/<month>/` | `….report` and others | an OpenPeppol report, its envelope and its receipt |
//!
//! The bucket's lifecycle rules remove imports and archives.

mod archives;
mod imports;
mod kind;
mod retired;
mod room;
mod together;

pub use self::{archives::ArchivePlace, kind::PayloadKind, room::Held, together::Beside};

use std::{sync::Arc, time::Duration};

use aws_sdk_s3::{
    error::ProvideErrorMetadata,
    operation::put_object::builders::PutObjectFluentBuilder,
    presigning::PresigningConfig,
    primitives::{ByteStream, DateTime},
    types::ObjectLockMode,
};
use bytes::Bytes;

use self::together::Form;
use super::{
    Addressee, Carried, DocumentRecord, EnvelopeHash, Payload, StoreError,
    dynamo::{pause, unavailable},
    transmissions::unknown,
};
use crate::{
    peppol::statistics::Month,
    types::{Clock, DocumentId, Lock, LockMode, Mode, Random, TaxpayerId, sha256_hex},
};

/// The HTTP method of a presigned URL.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PayloadMethod {
    /// Reads the payload.
    Get,
    /// Reads its length and type.
    Head,
}

/// The bucket of payloads. Clients are built once and shared.
#[derive(Clone)]
pub struct Bucket {
    pub(in crate::store) s3: aws_sdk_s3::Client,
    pub(in crate::store) name: Arc<str>,
    random: Arc<dyn Random>,
    lock: Option<(Lock, Arc<dyn Clock>)>,
    room: room::Room,
}

impl Bucket {
    /// A bucket by its name. `random` adds jitter to the retries of conflicting writes.
    pub fn new(s3: aws_sdk_s3::Client, name: &str, random: Arc<dyn Random>) -> Self {
        Bucket { s3, name: name.into(), random, lock: None, room: room::Room::new() }
    }

    /// A bucket that locks the objects that must be kept.
    pub fn locking(self, lock: Lock, clock: Arc<dyn Clock>) -> Self {
        Bucket { lock: Some((lock, clock)), ..self }
    }

    /// The lock of an object. Sandbox objects are never locked.
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

    /// Stores bytes for a document of a taxpayer. Storing the same bytes again changes nothing. The name of an object
    /// that a failed attempt removes is added to `begun` before the write. So the caller can discard the object even if
    /// the outcome of the write is unknown.
    pub async fn put(
        &self,
        mode: Mode,
        taxpayer_id: &TaxpayerId,
        document_id: &DocumentId,
        kind: PayloadKind,
        bytes: Vec<u8>,
        begun: &mut Vec<Payload>,
    ) -> Result<Payload, StoreError> {
        let folder = format!("{mode}/{taxpayer_id}/{document_id}");
        let payload = payload_in(&folder, kind, &bytes);
        if kind.is_removed_with_a_failed_attempt() {
            begun.push(payload.clone());
        }
        self.write_object(payload, kind, bytes.into()).await
    }

    /// Stores the logo of a taxpayer. Lifecycle rules remove what begins with a mode after years, so a logo begins with
    /// `logos/`: it stays as long as it is in use.
    pub async fn put_logo(
        &self,
        mode: Mode,
        taxpayer_id: &TaxpayerId,
        png: Vec<u8>,
    ) -> Result<Payload, StoreError> {
        let kind = PayloadKind::Logo;
        let payload = payload_in(&format!("logos/{mode}/{taxpayer_id}"), kind, &png);
        self.write_object(payload, kind, png.into()).await
    }

    /// A PDF of a document that was made before, by the name of what it is made from.
    pub async fn find_print(
        &self,
        mode: Mode,
        document: &DocumentRecord,
        name: &str,
    ) -> Result<Option<Vec<u8>>, StoreError> {
        self.read_object(&print_key(mode, document, name), None).await
    }

    /// Keeps a PDF of a document for a day.
    pub async fn keep_print(
        &self,
        mode: Mode,
        document: &DocumentRecord,
        name: &str,
        pdf: &[u8],
    ) -> Result<(), StoreError> {
        let (key, bytes) = (print_key(mode, document, name), Bytes::copy_from_slice(pdf));
        let payload = Payload {
            key,
            sha256: sha256_hex(pdf),
            bytes: pdf.len().try_into().unwrap_or(u64::MAX),
            part: None,
        };
        self.write_object(payload, PayloadKind::Pdf, bytes).await.map(drop)
    }

    /// Stores payloads of a transmission, in the folder of the thing that it carries. What may be needed `beside` them is
    /// stored only if all of it shares their object ([`Self::find_beside`]).
    pub async fn put_carried<const N: usize>(
        &self,
        mode: Mode,
        carried: &Carried,
        payloads: [(PayloadKind, Bytes); N],
        beside: &[(PayloadKind, Bytes)],
    ) -> Result<[Payload; N], StoreError> {
        let folder = match carried {
            Carried::Document(of) | Carried::Status(of) | Carried::Report(of, _) => {
                format!("{mode}/{}/{}", of.taxpayer_id, of.document_id)
            }
            Carried::PeppolReport(id) => peppol_reports(id.month),
            Carried::Unknown => return Err(unknown()),
        };
        self.put_together(&folder, payloads, beside).await
    }

    /// Stores an OpenPeppol report. Storing the same bytes again changes nothing.
    pub async fn put_peppol_report(
        &self,
        month: Month,
        bytes: Vec<u8>,
    ) -> Result<Payload, StoreError> {
        let kind = PayloadKind::PeppolReport;
        self.write_object(payload_in(&peppol_reports(month), kind, &bytes), kind, bytes.into())
            .await
    }

    /// Stores payloads of another access point's message in its addressee's folder. Storing the same bytes again
    /// changes nothing.
    pub async fn put_received<const N: usize>(
        &self,
        mode: Mode,
        envelope: &EnvelopeHash,
        addressee: &Addressee,
        payloads: [(PayloadKind, Bytes); N],
    ) -> Result<[Payload; N], StoreError> {
        let folder = match addressee {
            Addressee::Taxpayer { taxpayer_id, document_id } => {
                format!("{mode}/{taxpayer_id}/{document_id}")
            }
            Addressee::Provider => format!("{mode}/status/{envelope}"),
            Addressee::Unknown => {
                return Err(StoreError::Corrupt("it is for somebody of a newer version".into()));
            }
        };
        self.put_together(&folder, payloads, &[]).await
    }

    /// A separate function, because without optimization each step of the builder would take space on the caller's
    /// stack.
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
        // The name is the hash of the content, so an object that is there already is the same.
        let _is_new = self.create(&payload.key, kind, bytes).await?;
        Ok(payload)
    }

    /// Creates an object. Returns `false` if there is one of this name.
    async fn create(&self, key: &str, kind: PayloadKind, bytes: Bytes) -> Result<bool, StoreError> {
        // S3 answers 409 when two writes of one key conflict. The other write may still fail.
        let mut repeats = 2;
        loop {
            let result = self.put_request(key, kind, bytes.clone()).send().await;
            let error = match result {
                Ok(_) => return Ok(true),
                Err(error) => error,
            };
            match error.code() {
                Some("PreconditionFailed") => return Ok(false),
                Some("ConditionalRequestConflict") if repeats > 0 => {
                    repeats -= 1;
                    pause(&*self.random, 3 - repeats).await;
                }
                _ => return Err(unavailable(error)),
            }
        }
    }

    /// Reads a payload and verifies its hash.
    pub async fn get(&self, payload: &Payload) -> Result<Vec<u8>, StoreError> {
        let gone = || StoreError::Corrupt("the object no longer exists (NoSuchKey)".into());
        self.find(payload).await?.ok_or_else(gone)
    }

    /// Reads a payload that the bucket may have removed at the end of its retention. A payload is stored before it is
    /// named, and never replaced, so a missing one is gone for good.
    pub async fn find(&self, payload: &Payload) -> Result<Option<Vec<u8>>, StoreError> {
        let form = Form::of(payload);
        let found = self.read_object(&payload.key, form.range()).await?;
        let Some(object) = found else { return Ok(None) };
        let bytes = form.unpacked(object, payload.bytes)?;
        if sha256_hex(&bytes) != payload.sha256 {
            return Err(StoreError::Corrupt("an object does not have the hash in its name".into()));
        }
        Ok(Some(bytes))
    }

    /// Reads an object, or a range of its bytes.
    async fn read_object(
        &self,
        key: &str,
        range: Option<String>,
    ) -> Result<Option<Vec<u8>>, StoreError> {
        let request = self.s3.get_object().bucket(&*self.name).key(key).set_range(range);
        let output = match request.send().await {
            Ok(output) => output,
            Err(error) if error.code() == Some("NoSuchKey") => return Ok(None),
            Err(error) => return Err(unavailable(error)),
        };
        Ok(Some(output.body.collect().await.map_err(unavailable)?.to_vec()))
    }

    /// Removes payloads of an attempt, or a logo, that nothing will ever name. A payload that cannot be removed is logged and
    /// stays, which is harmless.
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

    /// A presigned URL of a payload with an object of its own (Signature Version 4 in the query). It works without
    /// credentials until it expires. The signature covers `method`.
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

fn print_key(mode: Mode, document: &DocumentRecord, name: &str) -> String {
    let DocumentRecord { taxpayer_id, document_id, .. } = document;
    format!("prints/{mode}/{taxpayer_id}/{document_id}/{name}.{}", PayloadKind::Pdf.extension())
}

fn peppol_reports(month: Month) -> String {
    format!("{}/monthly/{month}", Mode::Live)
}

/// The payload of bytes in a folder, named by their hash.
fn payload_in(folder: &str, kind: PayloadKind, bytes: &[u8]) -> Payload {
    let sha256 = sha256_hex(bytes);
    let key = format!("{folder}/{sha256}.{}", kind.extension());
    Payload { key, sha256, bytes: bytes.len().try_into().unwrap_or(u64::MAX), part: None }
}
