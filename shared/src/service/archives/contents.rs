//! The files of one document in an archive.

use super::{
    super::{history::History, reports},
    Archiving,
};
use crate::{
    peppol::identifiers::InstanceId,
    store::{
        Direction, DocumentRecord, EnvelopeHash, MessageRecord, Payload, PayloadKind, Receipt,
        StatusRecord, StoreError, TaxReportRecord, TaxReportVerdict, TransmissionRecord,
    },
    types::{DocumentId, MessageId, Mode},
};

/// A file: its path in the archive, and its bytes.
pub(super) type File = (String, Vec<u8>);

/// All files of a document. A part that was never made has no file.
pub(super) async fn of(
    archiving: &Archiving,
    mode: Mode,
    document: DocumentRecord,
) -> Result<Vec<File>, StoreError> {
    let Archiving { ctx, bucket, describe, .. } = archiving;
    let store = &ctx.store;
    let DocumentRecord { taxpayer_id, document_id, issue_date, .. } = &document;
    let folder = format!("documents/{issue_date}_{document_id}");
    let mut named = Named { folder: &folder, files: Vec::new() };
    named.payload("document.xml".to_owned(), document.ubl.as_ref());
    named.payload("envelope.xml".to_owned(), document.envelope.as_ref());
    let transmission = match document.direction {
        Direction::Outbound => store.get_transmission(mode, taxpayer_id, document_id).await?,
        Direction::Inbound => None,
    };
    if let Some(TransmissionRecord { envelope, receipt, .. }) = &transmission {
        named.payload("envelope.xml".to_owned(), envelope.as_ref());
        named.receipt("receipt.xml".to_owned(), receipt.as_ref());
    }
    let known = match mode {
        Mode::Live => reports::known(ctx, &document).await?,
        Mode::Sandbox => Vec::new(),
    };
    if mode == Mode::Live {
        match document.direction {
            Direction::Outbound => {
                for status in store.list_statuses_of(&document).await? {
                    let hash = EnvelopeHash::of(&status.instance_id);
                    named.payload(format!("statuses/{hash}.xml"), Some(&status.envelope));
                    let receipt = our_receipt(archiving, status).await?;
                    named.payload(format!("statuses/{hash}-receipt.xml"), receipt.as_ref());
                }
            }
            // The status that we sent for it.
            Direction::Inbound => {
                let brought = message(archiving, mode, document_id).await?;
                let proof = |payload: fn(&MessageRecord) -> &Option<Payload>| {
                    brought.as_ref().and_then(|message| payload(message).as_ref())
                };
                named.payload("message.as4".to_owned(), proof(|message| &message.message));
                named.payload("receipt.xml".to_owned(), proof(|message| &message.receipt));
                let taxpayer_id = &document.taxpayer_id;
                let answer = store.get_mls_transmission(mode, taxpayer_id, document_id).await?;
                if let Some(TransmissionRecord { envelope, receipt, .. }) = &answer {
                    named.payload("statuses/answer.xml".to_owned(), envelope.as_ref());
                    named.receipt("statuses/answer-receipt.xml".to_owned(), receipt.as_ref());
                }
            }
        }
    }
    for (tax_report, transmission) in &known {
        let of = format!("reports/{}", tax_report.report_id);
        named.payload(format!("{of}/tax-data.xml"), tax_report.tax_data(transmission.as_ref()));
        if let Some(TransmissionRecord { envelope, receipt, .. }) = transmission {
            named.payload(format!("{of}/envelope.xml"), envelope.as_ref());
            named.receipt(format!("{of}/receipt.xml"), receipt.as_ref());
        }
        if let Some(verdict) = &tax_report.verdict {
            named.payload(format!("{of}/verdict.xml"), Some(&verdict.envelope));
            let receipt = receipt_of_verdict(archiving, tax_report, verdict).await?;
            named.payload(format!("{of}/verdict-receipt.xml"), receipt.as_ref());
        }
    }
    let reports = known.into_iter().map(|known| reports::with_attempts(ctx, known)).collect();
    // The description omits our status and the events: the messages of our status are files.
    let history = History {
        document,
        awaits: Vec::new(),
        transmission,
        answer: None,
        reports,
        events: Vec::new(),
    };
    let described = (format!("{folder}/document.json"), describe(history));
    let mut files = vec![described];
    for (path, file) in named.files {
        let bytes = match file {
            // A payload may be missing once its legal retention has ended.
            Receipt::Stored(payload) => bucket.find(&payload).await?,
            Receipt::Inline(bytes) => Some(bytes),
        };
        files.extend(bytes.map(|bytes| (path, bytes)));
    }
    Ok(files)
}

/// The files of a document beside its description, and where their bytes are.
struct Named<'a> {
    folder: &'a str,
    files: Vec<(String, Receipt)>,
}

impl Named<'_> {
    fn payload(&mut self, path: String, payload: Option<&Payload>) {
        self.receipt(path, payload.cloned().map(Receipt::Stored).as_ref());
    }

    fn receipt(&mut self, path: String, receipt: Option<&Receipt>) {
        self.files.extend(receipt.map(|it| (format!("{}/{path}", self.folder), it.clone())));
    }
}

/// The message that delivered a document.
async fn message(
    archiving: &Archiving,
    mode: Mode,
    document_id: &DocumentId,
) -> Result<Option<MessageRecord>, StoreError> {
    let store = &archiving.ctx.store;
    let Some(answer) = store.get_mls_outbound(mode, document_id).await? else { return Ok(None) };
    store.get_message(mode, &EnvelopeHash::of(&answer.ref_to)).await
}

/// The status messages about a message of ours.
async fn statuses_about(
    archiving: &Archiving,
    sent: &MessageId,
) -> Result<Vec<StatusRecord>, StoreError> {
    let about = EnvelopeHash::of(&InstanceId::from(sent));
    archiving.ctx.store.list_status_messages(Mode::Live, &about).await
}

/// Our signed receipt for a verdict. It is beside the verdict's envelope, or else named by the record of the status message.
async fn receipt_of_verdict(
    archiving: &Archiving,
    tax_report: &TaxReportRecord,
    verdict: &TaxReportVerdict,
) -> Result<Option<Payload>, StoreError> {
    let beside = archiving.bucket.find_beside(&verdict.envelope, [PayloadKind::Receipt]).await?;
    if let Some((_, [receipt])) = beside {
        return Ok(Some(receipt.payload));
    }
    let statuses = statuses_about(archiving, &tax_report.instance_id).await?;
    match statuses.into_iter().find(|it| it.instance_id == verdict.instance_id) {
        Some(status) => our_receipt(archiving, status).await,
        None => Ok(None),
    }
}

/// Our signed receipt for a status message. Records of earlier releases do not name it; the record of its message does.
async fn our_receipt(
    archiving: &Archiving,
    status: StatusRecord,
) -> Result<Option<Payload>, StoreError> {
    if status.receipt.is_some() {
        return Ok(status.receipt);
    }
    let (store, hash) = (&archiving.ctx.store, EnvelopeHash::of(&status.instance_id));
    let message = store.get_message(Mode::Live, &hash).await?;
    Ok(message.and_then(|message| message.receipt))
}
