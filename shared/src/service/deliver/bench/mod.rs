//! Benchmarks of the delivery engine: CPU time, memory, and the latency of endpoints beside a dead and a slow one. Run
//! by `tests/bench/run deliveries`.

mod drain;
mod engine;
mod neighbours;

use super::*;
use crate::egress::{Client, Egress};

/// How many endpoints receive the events.
const ENDPOINTS: usize = 50;
/// How many messages one execution gets at once.
const BATCH: usize = 10;

/// The delivery state of a function's process.
fn delivering(ctx: &super::super::Context, world: &crate::testing::World) -> Delivering {
    Delivering {
        ctx: ctx.clone(),
        queue: world.relaying.deliver.clone(),
        client: Client::keeping(Egress::Any).unwrap(),
        sealing_key: crate::testing::sealing_key().into(),
        open_breakers: OpenBreakers::default(),
    }
}
