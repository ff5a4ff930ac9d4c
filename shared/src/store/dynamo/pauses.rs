//! The time between attempts.

use std::time::Duration;

use crate::types::Random;

/// The longest first pause between attempts, in milliseconds. Tests hardly wait.
const FIRST_PAUSE: u64 = if cfg!(test) { 1 } else { 20 };

/// Waits before another attempt: exponential backoff, half of it random.
pub(in crate::store) async fn pause(random: &dyn Random, attempt: u32) {
    let most = FIRST_PAUSE << attempt;
    let mut chance = [0; 2];
    random.fill(&mut chance);
    let part = u64::from(u16::from_be_bytes(chance)) * (most / 2) / u64::from(u16::MAX);
    tokio::time::sleep(Duration::from_millis(most / 2 + part)).await;
}
