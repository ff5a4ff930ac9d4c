//! A UAE e-invoicing access point: everything the Lambda functions share.
//!
//! The modules form floors; arrows point down only and no two modules import each other:
//!
//! | floor | modules | knows nothing of |
//! |---|---|---|
//! | 1 | [`types`], [`error`], [`codes`], [`environment`], [`log`], [`tasks`], [`i18n`] | everything else |
//! | 2 | [`document`], [`xml`] | each other, AWS, HTTP frameworks |
//! | 3 | [`bagit`], [`import_tables`], [`ubl`], [`schema`], [`rules`], [`egress`], [`webhook`], [`access`] | AWS, HTTP frameworks |
//! | 4 | [`pint`], [`taxdata`], [`mls`], [`statistics`], [`peppol`] | AWS, HTTP frameworks |
//! | 5 | [`validate`], [`rendering`], [`store`], [`config`] | HTTP frameworks |
//! | 6 | [`service`] | HTTP frameworks |
//! | 7 | [`api`], [`lambda`], [`pages`] | DynamoDB expressions |
//! | 8 | [`docs`] | DynamoDB expressions |
//! | 9 | [`cli`], [`functions`] | DynamoDB expressions |
//!
//! `floors.rs` holds every module to this table. Only the validator, the network's messages and the entry points are public:
//! [`functions`] for the `main` of each function, and [`cli`]. The compiler reports everything else that nothing uses.
//!
//! A send walks straight through them: `api` → `service` → `document` → `ubl` → `validate` → `store`.
//!
//! Without features the crate validates and converts documents, without AWS and HTTP: `types`, `error`, `codes`,
//! `environment`, `document`, `xml`, `ubl`, `schema`, `rules`, `pint`, `taxdata`, `mls`, `statistics` and `validate`. The
//! features add to that:
//!
//! - `peppol`: the network's messages, still without AWS and HTTP;
//! - `cli`: the command line, with the commands that the other features allow;
//! - `client`: outgoing HTTP, without AWS; `integrator`: that and `cli`, for the commands that are clients of the HTTP interface;
//! - `service`: the use cases, with AWS and HTTP;
//! - `pdf`: documents as PDF, with the typesetter that this takes.

#![cfg_attr(
    not(all(feature = "cli", feature = "pdf")),
    allow(dead_code, unused_imports, reason = "only a command or the function pdf uses it")
)]
#![allow(
    rustdoc::private_intra_doc_links,
    reason = "the documentation is built with private items"
)]

#[cfg(feature = "service")]
mod access;
#[cfg(feature = "service")]
mod api;
#[cfg(feature = "service")]
mod bagit;
#[cfg(feature = "cli")]
pub mod cli;
pub mod codes;
#[cfg(feature = "service")]
mod config;
#[cfg(feature = "service")]
mod docs;
pub mod document;
#[cfg(feature = "client")]
pub mod egress;
pub mod environment;
pub mod error;
#[cfg(test)]
mod floors;
#[cfg(feature = "service")]
pub mod functions;
#[cfg(feature = "service")]
mod i18n;
#[cfg(feature = "service")]
mod import_tables;
#[cfg(feature = "service")]
mod lambda;
#[cfg(feature = "service")]
mod log;
pub mod mls;
#[cfg(feature = "service")]
mod pages;
#[cfg(feature = "peppol")]
pub mod peppol;
pub mod pint;
#[cfg(feature = "service")]
pub mod rendering;
pub mod rules;
pub mod schema;
#[cfg(feature = "service")]
mod service;
pub mod statistics;
#[cfg(feature = "service")]
mod store;
#[cfg(feature = "service")]
mod tasks;
pub mod taxdata;
#[cfg(feature = "service")]
#[cfg(test)]
mod testing;
pub mod types;
pub mod ubl;
pub mod validate;
#[cfg(feature = "client")]
pub mod webhook;
pub mod xml;

/// The examples of the README, which the documentation tests run.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
