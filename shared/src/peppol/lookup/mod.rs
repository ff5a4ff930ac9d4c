//! From a participant to the endpoint of its access point: DNS, then the SMP.
//!
//! [`find`] walks the way and asks by [`Ask`]; it ends with what can be sent to, or with one of the four outcomes of
//! [`LookupError`], which are kept apart wherever a sender is told.

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
