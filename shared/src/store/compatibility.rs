//! Compatibility of records with other versions. `fixtures/` holds records as this version writes them. A later version
//! must read them, and this version must read what a later one may write.

use std::collections::BTreeSet;

use aws_sdk_dynamodb::types::AttributeValue;
use jiff::civil::date;
use serde::{Serialize, de::DeserializeOwned};
use serde_json::{Value, json};

use super::{
    Additions, Addressee, ApplicationMessage, ApplicationRecord, ApplicationStatus, ArchiveMessage,
    ArchiveOfPeriod, ArchiveRecord, AttemptOutcome, AttemptRecord, AwaitedOf, BusinessCardRecord,
    Carried, ColumnsRecord, DeletedEndpoint, DeliverMessage, DeliveryRecord, DeliveryStatus,
    DocumentRecord, DraftRecord, EndpointRecord, EventOfDocument, EventPointer, EventRecord,
    EventType, ExchangeCount, FailedDocument, IdempotencyRecord, IdempotencyState, ImportMessage,
    ImportRecord, LinkRecord, LinkUse, LogoRecord, MailMessage, MailRecord, MailStatus,
    MailSubject, MessageRecord, MessageStatus, MlsOutboundMessage, MlsOutboundRecord,
    MlsOutboundStatus, NoticeRecord, Payload, PeppolReportMessage, PeppolReportRecord,
    PeppolReportStatus, PortalCursor, Quota, Reached, Recipient, RegisterMessage,
    RegistrationRecord, RegistrationStatus, ReportMessage, RetirementPlace, SavedViews,
    SessionPointer, SessionRecord, SessionsRecord, StageMessage, Status, StatusCode, StatusEffect,
    StatusRecord, StoreError, Subject, Subscription, SweepRecord, TaxReportKind, TaxReportOutcome,
    TaxReportRecord, TaxReportRole, TaxReportStatus, TaxpayerSettings, TransmissionRecord,
    Transmitted, UsageRecord, ValidateInboundMessage,
    breakers::failing_since,
    daily_counts::days_of,
    dynamo::{Item, attribute, from_item, key_item, to_item},
    grants::access_of,
    idempotency,
    keys::Key,
    members::Membership,
    seats::Seats,
    subscriptions::{Remembered, Subscriber},
};
use crate::access::{
    Actor, ApiKey, Audience, AuditRecord, Connection, Grant, GrantStatus, KeyStatus, Member,
    Organization, Scope, Taxpayer, TaxpayerStatus,
    oauth::{
        AccessToken, AuthorizationCode, AuthorizationRequest, Decision, FamilyStatus, OAuthClient,
        RefreshToken, RevocationReason, TokenFamily,
    },
};

/// Parses a record as if it were read from the table.
fn read<T: DeserializeOwned>(record: &Value) -> Result<T, StoreError> {
    from_item(stored(record))
}

fn key() -> Key {
    Key { pk: "pk".to_owned(), sk: "sk".to_owned() }
}

/// A fixture as an item of the table.
fn stored(record: &Value) -> Item {
    let fields = record.as_object().unwrap().iter();
    let mut item: Item =
        fields.map(|(name, value)| (name.clone(), attribute(value.clone()))).collect();
    item.extend(key_item(key()));
    item
}

/// Checks that a fixture is read and written unchanged. It is also read with additions of a later version, and without
/// the attributes that an earlier version did not have.
fn check<T>(text: &str, optional: &[&str])
where
    T: DeserializeOwned + Serialize + PartialEq + std::fmt::Debug,
{
    let fixture: Value = serde_json::from_str(text).unwrap();
    let record: T = read(&fixture).unwrap();
    assert_eq!(to_item(key(), &record).unwrap(), stored(&fixture), "written as it was");
    let mut later = fixture.clone();
    later["later"] = json!({"of": ["a", {"newer": 1}], "version": null});
    assert_eq!(read::<T>(&later).unwrap(), record);
    let mut earlier = fixture.clone();
    for name in optional {
        assert!(earlier.as_object_mut().unwrap().remove(*name).is_some(), "{name}");
    }
    read::<T>(&earlier).unwrap();
}

