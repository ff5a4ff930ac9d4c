//! The Peppol protocols: how a message between access points is built and read. Functions here take bytes and return
//! bytes, and keep no state. Only [`lookup`] sends requests.
//!
//! | module | content |
//! |---|---|
//! | [`identifiers`] | document types, processes, seats, service providers, wildcard matching |
//! | [`sbdh`] | the envelope around a document |
//! | [`pki`] | certificates, trust, revocation, and our own keys |
//! | [`as4`] | the AS4 message, its receipt and its error signal |
//! | [`smp`] | service metadata: what a participant receives and where; written and read |
//! | [`sml`] | requests of an SMP to the SML, and the answers |
//! | [`lookup`] | discovery: from a participant to the endpoint of its access point |
//! | [`mls`] | the Message Level Status, written and read |
//! | [`statistics`] | the OpenPeppol reports, written |

pub mod as4;
mod dom;
pub mod identifiers;
pub mod lookup;
pub mod mls;
pub mod pki;
pub mod sbdh;
pub mod sml;
pub mod smp;
pub mod statistics;
