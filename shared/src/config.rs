//! What a function is told by its environment. One struct a concern; a function reads only those
//! that it needs, at its cold start, and does not start with a value that is missing or wrong.

use std::{
    net::{IpAddr, SocketAddr},
    ops::RangeInclusive,
    time::Duration,
};

use jiff::SignedDuration;

pub use crate::environment::Environment;
use crate::{
    egress::Egress,
    peppol::{
        identifiers::{Spid, SpidError},
        lookup,
        pki::{Network, RevocationPolicy},
        smp::{AddressError, Reach, check_address},
    },
    types::{Addresses, ByMode, Lock, LockMode, ParticipantError, ParticipantId},
};

/// Why a function does not start: names the variable.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ConfigError {
    /// The variable is not set, or empty.
    #[error("{0} is not set")]
    Missing(&'static str),
    /// The variable has a value that it cannot have.
    #[error("{variable} is {value:?}: {expected}")]
    Invalid {
        /// The variable.
        variable: &'static str,
        /// Its value; no variable holds a secret.
        value: String,
        /// What it may be.
        expected: String,
    },
}

/// How values are read; each has its limits.
impl Environment {
    fn text(&self, variable: &'static str) -> Result<&str, ConfigError> {
        self.get(variable).ok_or(ConfigError::Missing(variable))
    }

    /// Whether the AWS services are stand-ins on this machine.
    fn is_one_machine(&self) -> bool {
        let ignored = self.text("AWS_IGNORE_CONFIGURED_ENDPOINT_URLS").is_ok_and(|value| {
            // As the SDKs read it.
            value.eq_ignore_ascii_case("true")
        });
        let endpoint = self.text("AWS_ENDPOINT_URL").ok();
        let uri = endpoint.and_then(|url| url.parse::<http::Uri>().ok());
        let host = uri.as_ref().and_then(http::Uri::host).unwrap_or_default();
        let address: Option<IpAddr> = host.trim_matches(['[', ']']).parse().ok();
        !ignored && (host == "localhost" || address.is_some_and(|address| address.is_loopback()))
    }

    fn seconds(&self, variable: &'static str) -> Result<SignedDuration, ConfigError> {
        self.whole(variable, 1..=900, "seconds").map(SignedDuration::from_secs)
    }

    /// A whole number of something, within bounds.
    fn whole(
        &self,
        variable: &'static str,
        bounds: RangeInclusive<i64>,
        of: &str,
    ) -> Result<i64, ConfigError> {
        let value = self.text(variable)?;
        let number = value.parse().ok().filter(|number| bounds.contains(number));
        number.ok_or_else(|| ConfigError::Invalid {
            variable,
            value: value.to_owned(),
            expected: format!("a whole number of {of} from {} to {}", bounds.start(), bounds.end()),
        })
    }

    fn one_of<T: Copy>(
        &self,
        variable: &'static str,
        choices: &[(&str, T)],
    ) -> Result<T, ConfigError> {
        let value = self.text(variable)?;
        choices.iter().find(|(name, _)| *name == value).map(|(_, choice)| *choice).ok_or_else(
            || {
                let names: Vec<_> = choices.iter().map(|(name, _)| *name).collect();
                ConfigError::Invalid {
                    variable,
                    value: value.to_owned(),
                    expected: format!("one of {}", names.join(", ")),
                }
            },
        )
    }
}

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
    pub judge: String,
    /// `ANSWER_LIVE_QUEUE_URL`, likewise.
    pub answer: String,
    /// `REGISTER_LIVE_QUEUE_URL`: no register is told of the Sandbox.
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
            judge: environment.text("JUDGE_LIVE_QUEUE_URL")?.to_owned(),
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

/// How sends are taken in and worked on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SendConfig {
    /// `QUEUED_DELIVERY`: whether a send may ask for queued delivery.
    pub queued_delivery: bool,
    /// `RESERVATION_LEASE_SECONDS`: how long an attempt owns its idempotency key or its document
    /// before another may take over.
    pub lease: SignedDuration,
    /// `FUNCTION_TIMEOUT_SECONDS`: how long a request or a worker's turn may take.
    pub time: Duration,
}

