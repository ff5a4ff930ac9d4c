//! What became of a document, as its rendering says it.

use jiff::{Timestamp, tz};

use crate::i18n::{self, Language, Value, figures};

/// The hours of the UAE before UTC.
const UAE: i8 = 4;

/// The state of a document, and since when it has it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Standing {
    /// The state.
    pub state: State,
    /// When the document came into the state.
    pub at: Timestamp,
}

/// The states that a reader of an invoice can use.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum State {
    /// Sent, without an answer of the recipient's access point.
    Sent,
    /// Delivered to the recipient's access point.
    Delivered,
    /// Delivered, and reported to the tax authority.
    DeliveredAndReported,
    /// Received from the network.
    Received,
    /// Received, and reported to the tax authority.
    ReceivedAndReported,
    /// Reported to the tax authority; the recipient is not in the network.
    Reported,
    /// Refused by the recipient's access point.
    Rejected,
    /// Not delivered.
    Failed,
}

impl State {
    /// All states.
    pub const ALL: [State; 8] = [
        State::Sent,
        State::Delivered,
        State::DeliveredAndReported,
        State::Received,
        State::ReceivedAndReported,
        State::Reported,
        State::Rejected,
        State::Failed,
    ];

    /// The name of its message.
    pub(crate) fn message(self) -> &'static str {
        match self {
            State::Sent => "paper-state-sent",
            State::Delivered => "paper-state-delivered",
            State::DeliveredAndReported => "paper-state-delivered-reported",
            State::Received => "paper-state-received",
            State::ReceivedAndReported => "paper-state-received-reported",
            State::Reported => "paper-state-reported",
            State::Rejected => "paper-state-rejected",
            State::Failed => "paper-state-failed",
        }
    }
}

impl Standing {
    /// The state with its time in the UAE.
    pub(super) fn text(&self, language: Language) -> String {
        let there = tz::Offset::constant(UAE).to_datetime(self.at);
        let time = figures::second(language, there);
        let state = i18n::text(language, self.state.message(), &[]);
        let values = [("state", Value::Text(&state)), ("time", Value::Text(&time))];
        // The isolates of the messages are characters that a copy would have.
        i18n::text(language, "paper-state", &values).replace(['\u{2068}', '\u{2069}'], "")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_state_is_told_with_the_time_of_the_uae() {
        let at = "2026-11-25T02:18:42Z".parse().unwrap();
        let standing = Standing { state: State::DeliveredAndReported, at };
        let english = standing.text(Language::English);
        assert_eq!(english, "Delivered and reported · 25 Nov 2026, 06:18:42 GST");
        for state in State::ALL {
            let arabic = Standing { state, at }.text(Language::Arabic);
            assert!(arabic.contains("06:18:42") && !arabic.contains("paper-"), "{arabic}");
        }
    }
}
