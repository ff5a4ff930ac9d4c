//! AS4 messages: Peppol AS4 profile 2.0.3 over ebMS 3.0 and WS-Security 1.1.

mod code;
mod dom;
mod ids;
mod mime;
mod names;
mod refusal;
mod rule;
