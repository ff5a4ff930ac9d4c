//! The reports of a provider to OpenPeppol, written (Internal Regulations 4.3 and 4.4; Transaction Statistics
//! Report 1.0.2, End User Statistics Report 1.1).
//!
//! A report cannot break the official rules: this module computes the sums and merges repeated entries.

mod country;
mod end_users;
mod groups;
mod kind;
mod month;
#[cfg(test)]
mod tests;
mod transactions;
mod write;

pub use country::Country;
pub use end_users::{EndUser, EndUsers, Role};
pub use kind::Kind;
pub use month::{Month, MonthError};
pub use transactions::{Direction, Exchanges, Transactions};
