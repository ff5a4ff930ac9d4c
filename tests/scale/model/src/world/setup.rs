//! Everything that a run depends on.

use crate::{
    aws,
    costs::{Kind, Life},
    emulator::Machine,
    service::{self, Code, Deployment, FunctionSpec, Outside},
};

/// Faults of AWS that happen all the time.
#[derive(Debug, Clone, Copy)]
pub struct Faults {
    /// Share of messages that a queue loses.
    pub lost: f64,
    /// Share of executions that end without a result.
    pub deaths: f64,
}

impl Default for Faults {
    fn default() -> Self {
        Faults { lost: aws::LOST_MESSAGES, deaths: aws::DEATHS }
    }
}

/// Everything that a run depends on.
#[derive(Debug, Clone)]
pub struct Setup {
    /// Facts of the source.
    pub code: Code,
    /// Parameters and quotas.
    pub deployment: Deployment,
    /// The world outside.
    pub outside: Outside,
    /// The functions.
    pub functions: Vec<FunctionSpec>,
    /// The three lives.
    pub lives: Vec<Life>,
    /// Their shared partitions.
    pub kinds: Vec<Kind>,
    /// Faults of AWS.
    pub faults: Faults,
    /// How many documents one stands for.
    pub weight: f64,
    /// The seed.
    pub seed: u64,
    /// Whether the documents that one stands for are spread over their time. Only a test of a bare queue says no.
    pub spread: bool,
    /// Whether documents arrive at exponential intervals. Only a test of a bare queue says yes.
    pub poisson: bool,
    /// One machine instead of AWS.
    pub machine: Option<Machine>,
}

impl Setup {
    /// The source as it is, in a deployment for a nation. A document stands for itself.
    pub fn new(lives: Vec<Life>, kinds: Vec<Kind>) -> Self {
        let code = service::code();
        Setup {
            deployment: Deployment::national(&code),
            code,
            outside: service::outside(),
            functions: service::functions(),
            lives,
            kinds,
            faults: Faults::default(),
            weight: 1.0,
            seed: 1,
            spread: true,
            poisson: false,
            machine: None,
        }
    }
}
