//! Checks whether this access point serves the receiver of a message, and its document type and process.

use jiff::Timestamp;

use crate::{
    access::TaxpayerStatus,
    document::Operation,
    peppol::{
        identifiers::{DocumentType, Process, Spid, matches},
        sbdh::Header,
    },
    service::{Context, network::Network, transmit::envelope::kind},
    store::{Addressee, Register, RegisteredService, StoreError},
    types::{DocumentId, Mode},
};

/// The addressee of a message, or the part of it that is not served here.
pub(super) async fn addressee(
    ctx: &Context,
    network: &Network,
    mode: Mode,
    header: &Header,
    now: Timestamp,
) -> Result<Result<Addressee, String>, StoreError> {
    let (document_type, process) = (header.document.document_type(), &header.process);
    let ours = network.seat();
    if Spid::try_from(&header.receiver).is_ok_and(|spid| ours.is_some_and(|us| *us.spid() == spid))
    {
        let is_status = *document_type == DocumentType::MESSAGE_LEVEL_STATUS
            && *process == Process::MESSAGE_LEVEL_STATUS;
        return Ok(if is_status {
            Ok(Addressee::Provider)
        } else {
            Err(format!(
                "{document_type} for a service provider, which only receives Message Level Statuses"
            ))
        });
    }
    let recipient = ctx.store.find_participant(mode, &header.receiver).await?;
    let recipient = recipient.filter(|recipient| recipient.status == TaxpayerStatus::Active);
    let Some(recipient) = recipient else {
        return Ok(Err(format!("the receiver {}", header.receiver)));
    };
    let taxpayer_id = recipient.taxpayer_id;
    let registration = ctx.store.get_registration(mode, &taxpayer_id, Register::Network).await?;
    let registration = registration.filter(|registration| registration.status.is_served());
    let Some(registration) = registration else {
        return Ok(Err(format!("the receiver {}, which is not registered", header.receiver)));
    };
    Ok(match registered_processes(&registration.services, document_type) {
        processes if processes.is_empty() => Err(format!("the document type {document_type}")),
        processes if !processes.contains(&process) => {
            Err(format!("the process {process} for {document_type}"))
        }
        _ => {
            Ok(Addressee::Taxpayer { taxpayer_id, document_id: DocumentId::new(now, &*ctx.random) })
        }
    })
}

/// The processes of the registration that covers a document type (PFUOI 4.3 and 4.4).
fn registered_processes<'r>(
    services: &'r [RegisteredService],
    document_type: &DocumentType,
) -> Vec<&'r Process> {
    let types: Vec<_> = services.iter().map(|service| service.document_type.clone()).collect();
    let found = matches(&types, document_type);
    let of_it = services.iter().filter(|service| Some(&service.document_type) == found);
    of_it.map(|service| &service.process).collect()
}

/// The operation that makes a document type. The type is matched with the wildcard against the types that taxpayers are
/// registered for (PFUOI 4.3 and 4.4).
pub(in crate::service) fn operation(document_type: &DocumentType) -> Option<Operation> {
    let registered = Operation::ALL.map(|operation| kind(operation).0.registration());
    let found = matches(&registered, document_type)?;
    Operation::ALL.into_iter().find(|operation| kind(*operation).0.registration() == *found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_four_documents_of_pint_ae_are_served_with_what_extends_them() {
        for made in Operation::ALL {
            assert_eq!(operation(&kind(made).0), Some(made));
        }
        let text = DocumentType::INVOICE.to_string();
        let extended: DocumentType = text.replace("@ae-1::", "@ae-1@more::").parse().unwrap();
        assert_eq!(operation(&extended), Some(Operation::Invoice));
        for other in [
            DocumentType::MESSAGE_LEVEL_STATUS,
            DocumentType::TAX_DATA,
            text.replace("@ae-1", "@sg-1").parse().unwrap(),
            text.replace("peppol-doctype-wildcard", "busdox-docid-qns").parse().unwrap(),
        ] {
            assert_eq!(operation(&other), None, "{other}");
        }
    }
}
