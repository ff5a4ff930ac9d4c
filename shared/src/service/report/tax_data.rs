//! The payload of a tax report: the Tax Data Document, and the header of its envelope.

use bytes::Bytes;
use jiff::Timestamp;

use crate::{
    error::Finding,
    peppol::{
        identifiers::{DocumentType, InstanceId, Process, Spid},
        sbdh::{self, CountryCode, DocumentIdentification, Header},
    },
    service::TaxReporting,
    store::{
        Beside, DocumentRecord, Held, Payload, PayloadKind, StoreError, TaxReportKind,
        TaxReportRecord, TaxReportRole,
    },
    taxdata::{
        self,
        write::{self, Kind, Report, Role},
    },
    types::{ParticipantId, ReportId},
};

/// The longest document whose report is stored beside it. A report takes about twice the bytes of its document.
const MOST_BESIDE: usize = 128 * 1024;

/// A report that is ready to send.
pub(super) struct Made {
    pub(super) header: Header,
    pub(super) bytes: Vec<u8>,
    /// Its envelope, if it is stored.
    pub(super) stored: Option<Stored>,
    /// The room for it, until its attempt ends.
    _held: Held,
}

/// A report's envelope that is stored.
pub(super) struct Stored {
    pub(super) envelope: Beside,
    /// The Tax Data Document in it, if no attempt named it before.
    pub(super) tax_data: Option<Payload>,
}

/// Who reports to whom.
#[derive(Clone, Copy)]
pub(in crate::service) struct Parties<'a> {
    /// The business that reports.
    pub(in crate::service) reporting_party: &'a ParticipantId,
    /// The tax authority.
    pub(in crate::service) authority: &'a Spid,
    /// This service.
    pub(in crate::service) representative: &'a Spid,
}

/// The report about a document that leaves in the request that made it, and its envelope. They are stored in the object of
/// the document, so the report costs the bucket no write of its own. Empty for a document that is long, or that the
/// authority accepts no report about: its report is made by the stage `report`, and fails there.
pub(in crate::service) fn beside(
    report: &TaxReportRecord,
    parties: Parties<'_>,
    ubl: &[u8],
    now: Timestamp,
) -> Result<Vec<(PayloadKind, Bytes)>, StoreError> {
    if ubl.len() > MOST_BESIDE {
        return Ok(Vec::new());
    }
    let Ok((header, bytes)) = written(report, parties, ubl, now)? else { return Ok(Vec::new()) };
    let envelope = sbdh::write(&header, &bytes);
    Ok(vec![(PayloadKind::TaxData, bytes.into()), (PayloadKind::TaxEnvelope, envelope.into())])
}

/// The report that was stored beside its document. `None` when there is none, or when it is another report, or for another
/// authority.
pub(super) async fn found_beside(
    reporting: &TaxReporting,
    leased: &TaxReportRecord,
    document: &DocumentRecord,
    authority: &Spid,
) -> Result<Option<Made>, StoreError> {
    // Only the first report is made with its document. The bucket is not asked for another one.
    if leased.report_id != ReportId::first_of(&leased.document_id) {
        return Ok(None);
    }
    let kinds = [PayloadKind::TaxData, PayloadKind::TaxEnvelope];
    let Some(found) = reporting.bucket.find_beside(ubl(document)?, kinds).await? else {
        return Ok(None);
    };
    let (_held, [tax_data, envelope]) = found;
    let Ok(read) = sbdh::read(&envelope.bytes) else { return Ok(None) };
    let is_this = read.header.instance_id == InstanceId::from(&leased.instance_id)
        && read.header.receiver == *authority.participant();
    let header = read.header;
    let stored = Some(Stored { envelope, tax_data: Some(tax_data.payload) });
    Ok(is_this.then_some(Made { header, bytes: tax_data.bytes, stored, _held }))
}

/// The report that the first attempt made.
pub(super) async fn stored(
    reporting: &TaxReporting,
    envelope: &Payload,
) -> Result<Made, StoreError> {
    let (_held, bytes) = reporting.bucket.get_with_room(envelope).await?;
    let read = sbdh::read(&bytes).map_err(|error| StoreError::Corrupt(error.into()))?;
    let (header, tax_data) = (read.header, read.payload.document().into_owned());
    let envelope = Beside { payload: envelope.clone(), bytes };
    Ok(Made { header, bytes: tax_data, stored: Some(Stored { envelope, tax_data: None }), _held })
}

