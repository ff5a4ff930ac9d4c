//! The status message as a whole: its type, its sender and its receiver.

use crate::rules::shapes::ends_in_zone;
use crate::rules::xpath::{has_text, normalized};
use crate::rules::{Group, Rule};
use crate::xml::names::{attr, cac, cbc};
use crate::xml::{Name, Node};

/// The path to the sender's identifier.
const SENDER: &[Name] = &[cac::SENDER_PARTY, cbc::ENDPOINT_ID];
/// The path to the receiver's identifier.
const RECEIVER: &[Name] = &[cac::RECEIVER_PARTY, cbc::ENDPOINT_ID];

/// `/ubl:ApplicationResponse`
pub(super) const MESSAGE: Group<()> = &[
    Rule {
        id: "SCH-MLS-01",
        term: "",
        about: &[cbc::CUSTOMIZATION_ID],
        message: "The specification is not that of the Message Level Status.",
        fix: "Write urn:peppol:edec:mls:1.0.",
        holds: |message, _| {
            normalized(message.all(cbc::CUSTOMIZATION_ID)).as_deref()
                == Ok("urn:peppol:edec:mls:1.0")
        },
    },
    Rule {
        id: "SCH-MLS-02",
        term: "",
        about: &[cbc::PROFILE_ID],
        message: "The process is not that of the Message Level Status.",
        fix: "Write urn:peppol:edec:mls.",
        holds: |message, _| {
            normalized(message.all(cbc::PROFILE_ID)).as_deref() == Ok("urn:peppol:edec:mls")
        },
    },
    Rule {
        id: "SCH-MLS-03",
        term: "",
        about: &[cbc::ID],
        message: "The message has no identifier.",
        fix: "Give the message an identifier of its own, such as a UUID.",
        holds: |message, _| has_text(message.all(cbc::ID)),
    },
    Rule {
        id: "SCH-MLS-04",
        term: "",
        about: &[cbc::ISSUE_DATE],
        message: "The date of the message is missing, or has a time zone.",
        fix: "Write only the date, as YYYY-MM-DD.",
        holds: |message, _| {
            normalized(message.all(cbc::ISSUE_DATE)).is_ok_and(|date| date.chars().count() == 10)
        },
    },
    Rule {
        id: "SCH-MLS-05",
        term: "",
        about: &[cbc::ISSUE_TIME],
        message: "The time of the message is missing.",
        fix: "Write the time with its zone, such as 12:30:00+04:00 or 08:30:00Z.",
        holds: |message, _| message.child(cbc::ISSUE_TIME).is_some(),
    },
    Rule {
        id: "SCH-MLS-06",
        term: "",
        about: &[cbc::ISSUE_TIME],
        message: "The time of the message has no time zone.",
        fix: "Write the time with its zone, such as 12:30:00+04:00 or 08:30:00Z.",
        holds: |message, _| {
            normalized(message.all(cbc::ISSUE_TIME)).is_ok_and(|time| ends_in_zone(&time))
        },
    },
    Rule {
        id: "SCH-MLS-07",
        term: "",
        about: SENDER,
        message: "The sender has no identifier.",
        fix: "Give the service provider identifier of the sender.",
        holds: |message, _| message.find(SENDER).is_some(),
    },
    Rule {
        id: "SCH-MLS-08",
        term: "",
        about: SENDER,
        message: "The identifier of the sender is empty.",
        fix: "Give the service provider identifier of the sender.",
        holds: |message, _| has_text(message.select(SENDER)),
    },
    Rule {
        id: "SCH-MLS-09",
        term: "",
        about: SENDER,
        message: "The identifier of the sender is not that of a service provider.",
        fix: "Give six digits, such as 000100, with a use case where there is one.",
        holds: |message, _| {
            normalized(message.select(SENDER)).is_ok_and(|id| is_service_provider(&id))
        },
    },
    Rule {
        id: "SCH-MLS-10",
        term: "",
        about: SENDER,
        message: "The identifier of the sender has no scheme.",
        fix: "Give the scheme 0242.",
        holds: |message, _| schemes(message, SENDER).next().is_some(),
    },
    Rule {
        id: "SCH-MLS-11",
        term: "",
        about: SENDER,
        message: "The scheme of the sender's identifier is not that of service providers.",
        fix: "Give the scheme 0242.",
        holds: |message, _| schemes(message, SENDER).any(|scheme| scheme == "0242"),
    },
    Rule {
        id: "SCH-MLS-12",
        term: "",
        about: RECEIVER,
        message: "The receiver has no identifier.",
        fix: "Give the service provider identifier of the receiver.",
        holds: |message, _| message.find(RECEIVER).is_some(),
    },
    Rule {
        id: "SCH-MLS-13",
        term: "",
        about: RECEIVER,
        message: "The identifier of the receiver is empty.",
        fix: "Give the service provider identifier of the receiver.",
        holds: |message, _| has_text(message.select(RECEIVER)),
    },
    Rule {
        id: "SCH-MLS-14",
        term: "",
        about: RECEIVER,
        message: "The identifier of the receiver is not that of a service provider.",
        fix: "Give six digits, such as 000100, with a use case where there is one.",
        holds: |message, _| {
            normalized(message.select(RECEIVER)).is_ok_and(|id| is_service_provider(&id))
        },
    },
    Rule {
        id: "SCH-MLS-15",
        term: "",
        about: RECEIVER,
        message: "The identifier of the receiver has no scheme.",
        fix: "Give the scheme 0242.",
        holds: |message, _| schemes(message, RECEIVER).next().is_some(),
    },
    Rule {
        id: "SCH-MLS-16",
        term: "",
        about: RECEIVER,
        message: "The scheme of the receiver's identifier is not that of service providers.",
        fix: "Give the scheme 0242.",
        holds: |message, _| schemes(message, RECEIVER).any(|scheme| scheme == "0242"),
    },
    Rule {
        id: "SCH-MLS-17",
        term: "",
        about: &[cac::DOCUMENT_RESPONSE],
        message: "The message does not answer exactly one document.",
        fix: "Answer each document in a message of its own.",
        holds: |message, _| message.all(cac::DOCUMENT_RESPONSE).count() == 1,
    },
];