impl SendConfig {
    /// Reads `QUEUED_DELIVERY` and `RESERVATION_LEASE_SECONDS`; the latter must be longer than
    /// `FUNCTION_TIMEOUT_SECONDS`, or an attempt that still runs could be taken for dead.
    pub fn read(environment: &Environment) -> Result<Self, ConfigError> {
        let queued_delivery = Self::queued_delivery(environment)?;
        let timeout = environment.seconds("FUNCTION_TIMEOUT_SECONDS")?;
        let lease = environment.seconds("RESERVATION_LEASE_SECONDS")?;
        if lease <= timeout {
            return Err(ConfigError::Invalid {
                variable: "RESERVATION_LEASE_SECONDS",
                value: lease.as_secs().to_string(),
                expected: format!(
                    "more than FUNCTION_TIMEOUT_SECONDS, which is {}",
                    timeout.as_secs()
                ),
            });
        }
        Ok(SendConfig { queued_delivery, lease, time: timeout.unsigned_abs() })
    }

    /// Reads `QUEUED_DELIVERY` alone, for what takes in what others send.
    pub fn queued_delivery(environment: &Environment) -> Result<bool, ConfigError> {
        environment.one_of("QUEUED_DELIVERY", &[("enabled", true), ("disabled", false)])
    }
}

/// What is asked of those who use the service, beside their grants.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BillingConfig {
    /// `BILLING_FRESHNESS_HOURS`: how long what the billing provider last said is relied on.
    pub freshness: SignedDuration,
    /// `SANDBOX_DAILY_SENDS`: how many documents an organization may send in Sandbox on a day.
    pub sandbox_daily_sends: u32,
}

impl BillingConfig {
    /// The longest that what a provider said may be relied on: a month, in hours.
    pub const MOST_HOURS: i64 = 744;

    /// The most documents of a day.
    pub const MOST_SENDS: u32 = 10_000_000;

    /// Reads `BILLING_FRESHNESS_HOURS` and `SANDBOX_DAILY_SENDS`.
    pub fn read(environment: &Environment) -> Result<Self, ConfigError> {
        let hours = environment.whole("BILLING_FRESHNESS_HOURS", 1..=Self::MOST_HOURS, "hours")?;
        let sends =
            environment.whole("SANDBOX_DAILY_SENDS", 0..=Self::MOST_SENDS.into(), "documents")?;
        Ok(BillingConfig {
            freshness: SignedDuration::from_hours(hours),
            sandbox_daily_sends: u32::try_from(sends).unwrap_or(Self::MOST_SENDS),
        })
    }
}

/// Who knows what organizations have paid for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BillingProviderConfig {
    /// `BILLING_URL`: where the billing provider's API is; none where operators set subscriptions.
    pub url: Option<String>,
    /// `BILLING_TOKEN_SECRET_ARN`: the secret with the token that it knows us by.
    pub token_secret_arn: String,
    /// `EGRESS`
    pub egress: Egress,
}

impl BillingProviderConfig {
    /// Reads all of that.
    pub fn read(environment: &Environment) -> Result<Self, ConfigError> {
        let egress = egress(environment)?;
        let url = environment.get("BILLING_URL").map(|value| {
            let wrong = |error: AddressError| ConfigError::Invalid {
                variable: "BILLING_URL",
                value: value.to_owned(),
                expected: format!("an https address; {error}"),
            };
            check_address(value, reach(egress)).map_err(wrong)?;
            Ok(value.to_owned())
        });
        let token_secret_arn = environment.text("BILLING_TOKEN_SECRET_ARN")?.to_owned();
        Ok(BillingProviderConfig { url: url.transpose()?, token_secret_arn, egress })
    }
}

