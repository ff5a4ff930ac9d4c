//! What a run measures: times, counts, backlogs.

/// A histogram of times, in bins that grow by 4 %.
#[derive(Debug, Clone)]
pub struct Histogram {
    bins: Vec<f64>,
    sum: f64,
}

/// The upper end of the first bin (seconds).
const LEAST: f64 = 0.001;
const GROWTH: f64 = 1.04;
const BINS: usize = 560;

impl Default for Histogram {
    fn default() -> Self {
        Histogram { bins: vec![0.0; BINS], sum: 0.0 }
    }
}

impl Histogram {
    /// Adds a time (seconds) of so many documents.
    pub fn add(&mut self, time: f64, weight: f64) {
        let bin = ((time.max(LEAST) / LEAST).ln() / GROWTH.ln()) as usize;
        self.bins[bin.min(BINS - 1)] += weight;
        self.sum += weight;
    }

    /// The time (seconds) that a share of the documents does not exceed; none without documents.
    pub fn quantile(&self, share: f64) -> Option<f64> {
        let wanted = self.sum * share;
        let mut seen = 0.0;
        let bin = self.bins.iter().position(|it| {
            seen += it;
            seen >= wanted && seen > 0.0
        });
        bin.map(|bin| LEAST * GROWTH.powf(bin as f64 + 0.5))
    }

    /// The share of documents that took at most a time (seconds).
    pub fn within(&self, time: f64) -> Option<f64> {
        let last = ((time / LEAST).ln() / GROWTH.ln()) as usize;
        let seen: f64 = self.bins.iter().take(last + 1).sum();
        (self.sum > 0.0).then_some(seen / self.sum)
    }
}

/// What is timed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Timed {
    /// From the client's first request to the answer that the document is accepted, of a synchronous send.
    Send,
    /// From an event to the first attempt at its delivery.
    Webhook,
    /// From the sending of a received document (M1) to our status.
    Status,
    /// From when a report is due until the authority has it.
    Report,
}

/// All of them.
pub const TIMED: [Timed; 4] = [Timed::Send, Timed::Webhook, Timed::Status, Timed::Report];

/// Times, of all documents and of bystanders alone.
#[derive(Debug, Clone, Default)]
pub struct Times {
    all: [Histogram; 4],
    bystanders: [Histogram; 4],
}

impl Times {
    /// Adds a time (seconds).
    pub fn add(&mut self, what: Timed, time: f64, weight: f64, bystander: bool) {
        self.all[what as usize].add(time, weight);
        if bystander {
            self.bystanders[what as usize].add(time, weight);
        }
    }

    /// The times of all documents.
    pub fn all(&self, what: Timed) -> &Histogram {
        &self.all[what as usize]
    }

    /// The times of bystanders.
    pub fn bystanders(&self, what: Timed) -> &Histogram {
        &self.bystanders[what as usize]
    }
}

/// What became of the documents.
#[derive(Debug, Clone, Copy, Default)]
pub struct Ledger {
    /// Offered by clients and by other access points.
    pub offered: f64,
    /// Accepted: the client or the other access point has an answer that says so.
    pub accepted: f64,
    /// Given up by a client after its retries; nothing of them is kept.
    pub refused: f64,
    /// Offered and not decided at the end.
    pub waiting: f64,
    /// Accepted, with every stage done.
    pub closed: f64,
    /// Accepted, with work that goes on at the end.
    pub open: f64,
    /// Accepted, with work that ended without success and says so: an access point that was dead for a day, an endpoint.
    pub failed: f64,
    /// Accepted, with a parked job, which an operator redrives.
    pub parked: f64,
    /// Accepted, with a stage that is not done and that nothing will do.
    pub lost: f64,
    /// Effects that were made again under the same id, which the receiver recognises.
    pub repeated: f64,
    /// Effects that were made again under another id.
    pub doubled: f64,
}

/// What was used, for the bill.
#[derive(Debug, Clone, Copy, Default)]
pub struct Used {
    /// Write units.
    pub writes: f64,
    /// Read units.
    pub reads: f64,
    /// PUTs.
    pub puts: f64,
    /// GETs.
    pub gets: f64,
    /// GB seconds.
    pub gb_seconds: f64,
    /// Invocations.
    pub invocations: f64,
    /// Requests to queues.
    pub queue_requests: f64,
    /// Requests to the HTTP API.
    pub http: f64,
}

/// Backlogs over time.
#[derive(Debug, Clone, Default)]
pub struct Series {
    /// Time between two samples (seconds).
    pub step: f64,
    /// Name and samples.
    pub lines: Vec<(String, Vec<f64>)>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_histogram_knows_its_quantiles_within_a_bin() {
        let mut histogram = Histogram::default();
        for time in 1..=10_000 {
            histogram.add(f64::from(time) / 1000.0, 2.0);
        }
        let close = |found: Option<f64>, exact: f64| (found.unwrap() / exact - 1.0).abs() < 0.04;
        assert!(close(histogram.quantile(0.5), 5.0), "{:?}", histogram.quantile(0.5));
        assert!(close(histogram.quantile(0.99), 9.9), "{:?}", histogram.quantile(0.99));
        assert!(close(histogram.within(2.5), 0.25), "{:?}", histogram.within(2.5));
        assert_eq!(Histogram::default().quantile(0.5), None);
    }
}
