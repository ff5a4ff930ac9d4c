//! The checks of a send without its effects: for validations, and for people who write a document by hand.

use super::failure_of;
use crate::{
    access::{Caller, Taxpayer},
    document::{self, Document, Operation},
    error::{Code, Failure, Finding},
    i18n::Language,
    rendering::{self, Languages, Rendering},
    service::{
        Context, corrections,
        pipeline::{self, Accepted},
        record, references,
    },
    ubl,
};

/// What the checks of a send find in a document.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Validation {
    /// Errors, without which the document could be sent, and warnings.
    pub findings: Vec<Finding>,
    /// Whether the document was validated to its end, so that the findings are all there are.
    pub complete: bool,
}

/// What the checks of a send find, and the document as far as it could be completed.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Examination {
    /// The findings.
    pub validation: Validation,
    /// The document with its totals. `None` if an error in the JSON or in a reference prevents them.
    pub document: Option<Box<Document>>,
}

impl Examination {
    /// The document as people read it, with its findings. `None` if there are no totals.
    pub fn preview(&self, language: Language) -> Result<Option<String>, Failure> {
        let Some(document) = &self.document else { return Ok(None) };
        let rendering =
            Rendering::of(Languages::One(language)).with_findings(&self.validation.findings);
        let page = rendering::html_of(&ubl::write(document), &rendering);
        let failed = "The document cannot be shown.";
        page.map(Some).map_err(|error| Failure::new(Code::InternalError, failed).because(error))
    }
}

/// Runs the conversion and checks of a send. Nothing is recorded, transmitted or logged. Whatever is
/// wrong with the document is a finding (specification 4.2: "returns the structured result"); an error
/// means that it could not be read or may not be asked.
pub async fn validate(
    ctx: &Context,
    caller: &Caller,
    operation: Operation,
    body: &[u8],
) -> Result<Validation, Failure> {
    examine(ctx, &caller.taxpayer, operation, body).await.map(|it| it.validation)
}

/// [`validate`] for a taxpayer, with the completed document.
pub async fn examine(
    ctx: &Context,
    taxpayer: &Taxpayer,
    operation: Operation,
    body: &[u8],
) -> Result<Examination, Failure> {
    let mut document = None;
    let validation = match warnings(ctx, taxpayer, operation, body, &mut document).await {
        Ok(findings) => Validation { findings, complete: true },
        Err(Failure { code: Code::ValidationFailed, findings, complete, .. }) => {
            Validation { findings, complete }
        }
        // What a send would be refused for by 409.
        Err(Failure { code: Code::NotCorrectable | Code::AlreadyCorrected, message, .. }) => {
            Validation { findings: vec![references::uncorrectable(message)], complete: true }
        }
        Err(failure) => return Err(failure),
    };
    Ok(Examination { validation, document })
}

/// The warnings about a document that could be sent, or why it could not. `document` gets it, as soon as it
/// has its totals.
async fn warnings(
    ctx: &Context,
    taxpayer: &Taxpayer,
    operation: Operation,
    body: &[u8],
    document: &mut Option<Box<Document>>,
) -> Result<Vec<Finding>, Failure> {
    let submission = document::read(operation, body).map_err(failure_of)?;
    let facts = record::fix(ctx, ctx.now(), false);
    let document_id = &facts.document_id;
    let accepted = Accepted { taxpayer, document_id, uuid: facts.uuid, at: facts.created_at };
    let completed = pipeline::complete(ctx, accepted, submission).await?;
    *document = Some(Box::new(completed.document.clone()));
    let mode = taxpayer.mode;
    if let Some(corrected) = &completed.corrected {
        corrections::permit(ctx, mode, corrected, document_id).await?;
    }
    let prepared = completed.write()?;
    let number = (operation, prepared.document.number.as_str());
    let uuid = record::uuid(&prepared.document, &facts);
    let (id, now) = (&taxpayer.taxpayer_id, ctx.now());
    let earlier = ctx.store.get_earlier_uses(mode, id, document_id, number, uuid, now).await?;
    Ok(prepared.warn_of(&earlier).warnings)
}
