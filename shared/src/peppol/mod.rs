//! Peppol, bytes in and bytes out: what a message between access points is made of and how it is read. Nothing here
//! keeps state; requests leave at the rim alone ([`lookup`]).
//!
//! | room | holds |
//! |---|---|
//! | [`identifiers`] | document types, processes, seats, service providers, and how wildcards match |
//! | [`sbdh`] | the envelope around a document |
//! | [`pki`] | certificates, trust, revocation, and the keys that are ours |
//! | [`as4`] | the message on the wire, its receipt and its errors |
//! | [`smp`] | what a participant can receive and where, as written and as read |
//! | [`sml`] | what an SMP tells the SML, and what the SML answers |
//! | [`lookup`] | the way from a participant to the endpoint of its access point |
//! | [`mls`] | the Message Level Status, as written and as read |
//! | [`statistics`] | what a provider tells OpenPeppol every month, as written |

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
