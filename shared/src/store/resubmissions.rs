//! Further reports about a document, after the first. Each is created in one transaction with its name in the document.
//! So of two simultaneous ones only one is created.

use super::{
    DocumentRecord, NewTaxReport, Recorded, Reporting, Reservation, SavedReply, Store, StoreError,
    TaxReportKind,
    dynamo::{Expression, Update, Write, Written},
    keys::Key,
    tax_reports,
    text::instant,
};
use crate::types::Mode;

/// The condition that a document has no new report since it was read.
pub(super) fn with_reports_as_read(read: &DocumentRecord) -> Expression {
    let expression = match read.later_reports.len() {
        0 => Expression::new("attribute_exists(pk) AND attribute_not_exists(#reports)"),
        reports => Expression::new("size(#reports) = :reports").number(":reports", reports),
    };
    expression.name("#reports", "later_reports")
}

/// The write that names a report in its document, as the document was read. The document does not show a withdrawal.
fn named(document: &DocumentRecord, new: &NewTaxReport) -> Result<Write, StoreError> {
    let tax_report = &new.tax_report;
    let key = Key::document(Mode::Live, &document.taxpayer_id, &document.document_id);
    let mut reports = document.later_reports.clone();
    reports.push(tax_report.report_id.clone());
    let update = Update::new()
        .set("later_reports", &reports)?
        .set("updated_at", &instant(tax_report.created_at))?
        .add("version", 1);
    let update = match tax_report.kind {
        TaxReportKind::Withdraw => update,
        _ => update.set("reporting", &Reporting::of(tax_report))?,
    };
    Ok(Write::Update { key, update: update.build(), condition: with_reports_as_read(document) })
}

impl Store {
    /// Creates a further report about a document, as it was read, together with the response to the request.
    /// [`Recorded::Lost`] when the document has another report meanwhile, or the reservation no longer belongs to the
    /// request. An unknown outcome is read back.
    pub async fn add_tax_report(
        &self,
        document: &DocumentRecord,
        new: &NewTaxReport,
        reservation: Option<(&Reservation, SavedReply<'_>)>,
    ) -> Result<Recorded, StoreError> {
        let mut writes = tax_reports::make(new)?;
        writes.push(named(document, new)?);
        writes.extend(reservation.map(|(reservation, reply)| reservation.end(Some(reply))));
        let written = self.transact(writes).await;
        if let Ok(Written::Done) = written {
            return Ok(Recorded::Done);
        }
        // Only this attempt knows the report's identifier.
        let current =
            self.get_tax_report(&new.tax_report.taxpayer_id, &new.tax_report.report_id).await;
        match (written, current) {
            (_, Ok(Some(_))) => Ok(Recorded::Done),
            (Ok(_), Ok(None)) => Ok(Recorded::Lost),
            (Ok(_), Err(error)) => Err(StoreError::Unknown(error.into())),
            (Err(error), _) => Err(error),
        }
    }
}