#[test]
fn records_of_this_version_are_read_by_a_later_one_and_the_reverse() {
    check::<Organization>(include_str!("fixtures/organization.json"), &[]);
    check::<ApiKey>(include_str!("fixtures/api_key.json"), &["beginning", "last_used_at"]);
    check::<Taxpayer>(
        include_str!("fixtures/taxpayer.json"),
        &["email", "suspended_by", "confirmed"],
    );
    check::<MailRecord>(include_str!("fixtures/mail.json"), &["to", "lease", "tries"]);
    check::<MailRecord>(include_str!("fixtures/mail_onboarding.json"), &[]);
    check::<LinkRecord>(include_str!("fixtures/link.json"), &["application_id"]);
    let absent = ["verified", "confirmed", "digest", "taxpayer_id", "cause", "lease", "tries"];
    check::<ApplicationRecord>(include_str!("fixtures/application.json"), &absent);
    check::<PortalCursor>(include_str!("fixtures/portal_cursor.json"), &[]);
    check::<LinkUse>(include_str!("fixtures/link_use.json"), &[]);
    check::<SessionRecord>(include_str!("fixtures/session.json"), &["user_agent"]);
    check::<SessionRecord>(include_str!("fixtures/session_member.json"), &["user_agent"]);
    check::<Member>(
        include_str!("fixtures/member.json"),
        &["joined_at", "notifications", "language"],
    );
    check::<MailRecord>(include_str!("fixtures/mail_invited.json"), &[]);
    check::<MailRecord>(include_str!("fixtures/mail_endpoint_disabled.json"), &[]);
    check::<MailRecord>(include_str!("fixtures/mail_notification.json"), &[]);
    check::<MailRecord>(include_str!("fixtures/mail_access_revoked.json"), &[]);
    check::<NoticeRecord>(include_str!("fixtures/notice.json"), &["arrivals", "mentioned"]);
    check::<SessionPointer>(include_str!("fixtures/session_pointer.json"), &[]);
    check::<SessionsRecord>(include_str!("fixtures/sessions.json"), &[]);
    let absent = ["grant_label", "external_id", "application", "tokens_ended_at"];
    check::<Grant>(include_str!("fixtures/grant.json"), &absent);
    check::<Grant>(include_str!("fixtures/grant_revoked.json"), &["revoked_at", "revoked_by"]);
    check::<Connection>(include_str!("fixtures/connection.json"), &["metadata"]);
    check::<TaxpayerSettings>(
        include_str!("fixtures/settings.json"),
        &["language", "mls_to", "notification_email", "version", "updated_at"],
    );
    check::<SweepRecord>(include_str!("fixtures/sweep.json"), &["due_since", "seen_at"]);
    check::<LogoRecord>(include_str!("fixtures/logo.json"), &[]);
    check::<OAuthClient>(include_str!("fixtures/client.json"), &["scopes"]);
    let absent = ["application", "state", "tin_hint", "grant_label", "external_id", "decision"];
    check::<AuthorizationRequest>(include_str!("fixtures/authorization_request.json"), &absent);
    check::<AuthorizationCode>(include_str!("fixtures/authorization_code.json"), &["used_for"]);
    check::<AccessToken>(include_str!("fixtures/access_token.json"), &[]);
    check::<RefreshToken>(include_str!("fixtures/refresh_token.json"), &[]);
    check::<TokenFamily>(include_str!("fixtures/token_family.json"), &["revoked_for"]);
    check::<Recipient>(include_str!("fixtures/recipient.json"), &[]);
    check::<Transmitted>(include_str!("fixtures/transmitted.json"), &["report_id"]);
    check::<Membership>(include_str!("fixtures/membership.json"), &[]);
    check::<AuditRecord>(include_str!("fixtures/audit.json"), &["ip", "user_agent", "request_id"]);
    let absent = ["seats", "as_of", "confirmed_at", "version"];
    check::<Subscription>(include_str!("fixtures/subscription.json"), &absent);
    check::<Seats>(include_str!("fixtures/seats.json"), &[]);
    check::<Remembered>(include_str!("fixtures/billing_event.json"), &[]);
    check::<Subscriber>(include_str!("fixtures/subscriber.json"), &[]);
    check::<Quota>(include_str!("fixtures/quota.json"), &["most", "day", "taken"]);
    let absent =
        ["event_types", "taxpayer_ids", "description", "disabled", "previous_secret", "version"];
    check::<EndpointRecord>(include_str!("fixtures/endpoint.json"), &absent);
    check::<Additions>(include_str!("fixtures/endpoint_additions.json"), &["endpoint_ids"]);
    let absent = ["reached", "awaits"];
    check::<EventRecord>(include_str!("fixtures/event_document.json"), &absent);
    check::<FailedDocument>(include_str!("fixtures/failed_document.json"), &[]);
    check::<AwaitedOf>(include_str!("fixtures/awaited.json"), &[]);
    check::<EventRecord>(include_str!("fixtures/event_taxpayer.json"), &[]);
    check::<EventRecord>(include_str!("fixtures/event_connection.json"), &[]);
    let absent = [
        "organization_id",
        "due_date",
        "ubl",
        "envelope",
        "request",
        "lease",
        "tries",
        "unanswered",
        "message_level_status",
        "reporting",
        "later_reports",
        "corrected_by",
    ];
    check::<DocumentRecord>(include_str!("fixtures/document.json"), &absent);
    let absent = ["event_type", "test", "restarted", "lease", "results"];
    check::<DeliveryRecord>(include_str!("fixtures/delivery.json"), &absent);
    check::<EventPointer>(include_str!("fixtures/event_pointer.json"), &["document_id", "test"]);
    check::<DeletedEndpoint>(include_str!("fixtures/deleted_endpoint.json"), &[]);
    check::<EventOfDocument>(include_str!("fixtures/event_of_document.json"), &["reached"]);
    check::<AttemptRecord>(include_str!("fixtures/attempt.json"), &["answer"]);
    check::<IdempotencyRecord>(include_str!("fixtures/idempotency.json"), &[]);
    check::<IdempotencyRecord>(include_str!("fixtures/idempotency_import.json"), &["import"]);
    check::<idempotency::Stub>(include_str!("fixtures/idempotency_retired.json"), &[]);
    check::<RetirementPlace>(include_str!("fixtures/retirement_place.json"), &["after"]);
    check::<ImportRecord>(
        include_str!("fixtures/import.json"),
        &["name", "lease", "tries", "parts"],
    );
    check::<ImportRecord>(include_str!("fixtures/import_completed.json"), &["result"]);
    check::<DraftRecord>(include_str!("fixtures/draft.json"), &[]);
    check::<ColumnsRecord>(include_str!("fixtures/import_columns.json"), &[]);
    check::<SavedViews>(include_str!("fixtures/saved_views.json"), &[]);
    check::<ArchiveRecord>(
        include_str!("fixtures/archive.json"),
        &["organization_id", "lease", "tries", "parts", "upload", "position"],
    );
    check::<ArchiveRecord>(include_str!("fixtures/archive_completed.json"), &["bytes"]);
    check::<ArchiveOfPeriod>(include_str!("fixtures/archive_of_period.json"), &[]);
    let absent = ["message", "envelope", "receipt", "lease", "tries"];
    check::<MessageRecord>(include_str!("fixtures/message.json"), &absent);
    check::<Payload>(include_str!("fixtures/payload_part.json"), &["part"]);
    check::<Payload>(include_str!("fixtures/payload_of_tar.json"), &["part"]);
    check::<StatusRecord>(include_str!("fixtures/status.json"), &["effect"]);
    let absent = ["code", "sent_at", "lease", "tries"];
    check::<MlsOutboundRecord>(include_str!("fixtures/answer.json"), &absent);
    let absent = ["services", "migration_key", "cause", "lease", "tries"];
    check::<RegistrationRecord>(include_str!("fixtures/registration.json"), &absent);
    check::<BusinessCardRecord>(include_str!("fixtures/business_card.json"), &[]);
    check::<ExchangeCount>(include_str!("fixtures/exchange_count.json"), &[]);
    let absent =
        ["envelope", "message", "receipt", "carries", "report_id", "reported", "report_message_id"];
    check::<TransmissionRecord>(include_str!("fixtures/transmission.json"), &absent);
    let absent = [
        "supersedes_id",
        "transport_header_id",
        "begun_at",
        "turn",
        "authority",
        "tax_data",
        "submitted_at",
        "verdict",
        "reasons",
        "lease",
        "tries",
    ];
    check::<TaxReportRecord>(include_str!("fixtures/tax_report.json"), &absent);
    check::<UsageRecord>(include_str!("fixtures/usage.json"), &[]);
    let absent = ["begun_at", "ended_at", "reason", "lease", "tries"];
    check::<PeppolReportRecord>(include_str!("fixtures/peppol_report.json"), &absent);
}