/// The network that Live documents go to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NetworkConfig {
    /// `NETWORK`: which one.
    pub network: Network,
    /// `NETWORK_SECRET_ARN`: the secret with our certificates, their keys, and the authorities of a
    /// network of our own.
    pub secret_arn: String,
    /// `SML_ZONE`: where the network keeps its participants.
    pub zone: String,
    /// `DNS_SERVER`: who is asked for them; the system's own name servers when not set.
    pub dns_server: Option<SocketAddr>,
    /// `REVOCATION`: what becomes of a certificate of which nobody says whether it is revoked.
    pub revocation: RevocationPolicy,
    /// `EGRESS`
    pub egress: Egress,
}

impl NetworkConfig {
    /// Reads all of that; none when `NETWORK` is `none`.
    pub fn read(environment: &Environment) -> Result<Option<Self>, ConfigError> {
        let choices = [
            ("none", None),
            ("production", Some(Network::Production)),
            ("test", Some(Network::Test)),
            ("local", Some(Network::Local)),
        ];
        let Some(network) = environment.one_of("NETWORK", &choices)? else { return Ok(None) };
        let zone = match (environment.get("SML_ZONE"), lookup::zone(network)) {
            (Some(zone), _) => zone.to_owned(),
            (None, Some(zone)) => zone.to_owned(),
            (None, None) => return Err(ConfigError::Missing("SML_ZONE")),
        };
        let dns_server = match environment.get("DNS_SERVER") {
            None => None,
            Some(server) => Some(server.parse().map_err(|_| ConfigError::Invalid {
                variable: "DNS_SERVER",
                value: server.to_owned(),
                expected: "an address and a port, such as 10.0.0.2:53".to_owned(),
            })?),
        };
        let policies =
            [("hard-fail", RevocationPolicy::HardFail), ("soft-fail", RevocationPolicy::SoftFail)];
        Ok(Some(NetworkConfig {
            network,
            secret_arn: environment.text("NETWORK_SECRET_ARN")?.to_owned(),
            zone,
            dns_server,
            revocation: environment.one_of("REVOCATION", &policies)?,
            egress: egress(environment)?,
        }))
    }
}

/// The registers of the network, and what is ours there. What is not set is none: what needs it waits, and says so.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RegistryConfig {
    /// `SMP_URL`: the public address of our SMP.
    pub smp_url: Option<String>,
    /// `SMP_ID`: by what the SML knows it.
    pub smp_id: Option<String>,
    /// `AS4_URL`: the public address of our access point, which metadata names.
    pub as4_url: Option<String>,
    /// `SML_URL`: where the services of the SML are.
    pub sml_url: Option<String>,
    /// `DIRECTORY_URL`: where the Peppol Directory is.
    pub directory_url: Option<String>,
}

impl RegistryConfig {
    /// Reads all of that; the SML and the Directory of a published network are known.
    pub fn read(environment: &Environment, network: Network) -> Result<Self, ConfigError> {
        let reach = nameable(environment)?;
        let url = |variable, default: Option<&str>| {
            let Some(value) = environment.get(variable).or(default) else { return Ok(None) };
            let wrong = |error: AddressError| ConfigError::Invalid {
                variable,
                value: value.to_owned(),
                expected: format!("an https address; {error}"),
            };
            check_address(value, reach).map_err(wrong)?;
            Ok(Some(value.trim_end_matches('/').to_owned()))
        };
        let (sml, directory) = match network {
            Network::Production => (
                Some("https://api.sml.prod.tech.peppol.org/edelivery-sml"),
                Some("https://directory.peppol.eu"),
            ),
            Network::Test => (
                Some("https://api.sml.test.tech.peppol.org/edelivery-sml"),
                Some("https://test-directory.peppol.eu"),
            ),
            Network::Local => (None, None),
        };
        Ok(RegistryConfig {
            smp_url: url("SMP_URL", None)?,
            smp_id: environment.get("SMP_ID").map(str::to_owned),
            as4_url: url("AS4_URL", None)?,
            sml_url: url("SML_URL", sml)?,
            directory_url: url("DIRECTORY_URL", directory)?,
        })
    }
}

/// Reports to the tax authority.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReportConfig {
    /// `TAX_AUTHORITY`: the service provider identifier of the authority, such as `000306`. Where it is not
    /// set reports wait.
    pub authority: Option<Spid>,
    /// `REPORT_RATE`: how many filings a second are sent at most, as the least time between two.
    pub interval: SignedDuration,
    /// `REPORT_LIVE_QUEUE_URL`
    pub queue: String,
}

