//! The table, the bucket and the queues.

use super::ConfigError;
use crate::{
    environment::Environment,
    types::{ByMode, Lock, LockMode},
};

/// The table, which every function needs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TableConfig {
    /// `TABLE_NAME`
    pub table_name: String,
}

impl TableConfig {
    /// Reads `TABLE_NAME`.
    pub fn read(environment: &Environment) -> Result<Self, ConfigError> {
        Ok(TableConfig { table_name: environment.text("TABLE_NAME")?.to_owned() })
    }
}

/// The bucket of payloads.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BucketConfig {
    /// `BUCKET_NAME`
    pub bucket_name: String,
    /// `OBJECT_LOCK` and `RETENTION_YEARS`: whether nobody may remove what is to be kept, and for how long.
    pub lock: Option<Lock>,
}

impl BucketConfig {
    /// Reads `BUCKET_NAME`, `OBJECT_LOCK` and, where objects are locked, `RETENTION_YEARS`.
    pub fn read(environment: &Environment) -> Result<Self, ConfigError> {
        let bucket_name = environment.text("BUCKET_NAME")?.to_owned();
        let modes = [
            ("none", None),
            ("GOVERNANCE", Some(LockMode::Governance)),
            ("COMPLIANCE", Some(LockMode::Compliance)),
        ];
        let lock = match environment.one_of("OBJECT_LOCK", &modes)? {
            None => None,
            Some(mode) => {
                let years = environment.whole("RETENTION_YEARS", 1..=100, "years")?;
                Some(Lock { mode, years: i16::try_from(years).unwrap_or(i16::MAX) })
            }
        };
        Ok(BucketConfig { bucket_name, lock })
    }
}

/// The queues that link the stages: one for each mode, so that neither holds up the other.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct QueuesConfig {
    /// `CONVERT_LIVE_QUEUE_URL` and `CONVERT_SANDBOX_QUEUE_URL`
    pub convert: ByMode<String>,
    /// `DISPATCH_LIVE_QUEUE_URL` and `DISPATCH_SANDBOX_QUEUE_URL`
    pub dispatch: ByMode<String>,
    /// `DELIVER_LIVE_QUEUE_URL` and `DELIVER_SANDBOX_QUEUE_URL`
    pub deliver: ByMode<String>,
    /// `JUDGE_LIVE_QUEUE_URL`: nothing comes from other access points in Sandbox.
    pub validate_inbound: String,
    /// `ANSWER_LIVE_QUEUE_URL`, likewise.
    pub answer: String,
    /// `REGISTER_LIVE_QUEUE_URL`: no register is notified of the Sandbox.
    pub register: String,
    /// `REPORT_LIVE_QUEUE_URL`: nothing of the Sandbox is reported.
    pub report: String,
    /// `IMPORTS_LIVE_QUEUE_URL` and `IMPORTS_SANDBOX_QUEUE_URL`
    pub imports: ByMode<String>,
    /// `ARCHIVES_LIVE_QUEUE_URL` and `ARCHIVES_SANDBOX_QUEUE_URL`
    pub archives: ByMode<String>,
    /// `MAIL_LIVE_QUEUE_URL` and `MAIL_SANDBOX_QUEUE_URL`
    pub mail: ByMode<String>,
}

impl QueuesConfig {
    /// Reads the addresses of all queues.
    pub fn read(environment: &Environment) -> Result<Self, ConfigError> {
        Ok(QueuesConfig {
            convert: ByMode {
                live: environment.text("CONVERT_LIVE_QUEUE_URL")?.to_owned(),
                sandbox: environment.text("CONVERT_SANDBOX_QUEUE_URL")?.to_owned(),
            },
            dispatch: ByMode {
                live: environment.text("DISPATCH_LIVE_QUEUE_URL")?.to_owned(),
                sandbox: environment.text("DISPATCH_SANDBOX_QUEUE_URL")?.to_owned(),
            },
            deliver: DeliverQueuesConfig::read(environment)?.deliver,
            validate_inbound: environment.text("JUDGE_LIVE_QUEUE_URL")?.to_owned(),
            answer: environment.text("ANSWER_LIVE_QUEUE_URL")?.to_owned(),
            register: environment.text("REGISTER_LIVE_QUEUE_URL")?.to_owned(),
            report: environment.text("REPORT_LIVE_QUEUE_URL")?.to_owned(),
            imports: ByMode {
                live: environment.text("IMPORTS_LIVE_QUEUE_URL")?.to_owned(),
                sandbox: environment.text("IMPORTS_SANDBOX_QUEUE_URL")?.to_owned(),
            },
            archives: ByMode {
                live: environment.text("ARCHIVES_LIVE_QUEUE_URL")?.to_owned(),
                sandbox: environment.text("ARCHIVES_SANDBOX_QUEUE_URL")?.to_owned(),
            },
            mail: ByMode {
                live: environment.text("MAIL_LIVE_QUEUE_URL")?.to_owned(),
                sandbox: environment.text("MAIL_SANDBOX_QUEUE_URL")?.to_owned(),
            },
        })
    }
}

/// The queues of deliveries alone.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DeliverQueuesConfig {
    /// `DELIVER_LIVE_QUEUE_URL` and `DELIVER_SANDBOX_QUEUE_URL`
    pub deliver: ByMode<String>,
}

impl DeliverQueuesConfig {
    /// Reads `DELIVER_LIVE_QUEUE_URL` and `DELIVER_SANDBOX_QUEUE_URL`.
    pub fn read(environment: &Environment) -> Result<Self, ConfigError> {
        Ok(DeliverQueuesConfig {
            deliver: ByMode {
                live: environment.text("DELIVER_LIVE_QUEUE_URL")?.to_owned(),
                sandbox: environment.text("DELIVER_SANDBOX_QUEUE_URL")?.to_owned(),
            },
        })
    }
}
