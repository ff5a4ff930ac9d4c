//! Prints runs as tables of Markdown.

use std::fmt::Write as _;

use crate::{
    bill::Prices,
    ladder::Rung,
    measures::{TIMED, Timed},
    picture::short,
    provisioned::Day,
    scenario::{Disturbance, Scenario},
    world::Outcome,
};

/// A run of a scenario, and of the same load without what goes wrong.
#[derive(Debug)]
pub struct Run {
    /// The scenario.
    pub scenario: Scenario,
    /// How many documents one stood for.
    pub weight: f64,
    /// What it says.
    pub outcome: Outcome,
    /// What the quiet run says; none when nothing goes wrong.
    pub quiet: Option<Outcome>,
}

/// A status must be sent within this time (Peppol Network Policy, MLS-1), in seconds.
const STATUS_WITHIN: f64 = 1200.0;
/// The share of statuses.
const STATUS_SHARE: f64 = 0.995;
/// Bystanders' p99 may be this multiple of the quiet run's.
const BYSTANDERS: f64 = 1.2;

fn table(head: &[&str], rows: &[Vec<String>]) -> String {
    let mut text = format!("| {} |\n|{}\n", head.join(" | "), "---|".repeat(head.len()));
    for row in rows {
        let _ = writeln!(text, "| {} |", row.join(" | "));
    }
    text
}

/// A time in the unit that a reader expects.
fn time(seconds: Option<f64>) -> String {
    match seconds {
        None => "–".to_owned(),
        Some(it) if it < 0.9995 => format!("{:.0} ms", it * 1e3),
        Some(it) if it < 99.5 => format!("{it:.1} s"),
        Some(it) if it < 5400.0 => format!("{:.0} min", it / 60.0),
        Some(it) => format!("{:.1} h", it / 3600.0),
    }
}

fn percent(share: Option<f64>) -> String {
    share.map_or("–".to_owned(), |it| format!("{:.2} %", it * 100.0))
}

fn goal(reached: bool) -> &'static str {
    if reached { "" } else { " **missed**" }
}

/// Whether a limit of a scenario turned away enough to be named: one document in a thousand.
fn named(outcome: &Outcome) -> Vec<(&str, crate::limits::Met)> {
    outcome.limits.in_order(0.001 * outcome.ledger.offered)
}

/// The bystanders' p99 as a multiple of the quiet run's: the worst of what is timed.
fn bystanders(run: &Run) -> Option<(Timed, f64)> {
    let quiet = run.quiet.as_ref()?;
    TIMED
        .into_iter()
        // Who reports to an authority that is away is no bystander.
        .filter(|&what| {
            !(what == Timed::Report
                && matches!(run.scenario.disturbance, Disturbance::Authority { .. }))
        })
        .filter_map(|what| {
            let of = |outcome: &Outcome| outcome.times.bystanders(what).quantile(0.99);
            Some((what, of(&run.outcome)? / of(quiet)?))
        })
        .max_by(|one, other| one.1.total_cmp(&other.1))
}

/// The tables of all runs.
pub fn runs(runs: &[Run], prices: &Prices) -> String {
    let mut text = String::from("### Documents\n\n");
    let rows: Vec<_> = runs
        .iter()
        .map(|run| {
            let it = &run.outcome.ledger;
            let count = |value: f64| short(value);
            vec![
                format!("`{}`", run.scenario.name),
                count(it.offered),
                count(it.accepted),
                count(it.refused + it.waiting),
                format!("{}{}", count(it.lost), goal(it.lost == 0.0)),
                format!("{}{}", count(it.doubled), goal(it.doubled == 0.0)),
                count(it.repeated),
                count(it.open),
                count(it.failed),
                count(it.parked),
            ]
        })
        .collect();
    let head = [
        "scenario", "offered", "accepted", "refused", "lost", "doubled", "repeated", "open",
        "failed", "parked",
    ];
    text.push_str(&table(&head, &rows));
    text.push_str(
        "\nRefused documents were given up by their clients after six retries; nothing of them is kept. Repeated effects have \
         the id of the first\none, which the receiver recognises: the source writes ids before the first byte. So nothing is \
         doubled by construction; crash tests\nprove it (tests/README.md).\n\n### Times\n\n",
    );
    let rows: Vec<_> = runs
        .iter()
        .map(|run| {
            let of = |what: Timed| {
                let histogram = run.outcome.times.all(what);
                format!("{} / {}", time(histogram.quantile(0.5)), time(histogram.quantile(0.99)))
            };
            let status = run.outcome.times.all(Timed::Status).within(STATUS_WITHIN);
            let others = run.outcome.times.bystanders(Timed::Status).within(STATUS_WITHIN);
            // No status reaches an access point that is dead.
            let (judged, said) = match run.scenario.disturbance {
                Disturbance::Receiver { .. } => {
                    (others, format!("{}, of bystanders {}", percent(status), percent(others)))
                }
                _ => (status, percent(status)),
            };
            let ratio = bystanders(run);
            vec![
                format!("`{}`", run.scenario.name),
                of(Timed::Send),
                of(Timed::Webhook),
                of(Timed::Status),
                format!("{said}{}", goal(judged.is_none_or(|it| it >= STATUS_SHARE))),
                of(Timed::Report),
                ratio.map_or("–".to_owned(), |(what, it)| {
                    let by = if it > BYSTANDERS { format!(" ({what:?})") } else { String::new() };
                    format!("{it:.2}{by}{}", goal(it <= BYSTANDERS))
                }),
            ]
        })
        .collect();
    let head = [
        "scenario",
        "send p50 / p99",
        "webhook p50 / p99",
        "status p50 / p99",
        "within 20 min",
        "report p50 / p99",
        "bystanders",
    ];
    text.push_str(&table(&head, &rows));
    text.push_str("\n### Limits\n\n");
    let mut rows = Vec::new();
    for run in runs {
        let name = format!("`{}`", run.scenario.name);
        let limits = named(&run.outcome);
        if limits.is_empty() {
            rows.push(vec![
                name.clone(),
                "none".to_owned(),
                String::new(),
                String::new(),
                String::new(),
            ]);
        }
        rows.extend(limits.iter().enumerate().map(|(index, (limit, met))| {
            vec![
                if index == 0 { name.clone() } else { String::new() },
                format!("`{limit}`"),
                format!("{:.0}", met.rate),
                time(Some(met.at)),
                short(met.times),
            ]
        }));
    }
    let head =
        ["scenario", "limit, the first one first", "at documents a second", "after", "times"];
    text.push_str(&table(&head, &rows));
    text.push_str("\n### Peaks\n\n");
    let rows: Vec<_> = runs
        .iter()
        .map(|run| {
            vec![
                format!("`{}`", run.scenario.name),
                short(run.outcome.peak_writes),
                short(run.outcome.peak_executions),
            ]
        })
        .collect();
    let head = ["scenario", "write units a second, in a minute", "executions at once"];
    text.push_str(&table(&head, &rows));
    text.push_str(
        "\n### Bill\n\nIn USD, with the prices of `shared/src/cli/cost/prices.json`.\n\n",
    );
    let rows: Vec<_> = runs
        .iter()
        .map(|run| {
            let bill = prices.bill(&run.outcome.used);
            let sum: f64 = bill.iter().map(|(_, usd)| usd).sum();
            let mut row = vec![format!("`{}`", run.scenario.name)];
            row.extend(bill.iter().map(|(_, usd)| format!("{usd:.0}")));
            row.push(format!("{sum:.0}"));
            row.push(format!("{:.0}", sum / (run.outcome.ledger.accepted / 1e6).max(1e-9)));
            row
        })
        .collect();
    let head = [
        "scenario",
        "table writes",
        "table reads",
        "bucket",
        "Lambda",
        "queues",
        "HTTP API",
        "logs",
        "sum",
        "a million documents",
    ];
    text.push_str(&table(&head, &rows));
    text
}

