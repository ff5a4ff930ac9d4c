//! Valid documents of every kind, made by chance: each field, flag, category and type, in
//! combinations that make sense. [`cases`] is a proptest strategy; the program `generate` writes
//! the documents to files.

mod case;
mod choices;
mod coverage;
mod lines;
mod object;
mod parties;
mod payment;
mod scenario;

pub use case::{Case, cases};
pub use choices::Choices;
pub use coverage::Coverage;
pub use scenario::Flags;
