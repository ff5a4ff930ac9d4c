//! What an SMP publishes: Peppol SMP 1.4.
