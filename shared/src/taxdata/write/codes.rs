//! The codes in the header of a report.

use std::str::FromStr;

/// An unknown code.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the code must be {0}")]
pub struct UnknownCode(&'static str);

/// TDT-006 The purpose of a report.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// S: first report of a document.
    Submit,
    /// R: revises the report of a document.
    Resubmit,
    /// W: withdraws the report of a document.
    Withdraw,
    /// F: reports a document that failed validation.
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

/// TDT-010 The side that reports.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    /// 01: the sender of the document. It is the seller, or the buyer in self-billing.
    Sender,
    /// 02: the receiver of the document.
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

/// TDT-011 The scope of the transaction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scope {
    /// D: both parties are in the UAE.
    Domestic,
    /// IP: one party is outside the UAE, and Peppol delivered the document.
    International,
    /// INP: one party is outside the UAE, and Peppol did not deliver the document.
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
