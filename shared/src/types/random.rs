use std::sync::atomic::{AtomicU64, Ordering};

use sha2::{Digest, Sha256};

/// A source of randomness. Every use case takes a source, so it can be replayed.
pub trait Random: Send + Sync {
    /// Fills `bytes` with unpredictable bytes.
    fn fill(&self, bytes: &mut [u8]);
}

/// The operating system's generator.
#[derive(Debug, Clone, Copy, Default)]
pub struct SystemRandom;

impl Random for SystemRandom {
    #[expect(clippy::disallowed_methods, reason = "the one place that asks for randomness")]
    #[expect(clippy::expect_used, reason = "without randomness no secret may be made: stop")]
    fn fill(&self, bytes: &mut [u8]) {
        getrandom::fill(bytes).expect("the operating system gives randomness");
    }
}

/// A reproducible source for tests and replays: SHA-256 over a seed and a counter.
#[derive(Debug, Default)]
pub struct SeededRandom {
    seed: u64,
    counter: AtomicU64,
}

impl SeededRandom {
    /// The source for a seed.
    pub fn new(seed: u64) -> Self {
        SeededRandom { seed, counter: AtomicU64::new(0) }
    }
}

impl Random for SeededRandom {
    fn fill(&self, bytes: &mut [u8]) {
        for chunk in bytes.chunks_mut(32) {
            let block = self.counter.fetch_add(1, Ordering::Relaxed);
            let mut input = [0; 16];
            input[..8].copy_from_slice(&self.seed.to_be_bytes());
            input[8..].copy_from_slice(&block.to_be_bytes());
            let digest = Sha256::digest(input);
            chunk.copy_from_slice(&digest[..chunk.len()]);
        }
    }
}
