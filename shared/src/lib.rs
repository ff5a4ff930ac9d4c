//! A UAE e-invoicing access point: everything the Lambda functions share.
//!
//! The modules form floors; arrows point down only and no two modules import each other:
//!
//! | floor | modules | knows nothing of |
//! |---|---|---|
//! | 1 | [`types`], [`error`] | everything else |
//! | 2 | [`document`] | XML, AWS |
//! | 3 | [`ubl`], [`webhook`], [`access`] | AWS, HTTP frameworks |
//! | 4 | [`store`] | HTTP |
//! | 5 | [`service`] | HTTP frameworks |
//! | 6 | [`api`] | DynamoDB expressions |
//!
//! A send walks straight through them: `api` → `service` → `document` → `ubl` → `store`.

pub mod access;
pub mod api;
pub mod config;
pub mod document;
pub mod error;
pub mod lambda;
pub mod log;
pub mod service;
pub mod store;
#[cfg(test)]
mod testing;
pub mod types;
pub mod ubl;
pub mod webhook;
