//! What the functions' shells share: the cold start, and batches with partial failures.

mod batch;
mod courier;
mod start;

pub use batch::each_message;
pub use courier::sealing_key;
pub use start::aws;
