//! From a participant to the endpoint of its access point: DNS, then the SMP.
