//! The documents that a send refers to: the invoice that a credit note credits, and the document that a correction
//! replaces.

use rust_decimal::Decimal;

use super::Context;
use crate::{
    document::{Document, Operation, Original, Submission},
    error::{Code, Failure, Finding},
    store::{Direction, DocumentRecord, MessageLevelStatus, Status, StatusCode, StoreError},
    types::{DocumentId, Mode, TaxpayerId},
};

/// The rule of `previous_document_id`.
const ORIGINAL: &str = "AP-REFERENCE-original";
/// The rule of `corrects_document_id`.
const CORRECTED: &str = "AP-REFERENCE-corrected";

/// The documents behind the references of a send.
#[derive(Debug)]
pub(crate) struct References {
    /// The credited invoice.
    pub(crate) original: Option<Original>,
    /// Its record.
    credited: Option<Box<DocumentRecord>>,
    /// The sum of the other credit notes on it, and their count.
    before: (Decimal, usize),
    /// Why the document behind `previous_document_id` cannot be credited.
    unfit: Option<String>,
    /// The document behind `corrects_document_id`.
    corrected: Corrected,
}

#[derive(Debug)]
enum Corrected {
    NotAsked,
    Missing,
    Found(Box<DocumentRecord>),
}

/// Reads the documents that a submission refers to, among those of the same taxpayer. This takes one read, or none
/// without references. For a credit note, the other credit notes on the invoice are read too.
///
/// `own` is the identifier of the sent document, which exists already if the send was queued.
pub(super) async fn resolve(
    ctx: &Context,
    mode: Mode,
    taxpayer_id: &TaxpayerId,
    submission: &Submission,
    own: &DocumentId,
) -> Result<References, StoreError> {
    let [previous, corrected] = named(submission);
    let mut ids = match &previous {
        Some(invoice) => ctx.store.get_credit_notes(mode, taxpayer_id, invoice).await?,
        None => Vec::new(),
    };
    ids.retain(|id| id != own);
    ids.extend(previous.into_iter().chain(corrected));
    let documents = ctx.store.get_documents(mode, taxpayer_id, &ids).await?;
    Ok(References::among(submission, &documents))
}

/// The identifiers of the documents that a submission credits and corrects.
pub(super) fn named(submission: &Submission) -> [Option<DocumentId>; 2] {
    let body = &submission.body;
    let id = |text: &Option<String>| text.as_deref()?.parse::<DocumentId>().ok();
    let previous = id(&body.previous_document_id).filter(|_| submission.operation.is_credit_note());
    [previous, id(&body.corrects_document_id)]
}

/// Checks that a credit note credits an invoice that the taxpayer issued, and that a self-billed credit note credits a
/// self-billed one.
fn why_unfit(operation: Operation, found: &DocumentRecord) -> Option<String> {
    let wanted = match operation.is_self_billed() {
        true => Operation::SelfBilledInvoice,
        false => Operation::Invoice,
    };
    if found.direction != Direction::Outbound {
        return Some("this document was received, not issued, by the taxpayer".to_owned());
    }
    if found.operation != wanted {
        return Some(format!(
            "this document is of type {}; a {} credits a document of type {}",
            found.operation.as_str(),
            operation.as_str(),
            wanted.as_str()
        ));
    }
    (found.status == Status::Failed)
        .then(|| "this document was never sent, so there is nothing to credit".to_owned())
}

impl References {
    /// The references of a submission, among documents of its taxpayer.
    pub(crate) fn among(submission: &Submission, documents: &[DocumentRecord]) -> Self {
        let find = |id: Option<DocumentId>| {
            documents.iter().find(|document| Some(&document.document_id) == id.as_ref())
        };
        let [previous, corrected] = named(submission).map(find);
        let original = previous
            .map(|found| Original { number: found.number.clone(), issue_date: found.issue_date });
        // A credit note that failed or was rejected credits nothing.
        let counts = |note: &&DocumentRecord| {
            note.operation.is_credit_note()
                && note.direction == Direction::Outbound
                && !matches!(note.status, Status::Failed | Status::Rejected)
                && previous.is_some_and(|invoice| {
                    note.previous_document_id.as_ref() == Some(&invoice.document_id)
                        && note.currency == invoice.currency
                })
        };
        let before = documents.iter().filter(counts).fold((Decimal::ZERO, 0), |(sum, n), note| {
            (sum.saturating_add(note.total_with_vat), n + 1)
        });
        let unfit = previous.and_then(|found| why_unfit(submission.operation, found));
        let credited = previous.cloned().map(Box::new);
        let corrected = match (&submission.body.corrects_document_id, corrected) {
            (None, _) => Corrected::NotAsked,
            (_, Some(found)) if found.direction == Direction::Outbound => {
                Corrected::Found(Box::new(found.clone()))
            }
            _ => Corrected::Missing,
        };
        References { original, credited, before, unfit, corrected }
    }

