//! The findings of an example, from the same code that checks such texts in production.

use std::{collections::BTreeSet, sync::LazyLock};

use jiff::{
    Timestamp,
    civil::{Date, date},
};
use serde::Deserialize;
use serde_json::Value;
use uuid::Uuid;

use super::{Change, Earlier, Imported, Sample};
use crate::{
    access::Scope,
    api::webhook_bodies,
    document::{self, Document, Operation, Profile, ReadError, Unregistered},
    error::{Failure, Finding},
    import_tables::{self, File, Placed},
    peppol::{
        identifiers::{DocumentType, Process},
        sbdh::{CountryCode, DocumentIdentification, Header},
    },
    service::{
        imports,
        oauth::clients,
        pipeline::{self, Completed, Issue},
        record::{self, Start},
        references::References,
        reply::{Reply, Sent},
        validate_inbound,
        webhooks::samples,
    },
    store::{
        DocumentRecord, EarlierUses, EventType, IdempotencyRecord, IdempotencyState, ImportedRow,
        MessageLevelStatus, SendFacts, Status, StatusCode,
    },
    types::{
        DocumentId, ImportId, MessageId, Mode, OrganizationId, ParticipantId, TaxpayerId, hex,
    },
    ubl, validate, xml,
};

/// The sender of the samples: the taxpayer of the local demo data.
pub(super) const TAXPAYER: &str = r#"{
    "electronic_address": {"id": "1001234501"}, "name": "Falcon Trading LLC",
    "address": {"line_1": "Sheikh Zayed Road", "city": "Dubai", "country_subdivision": "DXB"},
    "vat_identifier": "100123450100003", "tax_registration_identifier": "1001234501",
    "legal_registration": {"id": "CN-1", "type": "TL", "authority_name": "DET"}
}"#;
pub(super) const PARTICIPANT: &str = "0235:1001234501";
/// The recipient of the samples.
pub(super) const RECIPIENT: &str = "0235:1001234502";
/// The day of the sends.
const TODAY: Date = date(2026, 11, 23);
/// BTAE-07 of a document without one.
const UUID: Uuid = Uuid::from_u128(0x6b7b_6e4e_4f39_4b57_9d30_0d1a_3b3f_0a11);
/// The id of the earlier document.
pub(in crate::docs) const EARLIER: &str = "doc_019364e1a2b37c4d8e9f0a1b2c3d4e5f";
/// BTAE-07 of the earlier document, if it names none.
const EARLIER_UUID: Uuid = Uuid::from_u128(0x0193_64e1_a2b3_4c4d_8e9f_0a1b_2c3d_4e5f);

/// The findings of a changed sample, after an earlier send if there is one.
pub(super) fn of_changes<'c>(
    sample: Sample,
    earlier: Option<&Earlier>,
    mut changes: impl Iterator<Item = &'c Change>,
) -> Option<Vec<Finding>> {
    let mut body: Value = serde_json::from_str(sample.json()).ok()?;
    let earlier = match earlier {
        Some(earlier) => Some(sent(earlier)?),
        None => None,
    };
    let made = changes.all(|change| change.make(&mut body));
    made.then(|| of_json(sample.operation(), &body, earlier.as_slice()))
}

/// The record of the earlier document.
fn sent(earlier: &Earlier) -> Option<DocumentRecord> {
    let Earlier { sample, changes, status } = earlier;
    let mut body: Value = serde_json::from_str(sample.json()).ok()?;
    if !changes.iter().all(|change| change.make(&mut body)) {
        return None;
    }
    let Completed { document, warnings, .. } =
        completed(sample.operation(), &body, EARLIER_UUID, &[]).ok()?;
    let at = Timestamp::UNIX_EPOCH;
    let owner = (&TaxpayerId::floor(at), &OrganizationId::floor(at));
    let record = record::outbound(owner, &facts()?, at, &document, &warnings, Start::Sent);
    let rejection = MessageLevelStatus {
        code: StatusCode::Rejected,
        instance_id: "status-1".parse().ok()?,
        sender: "PAE000002".parse().ok()?,
        issued_at: at,
        received_at: at,
        description: None,
        findings: Vec::new(),
    };
    let message_level_status = (*status == Status::Rejected).then_some(rejection);
    Some(DocumentRecord { status: *status, message_level_status, ..record })
}