/// Functions of two versions share the queues during a deployment.
#[test]
fn queue_messages_of_other_versions_are_read_and_written_as_they_were() {
    fn check<T: DeserializeOwned + Serialize>(
        messages: &mut serde_json::Map<String, Value>,
        name: &str,
    ) {
        let fixture = messages.remove(name).unwrap();
        let message: T = serde_json::from_value(fixture.clone()).unwrap();
        assert_eq!(serde_json::to_value(&message).unwrap(), fixture, "{name}");
        let mut later = fixture;
        later["later"] = json!({"newer": 1});
        serde_json::from_value::<T>(later).unwrap();
    }
    let fixture = serde_json::from_str(include_str!("fixtures/queue_messages.json"));
    let messages: &mut serde_json::Map<String, Value> = &mut fixture.unwrap();
    check::<StageMessage>(messages, "stage");
    check::<DeliverMessage>(messages, "deliver");
    check::<DeliverMessage>(messages, "deliver_first");
    check::<ValidateInboundMessage>(messages, "judge");
    check::<MlsOutboundMessage>(messages, "answer");
    check::<RegisterMessage>(messages, "register");
    check::<ApplicationMessage>(messages, "application");
    check::<ReportMessage>(messages, "report");
    check::<PeppolReportMessage>(messages, "monthly");
    check::<ImportMessage>(messages, "import");
    check::<ArchiveMessage>(messages, "archive");
    check::<MailMessage>(messages, "mail");
    assert!(messages.is_empty(), "{messages:?}");
}