impl ReportConfig {
    /// The most filings a second: more than one item of the table could count.
    pub const MOST: i64 = 500;

    /// Reads all of that.
    pub fn read(environment: &Environment) -> Result<Self, ConfigError> {
        let invalid = |variable, value: &str, expected: String| ConfigError::Invalid {
            variable,
            value: value.to_owned(),
            expected,
        };
        let authority = environment.get("TAX_AUTHORITY").map(|value| {
            let wrong = |error: SpidError| invalid("TAX_AUTHORITY", value, error.to_string());
            Spid::new(value).map_err(wrong)
        });
        let rate = environment.text("REPORT_RATE")?;
        let interval = match rate.parse::<i64>() {
            Ok(rate) if (1..=Self::MOST).contains(&rate) => {
                SignedDuration::from_micros(1_000_000 / rate)
            }
            _ => {
                let expected =
                    format!("a whole number of filings a second from 1 to {}", Self::MOST);
                return Err(invalid("REPORT_RATE", rate, expected));
            }
        };
        let queue = environment.text("REPORT_LIVE_QUEUE_URL")?.to_owned();
        Ok(ReportConfig { authority: authority.transpose()?, interval, queue })
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

/// Which addresses of the network are taken where requests may go so far.
pub(crate) fn reach(egress: Egress) -> Reach {
    match egress {
        Egress::Public => Reach::Https,
        Egress::Any => Reach::Loopback,
    }
}

/// Which addresses an operator may name: `EGRESS` alone.
pub(crate) fn nameable(environment: &Environment) -> Result<Reach, ConfigError> {
    egress(environment).map(reach)
}

/// `EGRESS` may be `any` on one machine alone: in AWS it would open the account's own network to whoever
/// says where requests go.
fn egress(environment: &Environment) -> Result<Egress, ConfigError> {
    let egress =
        environment.one_of("EGRESS", &[("public", Egress::Public), ("any", Egress::Any)])?;
    if egress == Egress::Any && !environment.is_one_machine() {
        return Err(ConfigError::Invalid {
            variable: "EGRESS",
            value: "any".to_owned(),
            expected: "public, since the AWS services are the real ones; any is for a \
                       deployment on one machine, whose AWS_ENDPOINT_URL is on loopback"
                .to_owned(),
        });
    }
    Ok(egress)
}

/// How many requests are answered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RequestsConfig {
    /// `REQUESTS_PER_MINUTE`, of one organization: at most 60,000, since a counter takes 1,000 writes a second.
    pub per_minute: u32,
}

impl RequestsConfig {
    /// Reads `REQUESTS_PER_MINUTE`.
    pub fn read(environment: &Environment) -> Result<Self, ConfigError> {
        let value = environment.text("REQUESTS_PER_MINUTE")?;
        match value.parse() {
            Ok(per_minute @ 1..=60_000) => Ok(RequestsConfig { per_minute }),
            _ => Err(ConfigError::Invalid {
                variable: "REQUESTS_PER_MINUTE",
                value: value.to_owned(),
                expected: "a whole number from 1 to 60000".to_owned(),
            }),
        }
    }
}

/// What lists go on with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CursorConfig {
    /// `CURSOR_KEY_SECRET_ARN`: the secret with which cursors are sealed.
    pub cursor_key_secret_arn: String,
}

impl CursorConfig {
    /// Reads `CURSOR_KEY_SECRET_ARN`.
    pub fn read(environment: &Environment) -> Result<Self, ConfigError> {
        let cursor_key_secret_arn = environment.text("CURSOR_KEY_SECRET_ARN")?.to_owned();
        Ok(CursorConfig { cursor_key_secret_arn })
    }
}

/// The national tax portal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NationalPortalConfig {
    /// `NATIONAL_PORTAL_URL`: where it is, without a slash at its end.
    pub url: String,
    /// `NATIONAL_PORTAL_SECRET_ARN`: the secret with the bearer token that it knows us by.
    pub secret_arn: String,
    /// `EGRESS`
    pub egress: Egress,
}

