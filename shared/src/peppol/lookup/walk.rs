//! The steps of a lookup:
//!
//! 1. DNS;
//! 2. the registration that covers the document;
//! 3. its metadata, after at most one redirect to another SMP;
//! 4. the access point and its certificate.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::{
    ask::Ask,
    error::{Defective, Failure, LookupError, NotRegistered},
    name::dns_name,
    naptr::publisher,
};
use crate::{
    peppol::{
        identifiers::{
            DocumentType, DocumentTypeScheme, Process, TRANSPORT_PROFILE, matches_from,
            participant_uri,
        },
        pki::{Certificate, Role, Trust, TrustError, Trusted},
        smp::{
            NotCapable, Reach, Redirect, ServiceGroup, ServiceInformation, ServiceMetadata,
            SignedMetadata, check_address, choose, group_path, metadata_path,
        },
    },
    types::ParticipantId,
};

/// The document and its recipient.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Query {
    /// The recipient.
    pub participant: ParticipantId,
    /// The type of the document; never a wildcard.
    pub document_type: DocumentType,
    /// Its process.
    pub process: Process,
    /// Where the search for a registration starts, when the sender skips narrower ones. It is in the wildcard scheme
    /// and covers the document.
    pub sought: Option<DocumentType>,
}

/// The settings of a lookup.
#[derive(Debug, Clone, Copy)]
pub struct Terms<'a> {
    /// The zone of the network's participants ([`zone`](super::zone)).
    pub zone: &'a str,
    /// The addresses that requests may reach.
    pub reach: Reach,
    /// The authorities of the network.
    pub trust: &'a Trust,
    /// The time of the lookup.
    pub now: Timestamp,
}

/// The result of a lookup.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Found {
    /// The address of the access point.
    pub address: String,
    /// The certificate to encrypt for; the receipt must be signed with it.
    pub certificate: Trusted,
    /// The registration that covers the document: the document's type, or a wildcard.
    pub registration: DocumentType,
    /// The end of service; `None` without a limit.
    pub expiration: Option<Timestamp>,
    /// The SMP from the DNS record.
    pub publisher: String,
    /// The steps of the lookup.
    pub steps: Vec<Step>,
}

/// One step of the lookup.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Step {
    /// The name or address that was queried.
    pub asked: String,
    /// The result of the query.
    pub learned: String,
}

/// Finds the access point for a document.
pub async fn find(ask: &impl Ask, query: &Query, terms: &Terms<'_>) -> Result<Found, LookupError> {
    let mut walk = Walk { ask, query, terms, steps: Vec::new() };
    let publisher = walk.publisher().await?;
    let registration = walk.registration(&publisher).await?;
    let information = walk.information(&publisher, &registration).await?;
    let endpoint = choose(&information, &query.process, TRANSPORT_PROFILE, terms.now, terms.reach)?;
    let certificate = trusted(ask, terms, &endpoint.certificate, Role::AccessPoint)
        .await
        .map_err(LookupError::of_access_point)?;
    Ok(Found {
        address: endpoint.address,
        certificate,
        registration,
        expiration: endpoint.expiration,
        publisher,
        steps: walk.steps,
    })
}

struct Walk<'a, A> {
    ask: &'a A,
    query: &'a Query,
    terms: &'a Terms<'a>,
    steps: Vec<Step>,
}

