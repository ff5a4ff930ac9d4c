//! The codes of a report about itself.

use std::str::FromStr;

/// A code that is none of those.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the code must be {0}")]
pub struct UnknownCode(&'static str);

/// TDT-006 What a report does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// S: reports a document for the first time.
    Submit,
    /// R: revises what was reported of it.
    Resubmit,
    /// W: withdraws what was reported of it.
    Withdraw,
    /// F: tells of a document that failed validation.
    Failed,
}

impl Kind {
    /// The code, one letter.
    pub fn code(self) -> &'static str {
        match self {
            Kind::Submit => "S",
            Kind::Resubmit => "R",
            Kind::Withdraw => "W",
            Kind::Failed => "F",
        }
    }
}

impl FromStr for Kind {
    type Err = UnknownCode;

    fn from_str(code: &str) -> Result<Self, UnknownCode> {
        match code {
            "S" => Ok(Kind::Submit),
            "R" => Ok(Kind::Resubmit),
            "W" => Ok(Kind::Withdraw),
            "F" => Ok(Kind::Failed),
            _ => Err(UnknownCode("S, R, W or F")),
        }
    }
}

/// TDT-010 Whose side reports.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    /// 01: who sent the document: its seller, in self-billing its buyer.
    Sender,
    /// 02: who received it.
    Receiver,
}

impl Role {
    /// The code, two digits.
    pub fn code(self) -> &'static str {
        match self {
            Role::Sender => "01",
            Role::Receiver => "02",
        }
    }
}

impl FromStr for Role {
    type Err = UnknownCode;

    fn from_str(code: &str) -> Result<Self, UnknownCode> {
        match code {
            "01" => Ok(Role::Sender),
            "02" => Ok(Role::Receiver),
            _ => Err(UnknownCode("01 or 02")),
        }
    }
}

/// TDT-011 Which way a document went.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scope {
    /// D: both parties are in the UAE.
    Domestic,
    /// IP: one is not, and Peppol carried the document.
    International,
    /// INP: one is not, and Peppol did not carry it.
    InternationalOutside,
}

impl Scope {
    /// The code.
    pub fn code(self) -> &'static str {
        match self {
            Scope::Domestic => "D",
            Scope::International => "IP",
            Scope::InternationalOutside => "INP",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::codes::{REPORT_SCOPES, REPORT_TYPES, REPORTER_ROLES};

    #[test]
    fn codes_are_those_of_the_official_lists() {
        for kind in [Kind::Submit, Kind::Resubmit, Kind::Withdraw, Kind::Failed] {
            assert!(REPORT_TYPES.contains(kind.code()));
            assert_eq!(kind.code().parse(), Ok(kind));
        }
        for role in [Role::Sender, Role::Receiver] {
            assert!(REPORTER_ROLES.contains(role.code()));
            assert_eq!(role.code().parse(), Ok(role));
        }
        for scope in [Scope::Domestic, Scope::International, Scope::InternationalOutside] {
            assert!(REPORT_SCOPES.contains(scope.code()));
        }
        assert_eq!("s".parse::<Kind>().unwrap_err().to_string(), "the code must be S, R, W or F");
        assert!("1".parse::<Role>().is_err());
    }
}
