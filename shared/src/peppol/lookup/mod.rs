//! Discovery: from a participant to the endpoint of its access point. It asks DNS, then the SMP.
//!
//! [`find`] runs the steps and sends requests by [`Ask`]. It returns an endpoint or one of the four outcomes of
//! [`LookupError`]. Every report to a sender keeps these outcomes apart.

mod ask;
mod error;
mod name;
mod naptr;
mod remembered;
#[cfg(test)]
mod tests;
mod walk;

pub use ask::{Answer, Ask, AskError};
pub use error::{Defective, Failure, LookupError, NotRegistered};
pub use name::{dns_name, zone};
pub use naptr::{Naptr, NaptrFault, publisher};
pub use remembered::Remembered;
pub use walk::{Found, Query, Step, Terms, find};