#[test]
fn the_tallies_of_a_week_are_read_with_what_a_later_version_counts_beside_them() {
    let fixture: Value = serde_json::from_str(include_str!("fixtures/tally.json")).unwrap();
    let week = date(2026, 11, 16);
    let days = days_of(week, &stored(&fixture)).unwrap();
    let counts = |at: usize| Reached::ALL.map(|reached| days[at].of(reached));
    assert_eq!(days.iter().map(|it| it.day.day()).collect::<Vec<_>>(), [16, 20]);
    assert_eq!(counts(0), [1, 2, 3, 4, 5, 0, 0, 0, 0, 0]);
    assert_eq!(counts(1), [0, 0, 0, 0, 0, 6, 7, 8, 9, 10]);
    let mut later = fixture.clone();
    for (name, value) in [("0zz", json!(1)), ("later", json!({"0se": 1}))] {
        later[name] = value;
    }
    assert_eq!(days_of(week, &stored(&later)).unwrap(), days);
}

/// These items are written attribute by attribute.
#[test]
fn who_may_act_for_a_taxpayer_and_what_an_endpoint_did_are_read_from_other_versions() {
    let mut access: Value = serde_json::from_str(include_str!("fixtures/access.json")).unwrap();
    let known = access_of(Some(stored(&access))).unwrap();
    let [grant] = known.grants.as_slice() else { panic!("{known:?}") };
    let used = "2026-11-20T09:00:00Z".parse().unwrap();
    assert_eq!((known.version, known.used.get(&grant.grant_id)), (3, Some(&used)));
    access["later"] = json!({"of": ["a"]});
    assert_eq!(access_of(Some(stored(&access))).unwrap(), known);
    access.as_object_mut().unwrap().remove("used");
    assert_eq!(access_of(Some(stored(&access))).unwrap().grants, known.grants);

    let mut breaker: Value = serde_json::from_str(include_str!("fixtures/gate.json")).unwrap();
    breaker["later"] = json!(1);
    let mut item = stored(&breaker);
    let holder = "2026-11-20T08:01:00.000Z 0a".to_owned();
    item.insert("holders".to_owned(), AttributeValue::Ss(vec![holder]));
    let since = "2026-11-20T08:00:00Z".parse().unwrap();
    assert_eq!(failing_since(item).unwrap(), Some(since));
    assert_eq!(failing_since(stored(&json!({}))).unwrap(), None);
}

#[test]
fn a_subscription_of_before_there_were_seats_is_for_any_number_and_an_operators() {
    let before = include_str!("fixtures/subscription_before.json");
    let before: Subscription = read(&serde_json::from_str(before).unwrap()).unwrap();
    assert_eq!(before, Subscription { active: true, ..Subscription::default() });
}

