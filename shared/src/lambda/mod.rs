//! What the functions' shells share: the cold start, batches with partial failures, and the whole
//! of a stage.

mod batch;
mod stage;
mod start;

pub use batch::each_message;
pub use stage::run_stage;
pub use start::{aws, sealing_keys};