impl<A: Ask> Walk<'_, A> {
    fn step(&mut self, asked: &str, learned: impl Into<String>) {
        self.steps.push(Step { asked: asked.to_owned(), learned: learned.into() });
    }

    /// The SMP from the DNS record.
    async fn publisher(&mut self) -> Result<String, LookupError> {
        let name = dns_name(&self.query.participant, self.terms.zone);
        let records = match self.ask.naptr(&name).await {
            Ok(records) if records.is_empty() => return Err(NotRegistered::Dns(name).into()),
            Ok(records) => records,
            Err(cause) => return Err(Failure::Dns { name, cause }.into()),
        };
        let publisher = publisher(&records, self.terms.reach).map_err(Defective::Dns)?;
        self.step(&name, publisher.as_str());
        Ok(publisher)
    }

    /// The registration that covers the document (PFUOI 4.4). In the exact scheme it is the document's type, without
    /// a query. In the wildcard scheme it is the narrowest one in the recipient's ServiceGroup.
    async fn registration(&mut self, publisher: &str) -> Result<DocumentType, LookupError> {
        let (participant, wanted) = (&self.query.participant, &self.query.document_type);
        if wanted.scheme() == DocumentTypeScheme::Exact {
            return Ok(wanted.clone());
        }
        let url = format!("{publisher}{}", group_path(participant));
        let body = self.get(&url).await?;
        let body = body.ok_or_else(|| NotRegistered::Publisher(url.clone()))?;
        let group =
            ServiceGroup::read(&body).map_err(|error| LookupError::of_document(&url, error))?;
        same(&url, participant, &group.participant)?;
        let sought = self.query.sought.as_ref();
        let registration = matches_from(&group.document_types, wanted, sought);
        let registration = registration.cloned().ok_or_else(|| match sought {
            Some(sought) => NotCapable::Sought(sought.to_string()),
            None => NotCapable::DocumentType,
        })?;
        self.step(&url, registration.to_string());
        Ok(registration)
    }

    /// The metadata of a registration, from this SMP or from the SMP that it redirects to.
    async fn information(
        &mut self,
        publisher: &str,
        registration: &DocumentType,
    ) -> Result<ServiceInformation, LookupError> {
        let url = format!("{publisher}{}", metadata_path(&self.query.participant, registration));
        let found = self.metadata(&url).await?;
        let (metadata, signer) = found.ok_or_else(|| self.absent(&url))?;
        let learned = format!("signed by {}", signer.subject());
        self.step(&url, learned);
        let (url, information) = match metadata {
            ServiceMetadata::Information(information) => (url, information),
            ServiceMetadata::Redirect(redirect) => self.follow(&url, redirect).await?,
        };
        // Peppol SMP 1.4: a valid signature may cover the metadata of another participant.
        same(&url, &self.query.participant, &information.participant)?;
        same(&url, registration, &information.document_type)?;
        Ok(information)
    }

    /// The error for missing metadata. In the exact scheme no ServiceGroup has listed it, so the recipient is not
    /// capable.
    fn absent(&self, url: &str) -> LookupError {
        if self.query.document_type.scheme() == DocumentTypeScheme::Exact {
            return NotCapable::DocumentType.into();
        }
        Defective::Unlisted { url: url.to_owned() }.into()
    }

    /// Follows one redirect, to the SMP with the announced certificate.
    async fn follow(
        &mut self,
        from: &str,
        redirect: Redirect,
    ) -> Result<(String, ServiceInformation), LookupError> {
        let Redirect { href: url, certificate_uid: expected } = redirect;
        check_address(&url, self.terms.reach)
            .map_err(|error| Defective::RedirectAddress { url: from.to_owned(), error })?;
        let found = self.metadata(&url).await?;
        let (metadata, signer) = found.ok_or_else(|| Defective::Unlisted { url: url.clone() })?;
        if !signer.has_subject(&expected) {
            let signer = signer.subject();
            return Err(Defective::RedirectSigner { url, signer, expected }.into());
        }
        match metadata {
            ServiceMetadata::Information(information) => {
                self.step(&url, format!("signed by {}", signer.subject()));
                Ok((url, information))
            }
            ServiceMetadata::Redirect(_) => Err(Defective::RedirectTwice { url }.into()),
        }
    }

    /// The verified metadata and its signer.
    async fn metadata(
        &self,
        url: &str,
    ) -> Result<Option<(ServiceMetadata, Certificate)>, LookupError> {
        let Some(body) = self.get(url).await? else { return Ok(None) };
        let signed =
            SignedMetadata::read(&body).map_err(|error| LookupError::of_document(url, error))?;
        let signer = trusted(self.ask, self.terms, signed.signer(), Role::Publisher)
            .await
            .map_err(|error| LookupError::of_publisher(url, error))?;
        let metadata = signed
            .verify(&signer)
            .map_err(|error| Defective::Signature { url: url.to_owned(), error })?;
        Ok(Some((metadata, (*signer).clone())))
    }

    /// The body at an address; `None` for the statuses 404 and 410.
    async fn get(&self, url: &str) -> Result<Option<Vec<u8>>, LookupError> {
        let url = url.to_owned();
        match self.ask.get(&url).await {
            Ok(answer) => match answer.status {
                200 => Ok(Some(answer.body)),
                404 | 410 => Ok(None),
                status => Err(Failure::Status { url, status }.into()),
            },
            Err(cause) => Err(Failure::Unreachable { url, cause }.into()),
        }
    }
}

/// Checks a certificate against the revocations known now.
pub(super) async fn trusted(
    ask: &impl Ask,
    terms: &Terms<'_>,
    certificate: &Certificate,
    role: Role,
) -> Result<Trusted, TrustError> {
    let revocations = ask.revocations(certificate, role).await;
    terms.trust.check(certificate, role, terms.now, &revocations)
}

/// Checks that the answer is about the requested identifier.
fn same<T: Named>(url: &str, asked: &T, answered: &T) -> Result<(), Defective> {
    if asked == answered {
        return Ok(());
    }
    let (url, asked, answered) = (url.to_owned(), asked.named(), answered.named());
    Err(Defective::OtherAnswer { url, asked, answered })
}

/// An identifier that an answer names.
trait Named: PartialEq {
    fn named(&self) -> String;
}

impl Named for ParticipantId {
    fn named(&self) -> String {
        participant_uri(self)
    }
}

impl Named for DocumentType {
    fn named(&self) -> String {
        self.to_string()
    }
}