/// How much of its capacity a table with provisioned capacity uses.
pub fn provisioned(days: &[[Day; 2]]) -> String {
    let rows = days.iter().map(|[Day { documents, in_use, throttled }, surging]| {
        let shares = [*in_use, *throttled, surging.throttled].map(|share| percent(Some(share)));
        std::iter::once(number(*documents)).chain(shares).collect()
    });
    let rows: Vec<_> = rows.collect();
    let head = ["documents in a day", "write units in use", "throttled", "throttled with a surge"];
    format!(
        "\n### Provisioned capacity\n\nThe load of the scenario `day` at other sizes, on a table whose capacity auto scaling \
         follows (`TableCapacity`).\nA surge is ten times the load at eleven, which comes within a minute and lasts an hour.\n\n{}",
        table(&head, &rows)
    )
}

/// What each scenario is.
pub fn scenarios(runs: &[Run]) -> String {
    let rows: Vec<_> = runs
        .iter()
        .map(|run| {
            vec![
                format!("[`{0}`](pictures/{0}.svg)", run.scenario.name),
                run.scenario.what.to_owned(),
                format!("{:.0}", run.weight),
            ]
        })
        .collect();
    table(&["scenario", "what happens", "documents for one"], &rows)
}

/// The rungs of the ladder.
pub fn ladder(rungs: &[Rung]) -> String {
    let mut text = String::new();
    for rung in rungs {
        let _ = writeln!(text, "\n{:.0} documents a second: raise in this order.\n", rung.rate);
        let rows: Vec<_> = rung
            .raised
            .iter()
            .enumerate()
            .map(|(index, it)| {
                vec![
                    (index + 1).to_string(),
                    format!("`{}`", it.name),
                    number(it.values.0),
                    number(it.values.1),
                    format!("{} at {:.0}/s", it.limit, it.rate),
                ]
            })
            .collect();
        text.push_str(&table(
            &["", "parameter or quota", "from", "to", "limit that it moves"],
            &rows,
        ));
        let times = &rung.outcome.times;
        let p99 = |what| time(times.all(what).quantile(0.99));
        let _ = writeln!(
            text,
            "\nThen p99 is {} for a send, {} for a webhook, {} for a report, and {} of the statuses are sent within 20 minutes.",
            p99(Timed::Send),
            p99(Timed::Webhook),
            p99(Timed::Report),
            percent(times.all(Timed::Status).within(STATUS_WITHIN))
        );
        if rung.stay.is_empty() {
            text.push_str("No other limit is met.\n");
        } else {
            text.push_str("Limits that no parameter moves:\n\n");
            for (name, met) in &rung.stay {
                let _ = writeln!(
                    text,
                    "- {name}: first at {:.0} documents a second, {} times",
                    met.rate,
                    short(met.times)
                );
            }
        }
    }
    text
}

/// A number with thousands.
fn number(value: f64) -> String {
    let digits = format!("{value:.0}");
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_times_are_easy_to_read() {
        assert_eq!([7.0, 1234.0, 1_234_567.0].map(number), ["7", "1,234", "1,234,567"]);
        let times = [0.3, 2.0, 600.0, 7200.0].map(|it| time(Some(it)));
        assert_eq!(times, ["300 ms", "2.0 s", "10 min", "2.0 h"]);
    }
}