/// The facts that the earlier send fixed.
fn facts() -> Option<SendFacts> {
    let created_at = Timestamp::UNIX_EPOCH;
    Some(SendFacts {
        document_id: EARLIER.parse().ok()?,
        message_id: MessageId::from(EARLIER_UUID),
        uuid: EARLIER_UUID,
        created_at,
        queued: false,
        import: None,
    })
}

/// The findings of a body; `there` lists the earlier documents.
fn of_json(operation: Operation, body: &Value, there: &[DocumentRecord]) -> Vec<Finding> {
    let completed = match completed(operation, body, UUID, there) {
        Ok(completed) => completed,
        Err(findings) => return findings,
    };
    let earlier = uses(&completed.document, there);
    match completed.write() {
        Ok(prepared) => prepared.warn_of(&earlier).warnings,
        Err(refused) => refused.findings,
    }
}

fn completed(
    operation: Operation,
    body: &Value,
    uuid: Uuid,
    there: &[DocumentRecord],
) -> Result<Completed, Vec<Finding>> {
    let submission = match document::read(operation, body.to_string().as_bytes()) {
        Ok(submission) => submission,
        Err(ReadError::Invalid(findings)) => return Err(findings),
        // A `Value` is always valid JSON.
        Err(ReadError::Malformed(_)) => return Err(Vec::new()),
    };
    let taxpayer = Profile::from_json(TAXPAYER.as_bytes()).map_err(|_| Vec::new())?;
    let participant: ParticipantId = PARTICIPANT.parse().map_err(|_| Vec::new())?;
    let references = References::among(&submission, there);
    let issue = Issue { profile: &taxpayer, participant: &participant, today: TODAY, uuid };
    issue.complete(submission, references).map_err(pipeline::findings)
}

/// The number and UUID that an earlier document has used.
fn uses(document: &Document, there: &[DocumentRecord]) -> EarlierUses {
    let uuid = document.body.uuid.as_deref().and_then(|uuid| uuid.parse().ok());
    let first = |is_it: &dyn Fn(&DocumentRecord) -> bool| {
        there.iter().find(|earlier| is_it(earlier)).map(|earlier| earlier.document_id.clone())
    };
    EarlierUses {
        number: first(&|earlier| {
            earlier.operation == document.operation && earlier.number == document.number
        }),
        uuid: first(&|earlier| Some(earlier.uuid) == uuid),
        void: Vec::new(),
    }
}

/// The sample invoice, which maps places in UBL to fields of a body.
static NAMES: LazyLock<Option<Document>> = LazyLock::new(|| {
    let body = serde_json::from_str(Sample::Invoice.json()).ok()?;
    completed(Operation::Invoice, &body, UUID, &[]).ok().map(|completed| completed.document)
});

/// The findings of schema, rules and own checks in a UBL document, with the fields that its places come from. For a
/// received document, also the differences from its envelope.
pub(super) fn of_ubl(document: &str, is_received: bool) -> Vec<Finding> {
    if is_received {
        return ENVELOPE
            .as_ref()
            .map(|envelope| validate_inbound::findings(document.as_bytes(), envelope))
            .unwrap_or_default();
    }
    let Ok(tree) = xml::parse(document.as_bytes()) else { return Vec::new() };
    let verdict = validate::check(&tree, |node, missing| match &*NAMES {
        Some(names) => ubl::pointer(names, node, missing),
        None => String::new(),
    });
    let Ok(verdict) = verdict else { return Vec::new() };
    verdict.findings.into_iter().map(|found| found.finding).collect()
}