    /// The document that is corrected.
    pub(super) fn corrected(&self) -> Option<Box<DocumentRecord>> {
        match &self.corrected {
            Corrected::Found(found) => Some(found.clone()),
            Corrected::NotAsked | Corrected::Missing => None,
        }
    }

    /// Adds the findings about the references to the result of the checks.
    pub(crate) fn check(
        self,
        result: Result<(Document, Vec<Finding>), Vec<Finding>>,
    ) -> Result<(Document, Vec<Finding>), Failure> {
        let mut own = Vec::new();
        if let Some(reason) = self.unfit {
            own.push(Finding::error("/previous_document_id", ORIGINAL, reason).term("IBT-025"));
        }
        let corrected = match self.corrected {
            Corrected::NotAsked => None,
            Corrected::Missing => {
                let message = "the taxpayer has sent no document with this id";
                own.push(Finding::error("/corrects_document_id", CORRECTED, message));
                None
            }
            Corrected::Found(found) => Some(found),
        };
        let (document, mut warnings) = match result {
            Ok(complete) => complete,
            Err(findings) => {
                own.extend(findings);
                return Err(Failure::invalid(own));
            }
        };
        if let Some(found) = corrected {
            // Table A: a correction keeps the business number and the type.
            if found.number != document.number {
                let field = match document.is_credit_note() {
                    true => "/credit_note_number",
                    false => "/invoice_number",
                };
                let message = format!(
                    "a correction must have the number of the corrected document, {}",
                    found.number
                );
                own.push(Finding::error(field, CORRECTED, message).term("IBT-001"));
            }
            if found.operation != document.operation
                || found.document_type_code != document.type_code
            {
                let message = format!(
                    "a correction must have the type of the corrected document, {} ({})",
                    found.operation.as_str(),
                    found.document_type_code
                );
                let at = "/corrects_document_id";
                own.push(Finding::error(at, CORRECTED, message).term("IBT-003"));
            }
            // Only documents that were rejected at stage C3 can be corrected, and Sandbox has none (specification 1,
            // point 2; 2.5 A).
            if own.is_empty() && !is_correctable(&found) {
                return Err(Failure::new(
                    Code::NotCorrectable,
                    "The document cannot be corrected: it was not rejected at stage C3.",
                ));
            }
        }
        if !own.is_empty() {
            return Err(Failure::invalid(own));
        }
        let before = self.before;
        let credited = self.credited.iter();
        warnings.extend(credited.flat_map(|credited| differences(&document, credited, before)));
        Ok((document, warnings))
    }
}

/// Whether a document was rejected at stage C3. Only such a document can be corrected.
pub(crate) fn is_correctable(document: &DocumentRecord) -> bool {
    let rejects = |said: &MessageLevelStatus| said.code == StatusCode::Rejected;
    document.status == Status::Rejected
        && document.message_level_status.as_ref().is_some_and(rejects)
}

/// The finding about a document that cannot be corrected, or was corrected already.
pub(super) fn uncorrectable(why: String) -> Finding {
    Finding::error("/corrects_document_id", CORRECTED, why)
}

/// Warnings about differences from the credited invoice that may be mistakes: a higher total (alone or with the earlier
/// credit notes), another currency, or another customer.
fn differences(
    document: &Document,
    credited: &DocumentRecord,
    (before, notes): (Decimal, usize),
) -> Vec<Finding> {
    let number = &credited.number;
    let mut found = Vec::new();
    let currency = document.body.currency.as_deref().unwrap_or_default();
    let (total, of_original) = (document.totals.total_amount_with_vat, credited.total_with_vat);
    if currency != credited.currency {
        let message = format!("the credited invoice {number} is in {}", credited.currency);
        found.push(Finding::warning("/currency", "AP-CREDIT-currency", message).term("IBT-005"));
    } else if total > of_original {
        let message =
            format!("{total} is credited, but the total of {number} is {of_original} {currency}");
        let at = "/previous_document_id";
        found.push(Finding::warning(at, "AP-CREDIT-total", message).term("IBT-112"));
    } else if before.saturating_add(total) > of_original {
        let message = format!(
            "{total} is credited, and {notes} earlier credit notes credit {before}: together more than the total of \
             {number}, {of_original} {currency}"
        );
        let at = "/previous_document_id";
        found.push(Finding::warning(at, "AP-CREDIT-total", message).term("IBT-112"));
    }
    let (field, term, party) = match document.is_self_billed() {
        true => ("/supplier", "IBT-034", &credited.supplier),
        false => ("/customer", "IBT-049", &credited.customer),
    };
    if document.receiver() != party.participant_id {
        let message =
            format!("the credited invoice {number} has another recipient: {}", party.name);
        found.push(Finding::warning(field, "AP-CREDIT-party", message).term(term));
    }
    found
}
