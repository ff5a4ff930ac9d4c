//! The configured registers.

use super::step::Hindrance;
use crate::{
    egress::Client,
    peppol::{
        lookup::{dns_name, publisher},
        smp::Reach,
    },
    service::Dns,
    types::ParticipantId,
};

/// What notifying registers needs. A missing part is `None`: then registrations wait, and their cause names it.
pub struct Registries {
    /// The HTTP client with our SMP's certificate. `None` when the secret has none.
    pub client: Option<Client>,
    /// `SMP_ID`
    pub smp_id: Option<String>,
    /// `SMP_URL`
    pub smp_url: Option<String>,
    /// `SML_URL`
    pub sml_url: Option<String>,
    /// `DIRECTORY_URL`
    pub directory_url: Option<String>,
    /// Resolves the DNS names of participants.
    pub dns: Dns,
    /// The DNS zone of the participants.
    pub zone: String,
    /// The allowed addresses.
    pub reach: Reach,
}

impl Registries {
    /// The HTTP client.
    pub(super) fn client(&self) -> Result<&Client, Hindrance> {
        self.client.as_ref().ok_or_else(|| {
            Hindrance::Passing("the network's secret has no certificate and key of an SMP".into())
        })
    }

    /// The SMP that DNS has for a participant, ours or another one.
    pub(super) async fn smp_of(
        &self,
        participant: &ParticipantId,
    ) -> Result<Option<String>, String> {
        let records = self.dns.naptr(&dns_name(participant, &self.zone)).await;
        let records = records.map_err(|error| error.to_string())?;
        if records.is_empty() {
            return Ok(None);
        }
        publisher(&records, self.reach).map(Some).map_err(|fault| fault.to_string())
    }
}

/// The configured value of a variable.
pub(super) fn configured<'a>(
    value: Option<&'a String>,
    variable: &'static str,
) -> Result<&'a str, Hindrance> {
    let missing = || Hindrance::Passing(format!("{variable} is not set"));
    value.map(String::as_str).ok_or_else(missing)
}
