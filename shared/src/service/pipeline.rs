//! The one pipeline from JSON to UBL. Sends, queued sends, validations and imports all use it, so a rule that is added here
//! applies to each of them:
//!
//! 1. [`complete`] resolves the references, fills the document in from the taxpayer's profile and checks both.
//! 2. [`Completed::write`] writes the UBL and runs schema and rules on it.
//! 3. [`Prepared::warn_of`] adds the warnings about repeated numbers.
//!
//! A send does its own work between the first two steps: it withdraws what a correction replaces.

use jiff::{Timestamp, civil::Date};
use uuid::Uuid;

use super::{
    Context,
    inspect::{self, Refused},
    references::{self, References},
    repetition,
};
use crate::{
    access::Taxpayer,
    document::{self, Document, Issuance, Profile, Submission},
    error::{Failure, Finding},
    store::{DocumentRecord, EarlierUses, StoreError},
    types::{DocumentId, ParticipantId, uae_date},
};

/// A document that was accepted: whose it is, and what was fixed then.
#[derive(Debug, Clone, Copy)]
pub(super) struct Accepted<'a> {
    pub(super) taxpayer: &'a Taxpayer,
    /// The document's own id: a queued document must not find itself among its references.
    pub(super) document_id: &'a DocumentId,
    /// BTAE-07, if the caller gives none.
    pub(super) uuid: Uuid,
    /// The UAE date of this instant is the issue date, if the caller gives none.
    pub(super) at: Timestamp,
}

/// Who issues a document, and its issue date and UUID, if the caller gives none.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Issue<'a> {
    pub(crate) profile: &'a Profile,
    pub(crate) participant: &'a ParticipantId,
    pub(crate) today: Date,
    pub(crate) uuid: Uuid,
}

/// A document without errors in its JSON and its references.
pub(crate) struct Completed {
    pub(crate) document: Document,
    pub(crate) warnings: Vec<Finding>,
    /// The document that this one corrects.
    pub(super) corrected: Option<Box<DocumentRecord>>,
}

/// A document that may be sent.
pub(crate) struct Prepared {
    pub(super) document: Document,
    pub(super) ubl: Vec<u8>,
    pub(crate) warnings: Vec<Finding>,
}

/// Why a document is not completed.
pub(super) enum Incomplete {
    /// The document is refused; a retry changes nothing.
    Refused(Failure),
    /// The table could not be read, or holds a profile that cannot be read.
    Failed(StoreError),
}

impl From<StoreError> for Incomplete {
    fn from(error: StoreError) -> Self {
        Incomplete::Failed(error)
    }
}

impl From<Incomplete> for Failure {
    fn from(incomplete: Incomplete) -> Self {
        match incomplete {
            Incomplete::Refused(failure) => failure,
            Incomplete::Failed(error) => error.into(),
        }
    }
}

/// Resolves the references of a submission and completes the document.
pub(super) async fn complete(
    ctx: &Context,
    Accepted { taxpayer, document_id, uuid, at }: Accepted<'_>,
    submission: Submission,
) -> Result<Completed, Incomplete> {
    let Taxpayer { mode, taxpayer_id, participant_id: participant, .. } = taxpayer;
    let references = references::resolve(ctx, *mode, taxpayer_id, &submission, document_id).await?;
    let profile = &profile(taxpayer)?;
    let issue = Issue { profile, participant, today: uae_date(at), uuid };
    issue.complete(submission, references).map_err(Incomplete::Refused)
}

impl Issue<'_> {
    /// Completes a document whose references were read before.
    pub(crate) fn complete(
        self,
        submission: Submission,
        references: References,
    ) -> Result<Completed, Failure> {
        let Issue { profile: taxpayer, participant, today, uuid } = self;
        let original = references.original.as_ref();
        let issuance = Issuance { taxpayer, participant, today, uuid, original };
        let result = document::complete(submission, &issuance);
        let corrected = references.corrected();
        let (document, warnings) = references.check(result)?;
        Ok(Completed { document, warnings, corrected })
    }
}

impl Completed {
    /// Writes the UBL and validates it.
    pub(crate) fn write(self) -> Result<Prepared, Refused> {
        let Completed { document, warnings, .. } = self;
        let (ubl, warnings) = inspect::write(&document, warnings)?;
        Ok(Prepared { document, ubl, warnings })
    }
}

impl Prepared {
    /// Adds the warnings about earlier uses of the document's number and UUID.
    pub(crate) fn warn_of(mut self, earlier: &EarlierUses) -> Self {
        self.warnings.extend(repetition::warnings(&self.document, earlier));
        self
    }
}

/// The registered profile of a taxpayer.
pub(super) fn profile(taxpayer: &Taxpayer) -> Result<Profile, StoreError> {
    Profile::from_json(taxpayer.profile.as_bytes())
        .map_err(|_| StoreError::Corrupt("the taxpayer's profile is not one".into()))
}

/// The findings of a refused document. A refusal without findings becomes one finding.
pub(crate) fn findings(Failure { message, findings, .. }: Failure) -> Vec<Finding> {
    if findings.is_empty() { vec![Finding::error("", "AP-REFERENCE", message)] } else { findings }
}