fn schemes<'d>(message: Node<'d>, way: &'static [Name]) -> impl Iterator<Item = &'d str> {
    message.select(way).filter_map(|id| id.attribute(attr::SCHEME_ID))
}

/// `^[0-9]{6}(-[0-9A-Z_]{3,12}(\.[0-9A-Z\-._~]{3,24})?)?$`, case-insensitive: six digits, a use case, a suffix of the
/// use case.
fn is_service_provider(text: &str) -> bool {
    let (number, rest) = text.split_once('-').map_or((text, None), |(n, rest)| (n, Some(rest)));
    let six_digits = number.len() == 6 && number.bytes().all(|byte| byte.is_ascii_digit());
    six_digits
        && rest.is_none_or(|rest| match rest.split_once('.') {
            None => is_made_of(rest, 3, 12, "_"),
            Some((case, suffix)) => {
                is_made_of(case, 3, 12, "_") && is_made_of(suffix, 3, 24, "-._~")
            }
        })
}

/// Whether the text has a length between `least` and `most` and consists of digits, letters and `others`.
fn is_made_of(text: &str, least: usize, most: usize, others: &str) -> bool {
    // Characters that equal S, K or I in a case-insensitive match: ſ, the kelvin sign, dotted and dotless i.
    let is_letter = |c: char| {
        c.is_ascii_alphanumeric() || matches!(c, '\u{17F}' | '\u{212A}' | '\u{130}' | '\u{131}')
    };
    let length = text.chars().take(most + 1).count();
    (least..=most).contains(&length) && text.chars().all(|c| is_letter(c) || others.contains(c))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_service_provider_has_six_digits_and_maybe_a_use_case() {
        for id in
            ["000100", "123456-MLS", "123456-mls_1", "123456-MLS.a-b.c~", "123456-\u{17F}\u{212A}i"]
        {
            assert!(is_service_provider(id), "{id}");
        }
        let long = format!("123456-MLS.{}", "x".repeat(25));
        for id in [
            "",
            "00010",
            "0001000",
            "12345a",
            "123456-",
            "123456-ML",
            "123456-MLS.",
            "123456-MLS.ab",
            "123456-ABCDEFGHIJKLM",
            "123456-M-S",
            "123456.MLS",
            " 123456",
            &long,
        ] {
            assert!(!is_service_provider(id), "{id}");
        }
    }
}
