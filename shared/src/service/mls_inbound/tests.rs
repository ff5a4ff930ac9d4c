use super::*;
use crate::store::{TransmissionAttempt, TransmissionRecord};

fn document(status: Status) -> DocumentRecord {
    let fixture = include_str!("../../store/fixtures/document.json");
    DocumentRecord { status, ..serde_json::from_str(fixture).unwrap() }
}

fn attempts(outcomes: &[(&str, Option<AttemptOutcome>)]) -> Option<TransmissionRecord> {
    let fixture = include_str!("../../store/fixtures/transmission.json");
    let mut record: TransmissionRecord = serde_json::from_str(fixture).unwrap();
    let attempt = |(seat, outcome): &(&str, Option<AttemptOutcome>)| TransmissionAttempt {
        receiver: Some((*seat).to_owned()),
        message_id: Some("1@our.test".to_owned()),
        outcome: *outcome,
        ..record.attempts[0].clone()
    };
    record.attempts = outcomes.iter().map(attempt).collect();
    Some(record)
}

fn effect_of(ours: &Ours, signer: &str, sender: &str, says: &str) -> StatusEffect {
    let (signer, sender) = (signer.parse().unwrap(), sender.parse().unwrap());
    effect(ours, (&signer, &sender, &says.parse().unwrap())).unwrap()
}

#[test]
fn what_a_status_of_the_right_provider_does_hangs_on_the_documents_status() {
    for (status, expected) in [
        (Status::Accepted, StatusEffect::Early),
        (Status::Converted, StatusEffect::Early),
        (Status::Dispatching, StatusEffect::Early),
        (Status::Sent, StatusEffect::Applied),
        (Status::Unconfirmed, StatusEffect::Applied),
        (Status::Failed, StatusEffect::Late),
        (Status::Delivered, StatusEffect::Second),
        (Status::Forwarded, StatusEffect::Second),
        (Status::Rejected, StatusEffect::Second),
        (Status::Received, StatusEffect::NoDocument),
    ] {
        let transmission = attempts(&[("PAE000002", Some(AttemptOutcome::Received))]);
        let ours = Ours { document: document(status), transmission };
        let found = effect_of(&ours, "PAE000002", "0242:000002", "0242:000002");
        assert_eq!(found, expected, "{status:?}");
    }
}

#[test]
fn a_status_is_foreign_unless_signer_envelope_and_document_are_of_who_has_the_document() {
    let transmission = attempts(&[("PAE000002", Some(AttemptOutcome::Received))]);
    let ours = Ours { document: document(Status::Sent), transmission };
    for (signer, sender, says, expected) in [
        ("PAE000002", "0242:000002", "0242:000002-MLS", StatusEffect::Applied),
        // Seats of one provider differ only in their country.
        ("POP000002", "0242:000002-MLS.A-1", "0242:000002", StatusEffect::Applied),
        ("PAE000003", "0242:000002", "0242:000002", StatusEffect::Foreign),
        ("PAE000002", "0242:000003", "0242:000002", StatusEffect::Foreign),
        ("PAE000002", "0235:1001234501", "0242:000002", StatusEffect::Foreign),
        ("PAE000002", "0242:000002", "0242:000003", StatusEffect::Foreign),
        ("PAE000003", "0242:000003", "0242:000003", StatusEffect::Foreign),
    ] {
        assert_eq!(effect_of(&ours, signer, sender, says), expected, "{signer} {sender} {says}");
    }
    let nowhere = Ours { transmission: None, ..ours };
    let found = effect_of(&nowhere, "PAE000002", "0242:000002", "0242:000002");
    assert_eq!(found, StatusEffect::Foreign, "what went nowhere is nobody's");
}

#[test]
fn who_has_a_document_is_who_said_so_or_else_who_may_have_taken_it() {
    use AttemptOutcome::{Deferred, Duplicate, Received, Refused, Unconfirmed, Unreachable};
    let seats = |outcomes: &[(&str, Option<AttemptOutcome>)]| {
        let ours = Ours { document: document(Status::Sent), transmission: attempts(outcomes) };
        holders(&ours).map(|seat| seat.as_str()[8..].to_owned()).collect::<Vec<_>>().concat()
    };
    let (a, b, c) = ("PAE000001", "PAE000002", "PAE000003");
    assert_eq!(seats(&[(a, Some(Unconfirmed)), (b, Some(Received))]), "2");
    assert_eq!(seats(&[(a, Some(Unconfirmed)), (b, None), (c, Some(Refused))]), "12");
    assert_eq!(seats(&[(a, Some(Unconfirmed)), (a, Some(Duplicate)), (b, None)]), "1");
    assert_eq!(seats(&[(a, Some(Unreachable)), (b, Some(Deferred)), (c, Some(Refused))]), "");
}

#[test]
fn an_early_status_waits_longer_each_time_and_two_days_and_two_hours_in_all() {
    let came = Timestamp::UNIX_EPOCH;
    let (mut now, mut waits) = (came, Vec::new());
    while let Some(next) = next_look(came, now) {
        waits.push(next.duration_since(now).as_mins());
        now = next;
    }
    assert_eq!(waits[..9], [1, 1, 2, 4, 8, 16, 32, 60, 60]);
    assert!(waits.len() < 64 && now >= later(came, LONGEST_WAIT), "{waits:?}");
}
