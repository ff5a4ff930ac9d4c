//! The identifiers of the network: Policy for use of Identifiers.
