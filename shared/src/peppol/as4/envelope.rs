//! The structure of the SOAP 1.2 envelope.

use super::{names::ns, refusal::Refusal, rule::Rule};
use crate::peppol::dom::{Dom, El};

/// Elements that may occur only once in a message. Signature wrapping needs a second one.
const ONCE: [(&str, &str); 10] = [
    (ns::SOAP, "Envelope"),
    (ns::SOAP, "Header"),
    (ns::SOAP, "Body"),
    (ns::WSSE, "Security"),
    (ns::DS, "Signature"),
    (ns::EB, "Messaging"),
    (ns::EB, "UserMessage"),
    (ns::EB, "SignalMessage"),
    (ns::XENC, "EncryptedKey"),
    (ns::XENC, "EncryptedData"),
];

/// The blocks of an envelope, found by position.
pub(super) struct Envelope<'d, 's> {
    /// Header.
    header: El<'d, 's>,
    /// Header/Messaging.
    pub(super) messaging: El<'d, 's>,
    /// Header/Security, if there is one.
    pub(super) security: Option<El<'d, 's>>,
    /// Envelope/Body.
    pub(super) body: El<'d, 's>,
}

impl<'d, 's> Envelope<'d, 's> {
    /// Finds the blocks of an envelope; each may occur only once.
    pub(super) fn read(dom: &'d Dom<'s>) -> Result<Self, Refusal> {
        let root = dom.root();
        if !root.is(ns::SOAP, "Envelope") {
            return Err(Refusal::new(Rule::Envelope, format!("the root element {}", root.name())));
        }
        check_once(dom)?;
        let header = root.require(ns::SOAP, "Header", Rule::Envelope)?;
        let body = root.require(ns::SOAP, "Body", Rule::Envelope)?;
        // SOAP 1.2, part 1, 5.1: an Envelope has a Header and a Body, in this order, and nothing else.
        let mut children = root.children();
        let in_order = children.next().is_some_and(|first| first.same(header))
            && children.next().is_some_and(|second| second.same(body));
        if !in_order || children.next().is_some() {
            return Err(Refusal::new(Rule::Envelope, "other children of Envelope"));
        }
        let messaging = header.require(ns::EB, "Messaging", Rule::OnlyOnce)?;
        let security = header.all(ns::WSSE, "Security").next();
        Ok(Envelope { header, messaging, security, body })
    }

    /// SOAP 1.2, part 1, 5.2.3: an unknown header block with mustUnderstand stops the message.
    pub(super) fn check_understood(&self) -> Result<(), Refusal> {
        let is_known = |block: &El<'_, '_>| {
            block.same(self.messaging) || self.security.is_some_and(|known| block.same(known))
        };
        let demanding = |block: &El<'_, '_>| {
            matches!(block.attribute_ns(ns::SOAP, "mustUnderstand"), Some("true" | "1"))
        };
        let mut others = self.header.children().filter(|block| !is_known(block));
        let found = others.find(demanding);
        found.map_or(Ok(()), |block| Err(Refusal::new(Rule::MustUnderstand, block.path())))
    }

    /// Peppol AS4 profile 2.0.3: the payload is an attachment, so the Body of a business message is empty.
    pub(super) fn check_empty_body(&self) -> Result<(), Refusal> {
        match self.body.text_alone() {
            Some(text) if text.is_empty() => Ok(()),
            _ => Err(Refusal::new(Rule::EmptyBody, "a Body with content")),
        }
    }
}

fn check_once(dom: &Dom<'_>) -> Result<(), Refusal> {
    let mut seen = [false; ONCE.len()];
    for element in dom.elements() {
        let which = ONCE.iter().position(|(namespace, name)| element.is(namespace, name));
        let Some(seen) = which.and_then(|which| seen.get_mut(which)) else { continue };
        if std::mem::replace(seen, true) {
            return Err(Refusal::new(
                Rule::OnlyOnce,
                format!("a second one at {}", element.path()),
            ));
        }
    }
    Ok(())
}