/// A fixture with a value that only a later version knows.
fn with<T: DeserializeOwned>(text: &str, name: &str, value: Value) -> T {
    let mut record: Value = serde_json::from_str(text).unwrap();
    record[name] = value;
    read(&record).unwrap()
}

#[test]
fn words_of_a_later_version_are_read_as_unknown() {
    let key: ApiKey = with(include_str!("fixtures/api_key.json"), "status", json!("suspended"));
    assert_eq!(key.status, KeyStatus::Unknown);
    let key: ApiKey = with(include_str!("fixtures/api_key.json"), "created_by", json!("usr_1"));
    assert_eq!(key.created_by, Actor::Unknown("usr_1".to_owned()));
    let status = json!("dissolved");
    let taxpayer: Taxpayer = with(include_str!("fixtures/taxpayer.json"), "status", status);
    assert_eq!(taxpayer.status, TaxpayerStatus::Unknown);
    // The value of an earlier version.
    let inactive: Taxpayer =
        with(include_str!("fixtures/taxpayer.json"), "status", json!("inactive"));
    assert_eq!(inactive.status, TaxpayerStatus::Suspended);
    let grant: Grant = with(include_str!("fixtures/grant.json"), "status", json!("paused"));
    assert_eq!(grant.status, GrantStatus::Unknown);
    let scopes = json!(["invoices:read", "reports:read", "reports:write"]);
    let grant: Grant = with(include_str!("fixtures/grant.json"), "scopes", scopes);
    assert_eq!(grant.scopes, BTreeSet::from([Scope::InvoicesRead, Scope::Unknown]));
    let event = include_str!("fixtures/event_document.json");
    let newer: EventRecord = with(event, "event_type", json!("document.archived"));
    assert_eq!(newer.event_type, EventType::Unknown);
    let newer: EventRecord = with(event, "subject", json!({"kind": "filing", "filing_id": "f"}));
    assert_eq!((newer.subject.clone(), newer.document_id()), (Subject::Unknown, None));
    let newer: EventRecord = with(event, "audience", json!({"to": "members", "roles": ["owner"]}));
    assert_eq!(newer.audience, Audience::Unknown);
    let grants: Vec<Grant> =
        vec![read(&serde_json::from_str(include_str!("fixtures/grant.json")).unwrap()).unwrap()];
    assert!(newer.concerned(&grants).is_empty(), "nobody is notified of it by guess");
}

