//! What the functions' shells share: the cold start, and batches with partial failures.

mod batch;
mod start;

pub use batch::each_message;
pub use start::aws;
