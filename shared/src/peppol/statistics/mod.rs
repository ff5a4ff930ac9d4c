//! Peppol's own reports, as written: what a provider tells OpenPeppol every month (Internal Regulations 4.3 and 4.4;
//! Transaction Statistics Report 1.0.2, End User Statistics Report 1.1).
//!
//! A month of counts cannot break the official rules: what must add up is added up here, and what may occur once is
//! put together.

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