/// Makes the report from the stored UBL, or returns why there can be none. A report that the schema or the rules refuse
/// is never sent.
pub(super) async fn make(
    reporting: &TaxReporting,
    leased: &TaxReportRecord,
    document: &DocumentRecord,
    parties: Parties<'_>,
) -> Result<Result<Made, Finding>, StoreError> {
    let TaxReporting { ctx, bucket, .. } = reporting;
    let (_held, source) = bucket.get_with_room(ubl(document)?).await?;
    let written = written(leased, parties, &source, ctx.now())?;
    Ok(written.map(|(header, bytes)| Made { header, bytes, stored: None, _held }))
}

/// A Tax Data Document, and the header of its envelope. Otherwise the reason why the authority accepts no such report.
fn written(
    of: &TaxReportRecord,
    parties: Parties<'_>,
    ubl: &[u8],
    now: Timestamp,
) -> Result<Result<(Header, Vec<u8>), Finding>, StoreError> {
    let Parties { reporting_party, authority, representative } = parties;
    let report = Report {
        kind: kind(of.kind)?,
        role: role(of.role)?,
        reporting_party,
        authority: authority.value(),
        representative: representative.value(),
        issued_at: now,
        transport_header_id: of.transport_header_id.as_ref().map(InstanceId::as_str),
    };
    let bytes = match write::write(&report, ubl) {
        Ok(bytes) => bytes,
        Err(why) => return Ok(Err(unfit(&why.to_string()))),
    };
    if let Err(why) = taxdata::check(&bytes) {
        return Ok(Err(unfit(&why.to_string())));
    }
    Ok(Ok((header(of, reporting_party, authority, now)?, bytes)))
}

/// Why the authority accepts no report about a document. A send of such a document is refused (`inspect`). But received
/// documents, and documents from before that check, can still be like this.
fn unfit(why: &str) -> Finding {
    let message =
        format!("The report would break a rule of the tax authority and was not sent: {why}");
    Finding::error("", "AP-REPORT-invalid", message)
}

/// Tax Data Document BIS 1.0.4: the sender is the reporting party, the receiver is the authority.
fn header(
    leased: &TaxReportRecord,
    reporting_party: &ParticipantId,
    authority: &Spid,
    now: Timestamp,
) -> Result<Header, StoreError> {
    let document = DocumentIdentification::new(DocumentType::TAX_DATA)
        .map_err(|error| StoreError::Corrupt(error.into()))?;
    Ok(Header {
        sender: reporting_party.clone(),
        receiver: authority.participant().clone(),
        instance_id: (&leased.instance_id).into(),
        document,
        process: Process::TAX_REPORTING,
        created_at: now,
        country_c1: CountryCode::UAE,
        mls_to: None,
        // The authority must answer in both cases, success and failure.
        mls_type: Some(sbdh::MlsType::AlwaysSend),
        others: Default::default(),
    })
}

fn ubl(document: &DocumentRecord) -> Result<&Payload, StoreError> {
    let ubl = document.ubl.as_ref();
    ubl.ok_or_else(|| StoreError::Corrupt("the document of a tax report has no UBL".into()))
}

fn kind(kind: TaxReportKind) -> Result<Kind, StoreError> {
    match kind {
        TaxReportKind::Submit => Ok(Kind::Submit),
        TaxReportKind::Resubmit => Ok(Kind::Resubmit),
        TaxReportKind::Withdraw => Ok(Kind::Withdraw),
        TaxReportKind::Failed => Ok(Kind::Failed),
        TaxReportKind::Unknown => Err(newer()),
    }
}

fn role(role: TaxReportRole) -> Result<Role, StoreError> {
    match role {
        TaxReportRole::Sender => Ok(Role::Sender),
        TaxReportRole::Receiver => Ok(Role::Receiver),
        TaxReportRole::Unknown => Err(newer()),
    }
}

fn newer() -> StoreError {
    StoreError::Unavailable("the tax report has a value of a newer version".into())
}
