//! Certificates, trust and keys.
