//! Documents with reports about them, put where they are stored: for tests of what reads them.

use serde_json::json;

use super::World;
use crate::{
    store::{
        Direction, DocumentRecord, FilingAbout, FilingKind, FilingRecord, FilingRole, FilingStatus,
        Status,
        keys::{FilingList, Key},
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
        status: FilingStatus,
    ) -> (DocumentRecord, FilingRecord) {
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
        let filing = FilingRecord {
            report_id: ReportId::first_of(&document.document_id),
            ..self.filing_about(&document, FilingKind::Submit, status)
        };
        self.set_filing(&filing).await;
        (document, filing)
    }

    /// A report about a document, under a name of its own.
    pub(crate) fn filing_about(
        &self,
        document: &DocumentRecord,
        kind: FilingKind,
        status: FilingStatus,
    ) -> FilingRecord {
        let (now, random) = (self.now(), &*self.ctx.random);
        let about = FilingAbout {
            taxpayer_id: document.taxpayer_id.clone(),
            document_id: document.document_id.clone(),
            document_type_code: document.document_type_code.clone(),
            role: match document.direction {
                Direction::Outbound => FilingRole::Sender,
                Direction::Inbound => FilingRole::Receiver,
            },
        };
        let (report_id, instance_id) = (ReportId::new(now, random), MessageId::new(now, random));
        FilingRecord {
            status,
            transport_header_id: Some((&document.message_id).into()),
            ..FilingRecord::due(about, kind, report_id, instance_id, now)
        }
    }

    pub(crate) async fn put_document(&self, document: &DocumentRecord) {
        let key = Key::document(Mode::Live, &document.taxpayer_id, &document.document_id);
        self.put(key, document).await;
    }

    /// Puts a report into its lists.
    pub(crate) async fn set_filing(&self, filing: &FilingRecord) {
        self.put(Key::filing(&filing.taxpayer_id, &filing.report_id), filing).await;
        let pointer = json!({"kind": filing.kind, "role": filing.role});
        for list in [Some(FilingList::All), FilingList::of_status(filing.status)] {
            let Some(list) = list else { continue };
            self.put(Key::in_filings(&filing.taxpayer_id, list, &filing.report_id), &pointer).await;
        }
    }
}
