//! The registers as the deployment is told of them.

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

/// What a function works with that tells registers. What the deployment was not told is none: a registration waits
/// for it, and says so.
pub struct Registries {
    /// The way out, with our SMP's certificate; none when the secret has none.
    pub client: Option<Client>,
    /// `SMP_ID`
    pub smp_id: Option<String>,
    /// `SMP_URL`
    pub smp_url: Option<String>,
    /// `SML_URL`
    pub sml_url: Option<String>,
    /// `DIRECTORY_URL`
    pub directory_url: Option<String>,
    /// Who resolves the names of participants.
    pub dns: Dns,
    /// Where they are.
    pub zone: String,
    /// Which addresses are taken.
    pub reach: Reach,
}

impl Registries {
    /// The way out.
    pub(super) fn client(&self) -> Result<&Client, Hindrance> {
        self.client.as_ref().ok_or_else(|| {
            Hindrance::Passing("the network's secret has no certificate and key of an SMP".into())
        })
    }

    /// The SMP that DNS leads to for a participant, whoever's it is.
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

/// What the deployment was told under the name of a variable.
pub(super) fn told<'a>(
    value: Option<&'a String>,
    variable: &'static str,
) -> Result<&'a str, Hindrance> {
    let missing = || Hindrance::Passing(format!("{variable} is not set"));
    value.map(String::as_str).ok_or_else(missing)
}