/// The envelope of the sample invoice in UBL, from its seller to its buyer.
static ENVELOPE: LazyLock<Option<Header>> = LazyLock::new(|| {
    Some(Header {
        sender: PARTICIPANT.parse().ok()?,
        receiver: RECIPIENT.parse().ok()?,
        instance_id: "6b7b6e4e-4f39-4b57-9d30-0d1a3b3f0a11".parse().ok()?,
        document: DocumentIdentification::new(DocumentType::INVOICE).ok()?,
        process: Process::BILLING,
        created_at: Timestamp::UNIX_EPOCH,
        country_c1: CountryCode::UAE,
        mls_to: None,
        mls_type: None,
        others: Default::default(),
    })
});

/// The findings of a file of invoices, or of its documents, after an earlier import if there is one.
pub(super) fn of_file(file: Vec<u8>, earlier: Option<&Imported>) -> Option<Vec<Finding>> {
    let operation = Operation::Invoice;
    let file = match import_tables::unpacked(file).and_then(|text| File::open(operation, text)) {
        Ok(file) => file,
        Err(found) => return Some(found),
    };
    let plain = |placed: Vec<Placed>| placed.into_iter().map(|placed| placed.finding);
    let of_body = |body: Result<Vec<u8>, Vec<Placed>>| match body {
        Ok(body) => {
            let body = serde_json::from_slice(&body);
            body.map(|body| of_json(operation, &body, &[])).unwrap_or_default()
        }
        Err(placed) => plain(placed).collect(),
    };
    let mut found: Vec<_> = (0..file.documents())
        .filter_map(|document| file.body(document))
        .flat_map(of_body)
        .collect();
    if let Some(earlier) = earlier {
        found.extend(plain(after(operation, &file, earlier)?));
    }
    Some(found)
}

/// The additional findings of an import because of the earlier one.
fn after(operation: Operation, file: &File, earlier: &Imported) -> Option<Vec<Placed>> {
    let body = earlier.body.to_string();
    let import_id = ImportId::floor(Timestamp::UNIX_EPOCH);
    let new = Sent {
        reply: Reply { status: 201, body: b"{}".to_vec() },
        replayed: false,
        document_id: DocumentId::floor(Timestamp::UNIX_EPOCH),
        import: Some(ImportedRow { import_id, row: file.rows(0)?.0 }),
    };
    let record = IdempotencyRecord {
        fingerprint: hex(&document::read(operation, body.as_bytes()).ok()?.fingerprint),
        facts: facts()?,
        owner: EARLIER_UUID,
        lease_until: Timestamp::UNIX_EPOCH,
        state: IdempotencyState::Saved { status: 201, body: "{}".to_owned() },
    };
    let earlier =
        imports::Earlier { body: body.as_bytes(), record, has_failed: earlier.has_failed };
    imports::found_after(operation, file, new, earlier)
}

/// The findings of a Live OAuth client.
pub(super) fn of_client(form: &[u8]) -> Option<Vec<Finding>> {
    #[derive(Deserialize)]
    struct Form {
        name: String,
        redirect_uris: Vec<String>,
        scopes: BTreeSet<Scope>,
    }
    let Form { name, redirect_uris, scopes } = serde_json::from_slice(form).ok()?;
    refused(clients::valid_settings(Mode::Live, &name, &redirect_uris, &scopes))
}

/// The findings of the body of a test event.
pub(super) fn of_test_event(body: &[u8]) -> Option<Vec<Finding>> {
    match webhook_bodies::test(body, Mode::Sandbox) {
        Ok((EventType::DocumentReported, outcome)) => {
            Some(samples::end(outcome.unwrap_or_default()).1)
        }
        result => refused(result),
    }
}

/// The findings of the command line in the body of an invoice, without a profile of the taxpayer.
pub(super) fn of_command_line(body: &[u8]) -> Vec<Finding> {
    let beside = Unregistered { taxpayer: None, today: TODAY, uuid: UUID, original: None };
    match document::complete_unregistered(Operation::Invoice, body, beside) {
        Ok((_, warnings)) => warnings,
        Err(findings) => findings,
    }
}

/// The findings of a refusal; `None` if it was refused for another reason.
pub(super) fn refused<T>(result: Result<T, Failure>) -> Option<Vec<Finding>> {
    match result {
        Ok(_) => Some(Vec::new()),
        Err(Failure { findings, .. }) => (!findings.is_empty()).then_some(findings),
    }
}
