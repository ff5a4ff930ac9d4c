use std::{borrow::Cow, fmt, str::FromStr};

use serde::{Deserialize, Serialize};

use super::is_printable;

/// Longest process identifier (PFUOI); also the limit for its scheme.
const LONGEST: usize = 200;

/// A business process in which documents are exchanged. Comparison is case-sensitive.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Process {
    scheme: Cow<'static, str>,
    value: Cow<'static, str>,
}

/// Why a text is not a process identifier.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ProcessError {
    /// The scheme is missing.
    #[error("a process is written scheme::identifier; this one has no scheme")]
    NoScheme,
    /// The scheme is invalid.
    #[error("the scheme of a process has 1 to {LONGEST} printable ASCII characters, no colon")]
    Scheme,
    /// The identifier is invalid.
    #[error("the identifier of a process has 1 to {LONGEST} printable ASCII characters")]
    Value,
}

impl Process {
    /// The scheme of almost every process.
    pub const SCHEME: &'static str = "cenbii-procid-ubl";

    /// Billing: invoices and credit notes of PINT.
    pub const BILLING: Process = Self::known("urn:peppol:bis:billing");
    /// Self-billing: invoices and credit notes that the buyer issues.
    pub const SELF_BILLING: Process = Self::known("urn:peppol:bis:selfbilling");
    /// Message Level Status.
    pub const MESSAGE_LEVEL_STATUS: Process = Self::known("urn:peppol:edec:mls");
    /// Reporting to a tax authority.
    pub const TAX_REPORTING: Process = Self::known("urn:peppol:taxreporting");
    /// Reporting of service providers to OpenPeppol.
    pub const NETWORK_REPORTING: Process = Self::known("urn:fdc:peppol.eu:edec:bis:reporting:1.0");

    const fn known(value: &'static str) -> Self {
        Process { scheme: Cow::Borrowed(Self::SCHEME), value: Cow::Borrowed(value) }
    }

    /// Combines a scheme and an identifier. The code list has several schemes, so any valid scheme is accepted.
    pub fn new(scheme: &str, value: &str) -> Result<Self, ProcessError> {
        let fits = |text: &str| (1..=LONGEST).contains(&text.len()) && is_printable(text);
        if !fits(scheme) || scheme.contains(':') {
            return Err(ProcessError::Scheme);
        }
        if !fits(value) {
            return Err(ProcessError::Value);
        }
        Ok(Process { scheme: scheme.to_owned().into(), value: value.to_owned().into() })
    }

    /// The scheme: the `type` of AS4's eb:Service.
    pub fn scheme(&self) -> &str {
        &self.scheme
    }

    /// The identifier within the scheme: AS4's eb:Service.
    pub fn value(&self) -> &str {
        &self.value
    }
}

impl fmt::Display for Process {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}::{}", self.scheme, self.value)
    }
}

impl FromStr for Process {
    type Err = ProcessError;

    fn from_str(text: &str) -> Result<Self, ProcessError> {
        let (scheme, value) = text.split_once("::").ok_or(ProcessError::NoScheme)?;
        Self::new(scheme, value)
    }
}

impl TryFrom<String> for Process {
    type Error = ProcessError;

    fn try_from(text: String) -> Result<Self, ProcessError> {
        text.parse()
    }
}

impl From<Process> for String {
    fn from(process: Process) -> String {
        process.to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_process_reads_back_as_written() {
        for process in [
            Process::BILLING,
            Process::SELF_BILLING,
            Process::MESSAGE_LEVEL_STATUS,
            Process::TAX_REPORTING,
            Process::NETWORK_REPORTING,
            Process::new("oioubl-procid-ubl", "a::b").unwrap(),
        ] {
            assert_eq!(process.to_string().parse(), Ok(process));
        }
        assert_eq!(Process::BILLING.to_string(), "cenbii-procid-ubl::urn:peppol:bis:billing");
    }

    #[test]
    fn what_is_wrong_with_a_process_is_named() {
        for (text, error) in [
            ("", ProcessError::NoScheme),
            ("urn:peppol:bis:billing", ProcessError::NoScheme),
            ("::urn:peppol:bis:billing", ProcessError::Scheme),
            ("a:b::urn:peppol:bis:billing", ProcessError::Scheme),
            ("cenbii-procid-ubl::", ProcessError::Value),
            ("cenbii-procid-ubl::a b", ProcessError::Value),
            (&format!("cenbii-procid-ubl::{}", "v".repeat(LONGEST + 1)), ProcessError::Value),
        ] {
            assert_eq!(text.parse::<Process>(), Err(error), "{text}");
        }
    }
}
