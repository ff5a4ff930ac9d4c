//! The bill of a run: its counts times the prices of `shared/src/cli/cost/prices.json`.

use std::{collections::BTreeMap, fs, path::Path};

use serde::Deserialize;

use crate::measures::Used;

#[derive(Deserialize)]
struct File {
    regions: BTreeMap<String, BTreeMap<String, String>>,
}

/// The prices of a region, in USD.
#[derive(Debug)]
pub struct Prices(BTreeMap<String, f64>);

/// Bytes of logs of an invocation, and months for which they are kept (as in `access-point cost`).
const LOG_BYTES: f64 = 900.0;
const LOG_MONTHS: f64 = 3.0;

impl Prices {
    /// Reads the prices of us-east-1.
    pub fn read(path: &Path) -> Result<Self, String> {
        let of = |why: String| format!("{}: {why}", path.display());
        let text = fs::read_to_string(path).map_err(|why| of(why.to_string()))?;
        let mut file: File = serde_json::from_str(&text).map_err(|why| of(why.to_string()))?;
        let region =
            file.regions.remove("us-east-1").ok_or_else(|| of("no us-east-1".to_owned()))?;
        let number = |(name, text): (String, String)| {
            text.parse().map(|price| (name, price)).map_err(|_| of(format!("the price {text}")))
        };
        region.into_iter().map(number).collect::<Result<_, _>>().map(Prices)
    }

    fn of(&self, name: &str) -> f64 {
        self.0.get(name).copied().unwrap_or(0.0)
    }

    /// The lines of a bill: what, and USD.
    pub fn bill(&self, used: &Used) -> Vec<(&'static str, f64)> {
        let million = |count: f64, name: &str| count / 1e6 * self.of(name);
        let thousand = |count: f64, name: &str| count / 1e3 * self.of(name);
        let logs = used.invocations * LOG_BYTES / f64::from(1 << 30);
        vec![
            ("table writes", million(used.writes, "table_writes_million")),
            ("table reads", million(used.reads, "table_reads_million")),
            ("bucket", thousand(used.puts, "puts_thousand") + thousand(used.gets, "gets_thousand")),
            (
                "Lambda",
                used.gb_seconds * self.of("lambda_gb_second")
                    + million(used.invocations, "lambda_requests_million"),
            ),
            ("queues", million(used.queue_requests, "queue_requests_million")),
            ("HTTP API", million(used.http, "http_requests_million")),
            ("logs", logs * (self.of("logs_gb") + LOG_MONTHS * self.of("logs_gb_month"))),
        ]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_million_write_units_cost_what_the_price_file_says() {
        let path =
            Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/src/cli/cost/prices.json");
        let prices = Prices::read(&path).unwrap();
        let bill = prices.bill(&Used { writes: 2e6, ..Used::default() });
        assert_eq!(bill[0], ("table writes", 2.0 * prices.of("table_writes_million")));
        assert!(prices.of("table_writes_million") > 0.0);
        assert!(bill[1..].iter().all(|(_, usd)| *usd == 0.0));
    }
}
