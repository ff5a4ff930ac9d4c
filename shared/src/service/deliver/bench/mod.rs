//! What the delivery engine costs, what it holds in memory, and how its endpoints fare beside one that is dead and one that is
//! slow: `tests/bench/run deliveries`.

mod drain;
mod engine;
mod neighbours;

use super::*;
use crate::egress::{Client, Egress};

/// How many endpoints take the events.
const ENDPOINTS: usize = 50;
/// How many messages an execution takes at once.
const BATCH: usize = 10;

/// What delivers, as a function's process does.
fn delivering(ctx: &super::super::Context, world: &crate::testing::World) -> Delivering {
    Delivering {
        ctx: ctx.clone(),
        queue: world.relaying.deliver.clone(),
        client: Client::keeping(Egress::Any).unwrap(),
        sealing_key: crate::testing::sealing_key().into(),
        open_breakers: OpenBreakers::default(),
    }
}
