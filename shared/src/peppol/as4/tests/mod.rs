//! Messages whole: written and read, captured and forged.

mod canonical;
mod captured;
mod rounds;
mod world;
