//! Whole messages: written, read, captured and forged.

mod answers;
mod canonical;
mod captured;
mod hostile;
mod oxalis;
mod rounds;
mod sign;
mod speed;
mod world;
