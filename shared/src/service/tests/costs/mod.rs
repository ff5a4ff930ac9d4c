//! The costs of one document at AWS, measured from the use cases. `tests/scale/run costs` prints them.
//!
//! `tests/scale/costs.json` holds the measurement. A change of the costs must write that file anew:
//! `UPDATE_COSTS=1 cargo test -p access-point --lib costs`.

mod lives;
mod record;

use serde_json::{Value, json};

pub(super) use self::lives::parts;
use self::record::Sums;
use crate::environment::Environment;

/// The budget of a life.
struct Budget {
    what: &'static str,
    measure: fn(&Sums) -> usize,
    /// The maximum. It is only ever lowered.
    ceiling: usize,
    /// The maximum of a later version.
    goal: usize,
}

/// The budget of [`DOCUMENT`], from its send to its last webhook.
const BUDGET: [Budget; 3] = [
    Budget { what: "write units", measure: Sums::write_units, ceiling: 88, goal: 90 },
    Budget { what: "read units", measure: Sums::read_units, ceiling: 25, goal: 25 },
    Budget { what: "PUTs", measure: Sums::puts, ceiling: 5, goal: 4 },
];

/// A Live document of one line, sent while the caller waits: report, verdict, status, three events, three deliveries.
const DOCUMENT: &str = "sent_1_line";

#[tokio::test]
async fn a_document_costs_what_the_file_says_and_stays_within_its_budget() {
    let lives = [
        (DOCUMENT, Box::pin(lives::sent(1)).await),
        ("retired_1_line", Box::pin(lives::retired()).await),
        ("sent_10_lines", Box::pin(lives::sent(10)).await),
        ("sent_100_lines", Box::pin(lives::sent(100)).await),
        ("queued_1_line", Box::pin(lives::queued()).await),
        ("received_1_line", Box::pin(lives::received()).await),
        ("received_retired_1_line", Box::pin(lives::received_and_retired()).await),
        ("idle_minute", Box::pin(lives::idle()).await),
    ];
    let sums = record::sum(&lives[0].1);
    let budget = BUDGET.iter().map(|Budget { what, measure, ceiling, goal }| {
        json!({"what": what, "measured": measure(&sums), "ceiling": ceiling, "goal": goal})
    });
    let budget: Vec<Value> = budget.collect();
    let lives = lives.iter().map(|(name, stages)| ((*name).to_owned(), record::life(stages)));
    let measured = json!({
        "budget": {"document": DOCUMENT, "limits": budget},
        "lives": lives.collect::<serde_json::Map<_, _>>(),
    });
    let measured = serde_json::to_string_pretty(&measured).unwrap() + "\n";
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/scale/costs.json");
    if Environment::of_process().get("UPDATE_COSTS").is_some() {
        std::fs::write(path, &measured).unwrap();
    }
    let committed = std::fs::read_to_string(path).unwrap();
    assert_eq!(committed.lines().count(), measured.lines().count());
    for (place, (was, is)) in committed.lines().zip(measured.lines()).enumerate() {
        assert!(
            was == is || are_close(was, is),
            "line {} of tests/scale/costs.json is {is}; write it anew: \
             UPDATE_COSTS=1 cargo test -p access-point --lib costs",
            place + 1
        );
    }
    for Budget { what, measure, ceiling, goal } in BUDGET {
        let measured = measure(&sums);
        assert!(measured <= ceiling, "{DOCUMENT}: {measured} {what}, not {ceiling}; goal {goal}");
    }
}

/// So many bytes may be different in an item of any size.
const A_FEW: u64 = 8;

/// Whether two lines state nearly the same bytes. Keys and signatures are random, and compress to other lengths.
fn are_close(was: &str, is: &str) -> bool {
    let [was, is] = [was, is].map(|line| {
        let (name, value) = line.trim().trim_end_matches(',').split_once("\": ")?;
        if !name.ends_with("_bytes") && !name.ends_with("_byte_days") {
            return None;
        }
        Some((name, value.parse::<u64>().ok()?))
    });
    let (Some((name, was)), Some((other, is))) = (was, is) else { return false };
    name == other && was.abs_diff(is) <= (was / 100).max(A_FEW)
}

#[test]
fn only_bytes_may_differ_and_only_a_little() {
    assert!(are_close("  \"put_bytes\": 8045,", "  \"put_bytes\": 8043,"));
    assert!(are_close("  \"expiring_byte_days\": 1300400,", "  \"expiring_byte_days\": 1300000,"));
    assert!(!are_close("  \"put_bytes\": 8045,", "  \"put_bytes\": 8145,"));
    assert!(!are_close("  \"put_bytes\": 8045,", "  \"got_bytes\": 8045,"));
    assert!(!are_close("  \"write_units\": 180,", "  \"write_units\": 181,"));
}
