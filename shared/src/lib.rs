//! A UAE e-invoicing access point: everything the Lambda functions share.
//!
//! The modules form floors; arrows point down only and no two modules import each other:
//!
//! | floor | modules | knows nothing of |
//! |---|---|---|
//! | 1 | [`types`], [`error`], [`codes`], [`tasks`] | everything else |
//! | 2 | [`document`], [`xml`] | each other, AWS |
//! | 3 | [`ubl`], [`schema`], [`rules`], [`egress`], [`webhook`], [`access`] | AWS, HTTP frameworks |
//! | 4 | [`pint`], [`taxdata`], [`mls`] | AWS, HTTP frameworks |
//! | 5 | [`validate`], [`store`] | HTTP |
//! | 6 | [`service`] | HTTP frameworks |
//! | 7 | [`api`] | DynamoDB expressions |
//!
//! A send walks straight through them: `api` → `service` → `document` → `ubl` → `validate` → `store`.

pub mod access;
pub mod api;
pub mod codes;
pub mod config;
pub mod document;
pub mod egress;
pub mod error;
pub mod lambda;
pub mod log;
pub mod mls;
pub mod pint;
pub mod rules;
pub mod schema;
pub mod service;
pub mod store;
pub mod tasks;
pub mod taxdata;
#[cfg(test)]
mod testing;
pub mod types;
pub mod ubl;
pub mod validate;
pub mod webhook;
pub mod xml;
