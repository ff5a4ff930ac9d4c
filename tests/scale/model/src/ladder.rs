//! The ladder: which limits a rate meets first, and which parameters and quotas to raise in which order.

use crate::{
    limits::Met,
    scenario,
    service::{Code, Deployment, shares},
    world::{self, Outcome, Setup},
};

/// The rates of the ladder, in documents a second.
pub const RATES: [f64; 4] = [100.0, 500.0, 1000.0, 2500.0];

/// A parameter or a quota.
type Parameter = (&'static str, fn(&mut Deployment) -> &mut f64);

const PARAMETERS: [Parameter; 13] = [
    ("ThrottleRate", |it| &mut it.throttle_rate),
    ("ThrottleBurst", |it| &mut it.throttle_burst),
    ("As4ThrottleRate", |it| &mut it.as4_rate),
    ("RequestsPerMinute", |it| &mut it.requests_per_minute),
    ("ReportRate", |it| &mut it.report_rate),
    ("LiveStageConcurrency", |it| &mut it.stage_concurrency),
    ("LiveDeliveryConcurrency", |it| &mut it.delivery_concurrency),
    ("AccountConcurrency and its quota", |it| &mut it.executions),
    ("quota: table write units", |it| &mut it.table_writes),
    ("quota: table read units", |it| &mut it.table_reads),
    ("TableWarmWrites", |it| &mut it.warm_writes),
    ("TableWarmReads", |it| &mut it.warm_reads),
    ("S3 prefixes (AWS support)", |it| &mut it.prefixes),
];

/// The parameter that moves a limit; none for a limit of the source.
fn parameter(limit: &str) -> Option<usize> {
    let named = |name: &str| PARAMETERS.iter().position(|(it, _)| *it == name);
    match limit {
        "ThrottleRate" => named("ThrottleRate"),
        "As4ThrottleRate" => named("As4ThrottleRate"),
        "RequestsPerMinute" => named("RequestsPerMinute"),
        "ReportRate" => named("ReportRate"),
        "LiveDeliveryConcurrency" => named("LiveDeliveryConcurrency"),
        "relay: shards of the stream" => named("TableWarmWrites"),
        "S3: requests of a prefix" => named("S3 prefixes (AWS support)"),
        "write units of the table: quota" | "write units of the index: quota" => {
            named("quota: table write units")
        }
        "read units of the table: quota" => named("quota: table read units"),
        "write units of the table: warm throughput"
        | "write units of the index: warm throughput" => named("TableWarmWrites"),
        "read units of the table: warm throughput" => named("TableWarmReads"),
        _ if limit.starts_with("Lambda: executions") => named("AccountConcurrency and its quota"),
        _ if limit.starts_with("LiveStageConcurrency") => named("LiveStageConcurrency"),
        _ => None,
    }
}

/// The most that a parameter may be.
fn most(name: &str, code: &Code, deployment: &Deployment) -> f64 {
    match name {
        "RequestsPerMinute" => code.most_requests,
        "ReportRate" => code.most_reports,
        "AccountConcurrency and its quota" => 10_000.0,
        // A table is not warmer than its quota.
        "TableWarmWrites" => deployment.table_writes,
        "TableWarmReads" => deployment.table_reads,
        "LiveStageConcurrency" | "LiveDeliveryConcurrency" => 1000.0,
        _ => f64::MAX,
    }
}

/// A parameter that was raised.
#[derive(Debug)]
pub struct Raised {
    /// The parameter.
    pub name: &'static str,
    /// Its value before, and after all raises.
    pub values: (f64, f64),
    /// The limit that it moves.
    pub limit: String,
    /// The rate at which that limit was met first, in documents a second.
    pub rate: f64,
}

/// A rung of the ladder.
#[derive(Debug)]
pub struct Rung {
    /// Documents a second.
    pub rate: f64,
    /// What is raised, in this order.
    pub raised: Vec<Raised>,
    /// Limits that no parameter moves, with the rate at which they were met.
    pub stay: Vec<(String, Met)>,
    /// The last run.
    pub outcome: Outcome,
}

/// Limits that turn away less than this share of the documents are no reason to raise anything.
const MATTERS: f64 = 0.002;

/// Climbs to a rate: runs the load, raises the parameter of the limit that was met first, and runs it again.
pub fn climb(setup: &Setup, rate: f64) -> Rung {
    let scenario = scenario::rung(rate);
    let mut setup = Setup { deployment: Deployment::defaults(), ..setup.clone() };
    let mut raised: Vec<Raised> = Vec::new();
    loop {
        let outcome = world::run(&setup, &scenario);
        let matters = outcome.limits.in_order(MATTERS * outcome.ledger.offered);
        let movable = matters.iter().find_map(|(limit, met)| {
            let index = parameter(limit)?;
            let (name, value) = PARAMETERS[index];
            let now = *value(&mut setup.deployment);
            (now < most(name, &setup.code, &setup.deployment))
                .then(|| (index, now, (*limit).to_owned(), *met))
        });
        let Some((index, now, limit, met)) = movable else {
            let stay = matters.into_iter().map(|(name, met)| (name.to_owned(), met)).collect();
            return Rung { rate, raised, stay, outcome };
        };
        let (name, value) = PARAMETERS[index];
        let next = match shares().into_iter().find(|(account, _)| *account > now) {
            Some((account, _)) if name.starts_with("AccountConcurrency") => account,
            _ => rounded(now * 1.5).min(most(name, &setup.code, &setup.deployment)),
        };
        *value(&mut setup.deployment) = next;
        // A throttle's burst is twice its rate.
        let deployment = &mut setup.deployment;
        deployment.throttle_burst = deployment.throttle_burst.max(2.0 * deployment.throttle_rate);
        match raised.iter_mut().find(|it| it.name == name) {
            Some(before) => before.values.1 = next,
            None => raised.push(Raised { name, values: (now, next), limit, rate: met.rate }),
        }
    }
}

/// Two digits.
fn rounded(value: f64) -> f64 {
    let unit = 10_f64.powf(value.log10().floor() - 1.0);
    (value / unit).ceil() * unit
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_raised_value_has_two_digits() {
        assert_eq!([300.0, 450.0, 675.0, 1012.5].map(rounded), [300.0, 450.0, 680.0, 1100.0]);
    }

    #[test]
    fn every_limit_of_the_table_has_a_parameter_and_a_partition_has_none() {
        assert!(parameter("write units of the table: quota").is_some());
        assert!(parameter("LiveStageConcurrency (mls)").is_some());
        assert!(parameter("partition LIVE#PACE").is_none());
    }
}
