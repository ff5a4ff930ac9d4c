//! The payload of a tax report: the Tax Data Document, and the header of its envelope.

use crate::{
    error::Finding,
    peppol::{
        identifiers::{DocumentType, InstanceId, Process, Spid},
        sbdh::{self, CountryCode, DocumentIdentification, Header},
    },
    service::{TaxReporting, tax_report_event},
    store::{
        DocumentRecord, Held, Payload, StoreError, TaxReportKind, TaxReportRecord, TaxReportRole,
    },
    taxdata::{
        self,
        write::{self, Kind, Report, Role},
    },
    types::ParticipantId,
};

/// A report that is ready to send.
pub(super) struct Made {
    pub(super) header: Header,
    pub(super) bytes: Vec<u8>,
    /// The room for it, until its attempt ends.
    _held: Held,
}

/// The report that the first attempt made.
pub(super) async fn stored(
    reporting: &TaxReporting,
    envelope: &Payload,
) -> Result<Made, StoreError> {
    let (_held, bytes) = reporting.bucket.get_with_room(envelope).await?;
    let envelope = sbdh::read(&bytes).map_err(|error| StoreError::Corrupt(error.into()))?;
    let bytes = envelope.payload.document().into_owned();
    Ok(Made { header: envelope.header, bytes, _held })
}

/// Makes the report from the stored UBL, or returns why there can be none. A report that the schema or the rules refuse
/// is never sent.
pub(super) async fn make(
    reporting: &TaxReporting,
    leased: &TaxReportRecord,
    authority: &Spid,
    representative: &Spid,
) -> Result<Result<Made, Finding>, StoreError> {
    let TaxReporting { ctx, bucket, .. } = reporting;
    let (document, participant_id) = tax_report_event::about(ctx, leased).await?;
    let (_held, source) = bucket.get_with_room(ubl(&document)?).await?;
    let report = Report {
        kind: kind(leased.kind)?,
        role: role(leased.role)?,
        reporting_party: &participant_id,
        authority: authority.value(),
        representative: representative.value(),
        issued_at: ctx.now(),
        transport_header_id: leased.transport_header_id.as_ref().map(InstanceId::as_str),
    };
    let bytes = match write::write(&report, &source) {
        Ok(bytes) => bytes,
        Err(why) => return Ok(Err(unfit(&why.to_string()))),
    };
    if let Err(why) = taxdata::check(&bytes) {
        return Ok(Err(unfit(&why.to_string())));
    }
    let header = header(leased, &participant_id, authority, ctx.now())?;
    Ok(Ok(Made { header, bytes, _held }))
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
    now: jiff::Timestamp,
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