impl NationalPortalConfig {
    /// Reads all of that; none where `NATIONAL_PORTAL_URL` is not set: then this deployment onboards by its operator.
    pub fn read(environment: &Environment) -> Result<Option<Self>, ConfigError> {
        let variable = "NATIONAL_PORTAL_URL";
        let Some(value) = environment.get(variable) else { return Ok(None) };
        let egress = egress(environment)?;
        let wrong = |error: AddressError| ConfigError::Invalid {
            variable,
            value: value.to_owned(),
            expected: format!("an https address; {error}"),
        };
        check_address(value, reach(egress)).map_err(wrong)?;
        let secret_arn = environment.text("NATIONAL_PORTAL_SECRET_ARN")?.to_owned();
        let url = value.trim_end_matches('/').to_owned();
        Ok(Some(NationalPortalConfig { url, secret_arn, egress }))
    }
}

/// Where the pages are that people see.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PortalConfig {
    /// `PORTAL_URL`: their origin, as browsers write it.
    pub origin: String,
}

impl PortalConfig {
    /// Reads `PORTAL_URL`: scheme, host and port alone, of `https`, or of `http` on loopback.
    pub fn read(environment: &Environment) -> Result<Self, ConfigError> {
        let value = environment.text("PORTAL_URL")?;
        let origin = origin(value).ok_or_else(|| ConfigError::Invalid {
            variable: "PORTAL_URL",
            value: value.to_owned(),
            expected:
                "the address of the portal without a path, such as https://portal.example.com; http only on loopback"
                    .to_owned(),
        })?;
        Ok(PortalConfig { origin })
    }
}

/// Where the service is: what the function `oauth` tells the world.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AddressesConfig {
    /// `PORTAL_URL` and `BASE_URL`; none where the first is not set: then nobody can connect yet.
    pub addresses: Option<Addresses>,
}

impl AddressesConfig {
    /// Reads `PORTAL_URL`, and with it `BASE_URL`: the address of the API with its version, such as
    /// `https://api.example.com/v1`.
    pub fn read(environment: &Environment) -> Result<Self, ConfigError> {
        if environment.get("PORTAL_URL").is_none() {
            return Ok(AddressesConfig { addresses: None });
        }
        let PortalConfig { origin: portal_url } = PortalConfig::read(environment)?;
        let known = api_origin(environment.text("BASE_URL")?)?;
        let addresses = Addresses { portal_url, base_url: format!("{known}{VERSION}") };
        Ok(AddressesConfig { addresses: Some(addresses) })
    }
}

/// Where the API is, for the links of its errors into its documentation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ApiOriginConfig {
    /// The origin of `BASE_URL`; none where that is not set.
    pub origin: Option<String>,
}

impl ApiOriginConfig {
    /// Reads `BASE_URL`.
    pub fn read(environment: &Environment) -> Result<Self, ConfigError> {
        let origin = environment.get("BASE_URL").map(api_origin).transpose()?;
        Ok(ApiOriginConfig { origin })
    }
}

/// The origin of a versioned base address.
fn api_origin(base_url: &str) -> Result<String, ConfigError> {
    let known = base_url.strip_suffix(VERSION).and_then(origin);
    known.ok_or_else(|| ConfigError::Invalid {
        variable: "BASE_URL",
        value: base_url.to_owned(),
        expected: format!(
            "the address of the API with {VERSION} at its end, such as https://api.example.com{VERSION}; http only on \
             loopback"
        ),
    })
}

/// What the versioned base address ends with (specification 9).
const VERSION: &str = "/v1";

