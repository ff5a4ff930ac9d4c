//! Stores documents with reports directly, for tests of their readers.

use serde_json::json;

use super::World;
use crate::{
    store::{
        Direction, DocumentRecord, ReportedDocument, Status, TaxReportKind, TaxReportRecord,
        TaxReportRole, TaxReportStatus,
        keys::{Key, TaxReportList},
    },
    types::{DocumentId, MessageId, Mode, OrganizationId, ReportId, TaxpayerId},
};

impl World {
    /// A Live document that was sent or received, and its first report.
    pub(crate) async fn reported(
        &self,
        taxpayer_id: &TaxpayerId,
        organization_id: &OrganizationId,
        direction: Direction,
        status: TaxReportStatus,
    ) -> (DocumentRecord, TaxReportRecord) {
        let fixture = include_str!("../store/fixtures/document.json");
        let fixture: DocumentRecord = serde_json::from_str(fixture).unwrap();
        let document = DocumentRecord {
            document_id: DocumentId::new(self.now(), &*self.ctx.random),
            taxpayer_id: taxpayer_id.clone(),
            organization_id: Some(organization_id.clone()),
            direction,
            status: Status::Delivered,
            corrects_document_id: None,
            corrected_by: None,
            reporting: None,
            later_reports: Vec::new(),
            created_at: self.now(),
            converted_at: None,
            dispatching_at: None,
            ..fixture
        };
        self.put_document(&document).await;
        let tax_report = TaxReportRecord {
            report_id: ReportId::first_of(&document.document_id),
            ..self.tax_report_about(&document, TaxReportKind::Submit, status)
        };
        self.set_tax_report(&tax_report).await;
        (document, tax_report)
    }

    /// A report about a document, with its own id.
    pub(crate) fn tax_report_about(
        &self,
        document: &DocumentRecord,
        kind: TaxReportKind,
        status: TaxReportStatus,
    ) -> TaxReportRecord {
        let (now, random) = (self.now(), &*self.ctx.random);
        let about = ReportedDocument {
            taxpayer_id: document.taxpayer_id.clone(),
            document_id: document.document_id.clone(),
            document_type_code: document.document_type_code.clone(),
            role: match document.direction {
                Direction::Outbound => TaxReportRole::Sender,
                Direction::Inbound => TaxReportRole::Receiver,
            },
        };
        let (report_id, instance_id) = (ReportId::new(now, random), MessageId::new(now, random));
        TaxReportRecord {
            status,
            transport_header_id: Some((&document.message_id).into()),
            ..TaxReportRecord::due(about, kind, report_id, instance_id, now)
        }
    }

    pub(crate) async fn put_document(&self, document: &DocumentRecord) {
        let key = Key::document(Mode::Live, &document.taxpayer_id, &document.document_id);
        self.put(key, document).await;
    }

    /// Stores a report with its list entries.
    pub(crate) async fn set_tax_report(&self, tax_report: &TaxReportRecord) {
        self.put(Key::tax_report(&tax_report.taxpayer_id, &tax_report.report_id), tax_report).await;
        let pointer = json!({"kind": tax_report.kind, "role": tax_report.role});
        for list in [Some(TaxReportList::All), TaxReportList::of_status(tax_report.status)] {
            let Some(list) = list else { continue };
            self.put(
                Key::in_tax_reports(&tax_report.taxpayer_id, list, &tax_report.report_id),
                &pointer,
            )
            .await;
        }
    }
}
