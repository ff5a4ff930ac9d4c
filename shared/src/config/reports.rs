//! Reports to the tax authority and to OpenPeppol.

use jiff::SignedDuration;

use super::ConfigError;
use crate::{
    environment::Environment,
    peppol::identifiers::{Spid, SpidError},
    types::{ParticipantError, ParticipantId},
};

/// `TAX_AUTHORITY`: the service provider identifier of the authority, if it is set.
pub fn tax_authority(environment: &Environment) -> Result<Option<Spid>, ConfigError> {
    let authority = environment.get("TAX_AUTHORITY").map(|value| {
        Spid::new(value).map_err(|error: SpidError| ConfigError::Invalid {
            variable: "TAX_AUTHORITY",
            value: value.to_owned(),
            expected: error.to_string(),
        })
    });
    authority.transpose()
}

/// Reports to the tax authority.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReportConfig {
    /// `TAX_AUTHORITY`: the service provider identifier of the authority, such as `000306`. Where it is not
    /// set reports wait.
    pub authority: Option<Spid>,
    /// `REPORT_RATE`: how many tax reports a second are sent at most, as the least time between two.
    pub interval: SignedDuration,
    /// `REPORT_LIVE_QUEUE_URL`
    pub queue: String,
}

impl ReportConfig {
    /// The most tax reports a second.
    pub const MOST: i64 = 5_000;

    /// Reads all of that.
    pub fn read(environment: &Environment) -> Result<Self, ConfigError> {
        let invalid = |variable, value: &str, expected: String| ConfigError::Invalid {
            variable,
            value: value.to_owned(),
            expected,
        };
        let rate = environment.text("REPORT_RATE")?;
        let interval = match rate.parse::<i64>() {
            Ok(rate) if (1..=Self::MOST).contains(&rate) => {
                // Rounded up, so that no second has more turns than the rate.
                SignedDuration::from_micros((1_000_000 + rate - 1) / rate)
            }
            _ => {
                let expected =
                    format!("a whole number of filings a second from 1 to {}", Self::MOST);
                return Err(invalid("REPORT_RATE", rate, expected));
            }
        };
        let queue = environment.text("REPORT_LIVE_QUEUE_URL")?.to_owned();
        Ok(ReportConfig { authority: tax_authority(environment)?, interval, queue })
    }
}

/// Reports of a month to OpenPeppol.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PeppolReportsConfig {
    /// `STATISTICS_RECEIVER`: OpenPeppol as a participant, such as `9925:be0848934496`. Where it is not set no report is
    /// made.
    pub receiver: Option<ParticipantId>,
}

impl PeppolReportsConfig {
    /// Reads `STATISTICS_RECEIVER`.
    pub fn read(environment: &Environment) -> Result<Self, ConfigError> {
        let receiver = environment.get("STATISTICS_RECEIVER").map(|value| {
            value.parse().map_err(|error: ParticipantError| ConfigError::Invalid {
                variable: "STATISTICS_RECEIVER",
                value: value.to_owned(),
                expected: error.to_string(),
            })
        });
        Ok(PeppolReportsConfig { receiver: receiver.transpose()? })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_authority_is_a_service_provider_and_a_rate_is_within_bounds() {
        let read = |authority: &str, rate: &str| {
            ReportConfig::read(&Environment::from_iter([
                ("TAX_AUTHORITY", authority),
                ("REPORT_RATE", rate),
                ("REPORT_LIVE_QUEUE_URL", "https://sqs.example/report"),
            ]))
        };
        let set = read("000306", "20").unwrap();
        assert_eq!(set.authority, Some(Spid::new("000306").unwrap()));
        assert_eq!(set.interval, SignedDuration::from_millis(50));
        assert_eq!(read("", "7").unwrap().interval, SignedDuration::from_micros(142_858));
        assert_eq!(read("", "5000").unwrap().interval, SignedDuration::from_micros(200));
        assert_eq!(read("", "1").unwrap().authority, None);
        for (authority, rate, variable) in [
            ("0242:000306", "20", "TAX_AUTHORITY"),
            ("the authority", "20", "TAX_AUTHORITY"),
            ("", "0", "REPORT_RATE"),
            ("", "5001", "REPORT_RATE"),
            ("", "1.5", "REPORT_RATE"),
        ] {
            let error = read(authority, rate).unwrap_err().to_string();
            assert!(error.starts_with(&format!("{variable} is ")), "{error}");
        }
    }

    #[test]
    fn the_receiver_of_peppol_reports_is_a_participant() {
        let read = |receiver: &str| {
            PeppolReportsConfig::read(&Environment::from_iter([("STATISTICS_RECEIVER", receiver)]))
        };
        assert_eq!(read("").unwrap().receiver, None);
        let openpeppol = "9925:be0848934496".parse().unwrap();
        assert_eq!(read("9925:BE0848934496").unwrap().receiver, Some(openpeppol));
        for wrong in ["000306", "9925", "BE:0848934496", "iso6523-actorid-upis::9925:be0848934496"]
        {
            let error = read(wrong).unwrap_err().to_string();
            assert!(error.starts_with("STATISTICS_RECEIVER is "), "{error}");
        }
    }
}