/// An address without a path as an origin (RFC 6454, section 6.2): in lower case, without the scheme's own port.
fn origin(url: &str) -> Option<String> {
    let uri: http::Uri = url.trim_end_matches('/').parse().ok()?;
    let authority = uri.authority()?;
    let is_plain = matches!(uri.path(), "" | "/") && uri.query().is_none();
    let host = authority.host().to_ascii_lowercase();
    let is_loopback = matches!(host.as_str(), "localhost" | "127.0.0.1" | "[::1]");
    let (scheme, usual) = match uri.scheme_str()? {
        "https" => ("https", 443),
        "http" if is_loopback => ("http", 80),
        _ => return None,
    };
    if !is_plain || authority.as_str().contains('@') {
        return None;
    }
    Some(match authority.port_u16() {
        Some(port) if port != usual => format!("{scheme}://{host}:{port}"),
        _ => format!("{scheme}://{host}"),
    })
}

/// How webhooks are delivered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DeliveryConfig {
    /// `SEALING_KEY_SECRET_ARN`: the secret with which signing secrets are sealed.
    pub sealing_key_secret_arn: String,
    /// `EGRESS`
    pub egress: Egress,
}

impl DeliveryConfig {
    /// Reads `SEALING_KEY_SECRET_ARN` and `EGRESS`.
    pub fn read(environment: &Environment) -> Result<Self, ConfigError> {
        Ok(DeliveryConfig {
            sealing_key_secret_arn: sealing_key_secret_arn(environment)?.to_owned(),
            egress: egress(environment)?,
        })
    }
}

/// `SEALING_KEY_SECRET_ARN`: the secret with which signing secrets and migration keys are sealed.
pub fn sealing_key_secret_arn(environment: &Environment) -> Result<&str, ConfigError> {
    environment.text("SEALING_KEY_SECRET_ARN")
}

/// `BILLING_SIGNING_SECRET_ARN`: the secret with which the billing provider signs its events.
pub fn billing_signing_secret_arn(environment: &Environment) -> Result<&str, ConfigError> {
    environment.text("BILLING_SIGNING_SECRET_ARN")
}