#[test]
fn what_a_later_version_has_begun_is_left_to_it() {
    // The specification fixes the four operations and two directions.
    let document = include_str!("fixtures/document.json");
    let reported: DocumentRecord = with(document, "status", json!("reported"));
    assert_eq!((reported.status, reported.status.as_str()), (Status::Unknown, "unknown"));
    let held: DeliveryRecord =
        with(include_str!("fixtures/delivery.json"), "status", json!("held"));
    assert_eq!(held.status, DeliveryStatus::Unknown);
    let held: MessageRecord = with(include_str!("fixtures/message.json"), "status", json!("held"));
    assert_eq!(held.status, MessageStatus::Unknown);
    let paused = json!("paused");
    let paused: RegistrationRecord =
        with(include_str!("fixtures/registration.json"), "status", paused);
    assert!(paused.status == RegistrationStatus::Unknown && !paused.status.is_served());
    let family = include_str!("fixtures/token_family.json");
    let held: TokenFamily = with(family, "status", json!("held"));
    assert_eq!(held.status, FamilyStatus::Unknown);
    let held: TokenFamily = with(family, "revoked_for", json!("held"));
    assert_eq!(held.revoked_for, Some(RevocationReason::Unknown));
    let request = include_str!("fixtures/authorization_request.json");
    let held: AuthorizationRequest = with(request, "decision", json!({"decided": "later"}));
    assert_eq!(held.decision, Some(Decision::Unknown));
    let held: MailRecord = with(include_str!("fixtures/mail.json"), "status", json!("held"));
    assert_eq!(held.status, MailStatus::Unknown);
    let about = json!({"about": "invoice", "number": "A-1"});
    let held: MailRecord = with(include_str!("fixtures/mail.json"), "subject", about);
    assert_eq!(held.subject, MailSubject::Unknown);
    let held: ApplicationRecord =
        with(include_str!("fixtures/application.json"), "status", json!("held"));
    assert_eq!(held.status, ApplicationStatus::Unknown);
    let elsewhere = json!({"kind": "archive", "archive_id": "a"});
    let held: MessageRecord = with(include_str!("fixtures/message.json"), "addressee", elsewhere);
    assert_eq!(held.addressee, Addressee::Unknown);
    let kept: StatusRecord =
        with(include_str!("fixtures/status.json"), "effect", json!("forwarded"));
    assert_eq!(kept.effect, Some(StatusEffect::Unknown));
    let mut sent: Value = serde_json::from_str(include_str!("fixtures/transmission.json")).unwrap();
    sent["attempts"][0]["outcome"] = json!("forwarded");
    let sent: TransmissionRecord = read(&sent).unwrap();
    assert_eq!(sent.attempts[0].outcome, Some(AttemptOutcome::Unknown));
    let answer = include_str!("fixtures/answer.json");
    let held: MlsOutboundRecord = with(answer, "status", json!("held"));
    assert_eq!(held.status, MlsOutboundStatus::Unknown);
    let sent: TransmissionRecord =
        with(include_str!("fixtures/transmission.json"), "carries", json!("archive"));
    assert_eq!(sent.carries, Carried::Unknown);
    let peppol_report = include_str!("fixtures/peppol_report.json");
    let held: PeppolReportRecord = with(peppol_report, "status", json!("held"));
    assert!(held.status == PeppolReportStatus::Unknown && !held.status.is_ended());
    let tax_report = include_str!("fixtures/tax_report.json");
    let held: TaxReportRecord = with(tax_report, "status", json!("held"));
    assert_eq!((held.status, held.status.outcome()), (TaxReportStatus::Unknown, None));
    let held: TaxReportRecord = with(tax_report, "kind", json!("X"));
    assert_eq!(held.kind, TaxReportKind::Unknown);
    let held: TaxReportRecord = with(tax_report, "role", json!("03"));
    assert_eq!(held.role, TaxReportRole::Unknown);
    let reporting = json!({
        "report_id": "rep_1", "kind": "S", "outcome": "ARCHIVED",
        "updated_at": "2026-11-20T08:00:00.000Z",
    });
    let shown: DocumentRecord = with(document, "reporting", reporting);
    assert_eq!(shown.reporting.unwrap().outcome, Some(TaxReportOutcome::Unknown));
    let held: MlsOutboundRecord = with(answer, "code", json!("AQ"));
    assert_eq!(held.code, Some(StatusCode::Unknown));
    let mut key: Value = serde_json::from_str(include_str!("fixtures/idempotency.json")).unwrap();
    key["state"] = json!("transmitted");
    let key: IdempotencyRecord = read(&key).unwrap();
    assert_eq!(key.state, IdempotencyState::Unknown("transmitted".to_owned()));
}

#[test]
fn an_endpoint_that_wants_types_of_a_later_version_gets_those_that_are_known_alone() {
    let text = include_str!("fixtures/endpoint.json");
    let types = json!(["document.sent", "document.archived"]);
    let endpoint: EndpointRecord = with(text, "event_types", types);
    let takes = |endpoint: &EndpointRecord, event_type| {
        let event =
            read(&serde_json::from_str(include_str!("fixtures/event_document.json")).unwrap());
        endpoint.takes(&EventRecord { event_type, ..event.unwrap() })
    };
    assert!(takes(&endpoint, EventType::DocumentSent));
    assert!(!takes(&endpoint, EventType::DocumentStatus) && !takes(&endpoint, EventType::Unknown));
    let paused: EndpointRecord = with(text, "status", json!("paused"));
    assert!(!takes(&paused, EventType::DocumentSent));
}

#[test]
fn an_unknown_word_is_never_written_back_as_something_else() {
    let grant: Grant = with(include_str!("fixtures/grant.json"), "status", json!("paused"));
    assert!(to_item(key(), &grant).is_err());
    let document = include_str!("fixtures/document.json");
    let document: DocumentRecord = with(document, "status", json!("reported"));
    assert!(to_item(key(), &document).is_err());
    let transmission = include_str!("fixtures/transmission.json");
    let transmission: TransmissionRecord = with(transmission, "carries", json!("archive"));
    assert!(to_item(key(), &transmission).is_err());
}
