//! The answers of our SMP: registered participants, their document types, and their endpoints. Metadata is signed for
//! each answer. A signature takes less time than the reads before it, and a stored signature would outlive a change of
//! certificate.

use std::sync::Arc;

use super::Context;
use crate::{
    peppol::{
        identifiers::{DocumentType, PARTICIPANT_SCHEME, Process, SeatId},
        pki::{Certificate, Signer},
        smp::{
            BusinessCard, ServiceEndpoint, ServiceGroup, ServiceInformation, ServiceMetadata,
            ServiceProcess,
        },
    },
    store::{Recipient, Register, RegisteredService, RegistrationRecord, StoreError},
    types::{Mode, ParticipantId},
};

/// What answering as our SMP needs.
#[derive(Clone)]
pub struct Publishing {
    /// The table, the clock and the random source.
    pub ctx: Context,
    /// Our SMP.
    pub publisher: Arc<Publisher>,
}

/// Our SMP.
pub struct Publisher {
    /// Its address, without a slash at its end.
    pub smp_url: String,
    /// Signs what it publishes.
    pub signer: Box<dyn Signer>,
    /// The address of our access point.
    pub as4_url: String,
    /// The certificates of our access point.
    pub certificates: Vec<Certificate>,
}

/// The SMP publishes Live participants only.
const MODE: Mode = Mode::Live;

/// The participant that a path names, `iso6523-actorid-upis::0235:…`. Case does not matter (PFUOI, POLICY 5).
fn participant(text: &str) -> Option<ParticipantId> {
    let (scheme, value) = text.split_once("::")?;
    scheme.eq_ignore_ascii_case(PARTICIPANT_SCHEME).then_some(())?;
    value.parse().ok()
}

/// The ServiceGroup of a participant, as XML. `None` when it is not registered.
pub async fn group(publishing: &Publishing, who: &str) -> Result<Option<String>, StoreError> {
    let Some(participant) = participant(who) else { return Ok(None) };
    let Some(services) = services(publishing, &participant).await? else { return Ok(None) };
    let document_types = services.into_iter().map(|service| service.document_type).collect();
    let group = ServiceGroup { participant, document_types };
    Ok(Some(group.write(&publishing.publisher.smp_url)))
}

/// The SignedServiceMetadata of one registration, as XML. `None` when there is none.
pub async fn metadata(
    publishing: &Publishing,
    who: &str,
    document_type: &str,
) -> Result<Option<String>, StoreError> {
    let (Some(participant), Ok(document_type)) =
        (participant(who), document_type.parse::<DocumentType>())
    else {
        return Ok(None);
    };
    let Some(services) = services(publishing, &participant).await? else { return Ok(None) };
    let registered = services.into_iter().filter(|service| service.document_type == document_type);
    let registered: Vec<_> = registered.collect();
    if registered.is_empty() {
        return Ok(None);
    }
    // A redirect applies to the whole document type, with all its processes.
    let metadata = match registered.iter().find_map(|service| service.redirect.clone()) {
        Some(redirect) => ServiceMetadata::Redirect(redirect),
        None => {
            let processes = publishing.processes(registered)?;
            let information = ServiceInformation { participant, document_type, processes };
            ServiceMetadata::Information(information)
        }
    };
    let signed = metadata.sign(&*publishing.publisher.signer).await;
    signed.map(Some).map_err(|error| StoreError::Unavailable(error.into()))
}

/// The business card of a participant, as XML. `None` when it is not listed.
pub async fn business_card(
    publishing: &Publishing,
    who: &str,
) -> Result<Option<String>, StoreError> {
    let Some(participant) = participant(who) else { return Ok(None) };
    let Some(recipient) = recipient(publishing, &participant).await? else { return Ok(None) };
    let listing = registration(publishing, &recipient, Register::Directory).await?;
    let network = registration(publishing, &recipient, Register::Network).await?;
    if listing.is_none() || network.is_none() {
        return Ok(None);
    }
    let card = publishing.ctx.store.get_business_card(MODE, &recipient.taxpayer_id).await?;
    Ok(card.map(|card| BusinessCard { participant, entities: card.entities }.write()))
}

/// The services that a participant is registered for. `None` when it is not registered.
async fn services(
    publishing: &Publishing,
    participant: &ParticipantId,
) -> Result<Option<Vec<RegisteredService>>, StoreError> {
    if publishing.is_ours(participant) {
        return Ok(Some(vec![RegisteredService {
            document_type: DocumentType::MESSAGE_LEVEL_STATUS,
            process: Process::MESSAGE_LEVEL_STATUS,
            redirect: None,
        }]));
    }
    let Some(recipient) = recipient(publishing, participant).await? else { return Ok(None) };
    let network = registration(publishing, &recipient, Register::Network).await?;
    Ok(network.map(|network| network.services))
}

/// The taxpayer of a participant. The identifier must be exactly the registered one.
async fn recipient(
    publishing: &Publishing,
    participant: &ParticipantId,
) -> Result<Option<Recipient>, StoreError> {
    let found = publishing.ctx.store.find_participant(MODE, participant).await?;
    Ok(found.filter(|recipient| recipient.participant_id == *participant))
}

/// A taxpayer's registration in a register, as long as it is served.
async fn registration(
    publishing: &Publishing,
    recipient: &Recipient,
    register: Register,
) -> Result<Option<RegistrationRecord>, StoreError> {
    let store = &publishing.ctx.store;
    let found = store.get_registration(MODE, &recipient.taxpayer_id, register).await?;
    Ok(found.filter(|found| found.status.is_served()))
}

impl Publishing {
    /// The processes of services, each with the endpoint of our access point.
    fn processes(
        &self,
        services: Vec<RegisteredService>,
    ) -> Result<Vec<ServiceProcess>, StoreError> {
        let Publisher { as4_url, smp_url, .. } = &*self.publisher;
        // The contact address is that of the SMP.
        let endpoint = ServiceEndpoint::ours(as4_url, self.certificate()?, smp_url);
        let at_ours = |process| ServiceProcess { process, endpoints: vec![endpoint.clone()] };
        Ok(services.into_iter().map(|service| at_ours(service.process)).collect())
    }

    /// The newest valid certificate, which others encrypt for. Its key also signs.
    fn certificate(&self) -> Result<&Certificate, StoreError> {
        let newest = Certificate::newest_valid(&self.publisher.certificates, self.ctx.now());
        newest.ok_or_else(|| {
            StoreError::Unavailable("no certificate of this service is valid now".into())
        })
    }

    /// Whether a participant is this access point itself (SPIS).
    fn is_ours(&self, participant: &ParticipantId) -> bool {
        let seats = self.publisher.certificates.iter();
        let mut seats = seats.filter_map(|one| one.common_name().parse::<SeatId>().ok());
        seats.any(|seat| seat.spid().participant() == participant)
    }
}