/// `LOG_LEVEL`: error, warn or info (when not set). Nothing of ours is finer, and what libraries say below has the
/// bodies of requests in it.
pub fn log_level(environment: &Environment) -> Result<tracing::Level, ConfigError> {
    use tracing::Level;
    if environment.text("LOG_LEVEL").is_err() {
        return Ok(Level::INFO);
    }
    environment.one_of(
        "LOG_LEVEL",
        &[("error", Level::ERROR), ("warn", Level::WARN), ("info", Level::INFO)],
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_portal_is_an_origin_over_tls_or_on_this_machine() {
        for (value, expected) in [
            ("https://portal.example.com", Some("https://portal.example.com")),
            ("https://Portal.Example.com:443/", Some("https://portal.example.com")),
            ("https://portal.example.com:8443", Some("https://portal.example.com:8443")),
            ("http://127.0.0.1:8400", Some("http://127.0.0.1:8400")),
            ("http://localhost:80", Some("http://localhost")),
            ("http://portal.example.com", None),
            ("https://portal.example.com/app", None),
            ("https://portal.example.com?x", None),
            ("https://user@portal.example.com", None),
            ("portal.example.com", None),
            ("/", None),
        ] {
            let read = PortalConfig::read(&Environment::from_iter([("PORTAL_URL", value)]));
            assert_eq!(read.as_ref().ok().map(|read| read.origin.as_str()), expected, "{value}");
        }
    }

    #[test]
    fn the_addresses_are_known_together_or_not_at_all() {
        let read = |pairs: &[(&'static str, &str)]| {
            let environment = Environment::from_iter(pairs.iter().copied());
            AddressesConfig::read(&environment).map(|read| read.addresses)
        };
        let portal = ("PORTAL_URL", "https://portal.example.com");
        assert_eq!(read(&[]), Ok(None));
        let known = Addresses {
            portal_url: "https://portal.example.com".to_owned(),
            base_url: "https://api.example.com/v1".to_owned(),
        };
        assert_eq!(
            read(&[portal, ("BASE_URL", "https://API.example.com:443/v1")]),
            Ok(Some(known))
        );
        assert_eq!(read(&[portal]), Err(ConfigError::Missing("BASE_URL")));
        for base in
            ["https://api.example.com", "http://api.example.com/v1", "/v1", "https://a/b/v1"]
        {
            assert!(read(&[portal, ("BASE_URL", base)]).is_err(), "{base}");
        }
    }

    #[test]
    fn the_api_knows_its_origin_by_its_base_address_or_not_at_all() {
        let read = |pairs: &[(&'static str, &str)]| {
            let environment = Environment::from_iter(pairs.iter().copied());
            ApiOriginConfig::read(&environment).map(|read| read.origin)
        };
        assert_eq!(read(&[]), Ok(None));
        assert_eq!(read(&[("BASE_URL", "")]), Ok(None));
        let base = ("BASE_URL", "https://API.example.com:443/v1");
        assert_eq!(read(&[base]), Ok(Some("https://api.example.com".to_owned())));
        assert!(read(&[("BASE_URL", "https://api.example.com")]).is_err());
    }

    #[test]
    fn the_national_portal_is_an_address_with_a_secret_or_none() {
        let read = |pairs: &[(&'static str, &str)]| {
            let local = [("EGRESS", "any"), ("AWS_ENDPOINT_URL", "http://127.0.0.1:4566")];
            NationalPortalConfig::read(&local.into_iter().chain(pairs.iter().copied()).collect())
        };
        assert_eq!(read(&[]), Ok(None));
        let url = ("NATIONAL_PORTAL_URL", "https://portal.example/api/");
        let secret = ("NATIONAL_PORTAL_SECRET_ARN", "arn");
        let set = read(&[url, secret]).unwrap().unwrap();
        assert_eq!(
            (set.url.as_str(), set.secret_arn.as_str()),
            ("https://portal.example/api", "arn")
        );
        assert_eq!(read(&[url]), Err(ConfigError::Missing("NATIONAL_PORTAL_SECRET_ARN")));
        for wrong in ["portal.example", "ftp://portal.example", "http://portal.example"] {
            let error = read(&[("NATIONAL_PORTAL_URL", wrong), secret]).unwrap_err().to_string();
            assert!(error.starts_with("NATIONAL_PORTAL_URL is "), "{error}");
        }
    }

    fn sending(queued: &str, timeout: &str, lease: &str) -> Result<SendConfig, ConfigError> {
        SendConfig::read(&Environment::from_iter([
            ("QUEUED_DELIVERY", queued),
            ("FUNCTION_TIMEOUT_SECONDS", timeout),
            ("RESERVATION_LEASE_SECONDS", lease),
        ]))
    }

    #[test]
    fn a_lease_that_ends_before_the_function_does_is_refused() {
        assert_eq!(
            sending("enabled", "29", "30"),
            Ok(SendConfig {
                queued_delivery: true,
                lease: SignedDuration::from_secs(30),
                time: Duration::from_secs(29),
            })
        );
        for lease in ["29", "1"] {
            let error = sending("enabled", "29", lease).unwrap_err().to_string();
            assert!(error.contains("RESERVATION_LEASE_SECONDS"), "{error}");
        }
    }

    #[test]
    fn a_wrong_value_is_named_with_what_it_may_be() {
        assert_eq!(
            sending("yes", "29", "60").unwrap_err().to_string(),
            "QUEUED_DELIVERY is \"yes\": one of enabled, disabled"
        );
        assert_eq!(sending("", "29", "60"), Err(ConfigError::Missing("QUEUED_DELIVERY")));
        assert!(sending("enabled", "soon", "60").is_err());
        assert!(sending("enabled", "0", "60").is_err());
    }

    #[test]
    fn what_a_provider_said_is_relied_on_for_a_month_at_most() {
        let read = |hours: &str| {
            BillingConfig::read(&Environment::from_iter([
                ("BILLING_FRESHNESS_HOURS", hours),
                ("SANDBOX_DAILY_SENDS", "10000"),
            ]))
        };
        assert_eq!(read("24").unwrap().sandbox_daily_sends, 10_000);
        assert_eq!(read("24").unwrap().freshness, SignedDuration::from_hours(24));
        for wrong in ["0", "745", "1.5", "a day", "-1"] {
            let error = read(wrong).unwrap_err().to_string();
            assert!(error.starts_with("BILLING_FRESHNESS_HOURS is "), "{error}");
            assert!(error.ends_with("a whole number of hours from 1 to 744"), "{error}");
        }
    }

    #[test]
    fn a_billing_provider_is_reached_over_tls_or_there_is_none() {
        let read = |url: &str| {
            BillingProviderConfig::read(&Environment::from_iter([
                ("BILLING_URL", url),
                ("BILLING_TOKEN_SECRET_ARN", "arn"),
                ("EGRESS", "public"),
            ]))
        };
        assert_eq!(read("").unwrap().url, None);
        let url = "https://billing.example/api";
        assert_eq!(read(url).unwrap().url.as_deref(), Some(url));
        for wrong in ["http://billing.example", "billing.example"] {
            let error = read(wrong).unwrap_err().to_string();
            assert!(error.starts_with(&format!("BILLING_URL is {wrong:?}: an https")), "{error}");
        }
    }

    #[test]
    fn the_registers_of_a_published_network_are_known_and_the_rest_is_told() {
        let read = |network, pairs: &[(&str, &str)]| {
            let local = [("EGRESS", "any"), ("AWS_ENDPOINT_URL", "http://127.0.0.1:4566")];
            RegistryConfig::read(&local.iter().chain(pairs).copied().collect(), network)
        };
        let test = read(Network::Test, &[("SMP_URL", "https://smp.example/"), ("SMP_ID", "S")]);
        let test = test.unwrap();
        let sml = "https://api.sml.test.tech.peppol.org/edelivery-sml";
        assert_eq!(test.sml_url.as_deref(), Some(sml));
        assert_eq!(test.directory_url.as_deref(), Some("https://test-directory.peppol.eu"));
        assert_eq!(test.smp_url.as_deref(), Some("https://smp.example"));
        assert_eq!((test.smp_id.as_deref(), test.as4_url), (Some("S"), None));
        let local = read(Network::Local, &[("SML_URL", "http://127.0.0.1:9/sml")]).unwrap();
        assert_eq!(local.sml_url.as_deref(), Some("http://127.0.0.1:9/sml"));
        assert_eq!(local.directory_url, None);
        for wrong in ["http://sml.example", "sml.example", "ftp://sml.example"] {
            let error = read(Network::Production, &[("SML_URL", wrong)]).unwrap_err().to_string();
            assert!(error.starts_with(&format!("SML_URL is {wrong:?}: an https")), "{error}");
        }
    }

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
        assert_eq!(read("", "1").unwrap().authority, None);
        for (authority, rate, variable) in [
            ("0242:000306", "20", "TAX_AUTHORITY"),
            ("the authority", "20", "TAX_AUTHORITY"),
            ("", "0", "REPORT_RATE"),
            ("", "501", "REPORT_RATE"),
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

    #[test]
    fn any_egress_is_refused_where_aws_is_the_real_one() {
        let read = |egress: &str, endpoint: &str, ignore: &str| {
            DeliveryConfig::read(&Environment::from_iter([
                ("SEALING_KEY_SECRET_ARN", "arn"),
                ("EGRESS", egress),
                ("AWS_ENDPOINT_URL", endpoint),
                ("AWS_IGNORE_CONFIGURED_ENDPOINT_URLS", ignore),
            ]))
        };
        for local in ["http://127.0.0.1:4566", "http://localhost:4566/", "http://[::1]:4566"] {
            assert_eq!(read("any", local, "").unwrap().egress, Egress::Any, "{local}");
            assert!(read("any", local, "true").is_err(), "{local}");
        }
        for real in [
            "",
            "https://dynamodb.me-central-1.amazonaws.com",
            "http://169.254.169.254",
            "http://127.0.0.1.example.com",
            "http://localhost.example.com",
            "http://localhost@example.com",
            "127.0.0.1.",
        ] {
            let error = read("any", real, "").unwrap_err().to_string();
            assert!(error.starts_with("EGRESS is \"any\": public, since"), "{real}: {error}");
            assert_eq!(read("public", real, "").unwrap().egress, Egress::Public);
        }
    }
}
