//! The commands of an operator.

use super::{
    Error, client, cost, grant, key, member, mls_sla, openapi, org, peppol_report, redrive,
    register, render, reseal, restore, resubmit, seed, serve, smp_register, subscription, taxpayer,
};

/// The commands of an operator, and those that need what the service needs.
#[derive(clap::Subcommand)]
pub(super) enum Command {
    Client(client::Args),
    Cost(cost::Args),
    Grant(grant::Args),
    Key(key::Args),
    Member(member::Args),
    MlsSla(mls_sla::Args),
    Openapi(openapi::Args),
    Org(org::Args),
    PeppolReport(peppol_report::Args),
    Redrive(redrive::Args),
    Restore(restore::Args),
    #[command(alias = "refile")]
    Resubmit(resubmit::Args),
    Register(register::Args),
    Render(render::Args),
    Reseal(reseal::Args),
    Seed(seed::Args),
    Serve(serve::Args),
    SmpRegister(smp_register::Args),
    Subscription(subscription::Args),
    Taxpayer(taxpayer::Args),
}

impl Command {
    /// Runs the command.
    pub(super) fn run(self) -> Result<(), Error> {
        match self {
            Command::Client(args) => client::run(args),
            Command::Cost(args) => cost::run(&args),
            Command::Grant(args) => grant::run(args),
            Command::Key(args) => key::run(args),
            Command::Member(args) => member::run(args),
            Command::MlsSla(args) => mls_sla::run(args),
            Command::Openapi(args) => openapi::run(args),
            Command::Org(args) => org::run(args),
            Command::PeppolReport(args) => peppol_report::run(args),
            Command::Redrive(args) => redrive::run(args),
            Command::Restore(args) => restore::run(args),
            Command::Resubmit(args) => resubmit::run(args),
            Command::Register(args) => register::run(args),
            Command::Render(args) => render::run(&args),
            Command::Reseal(args) => reseal::run(args),
            Command::Seed(args) => seed::run(args),
            Command::Serve(args) => serve::run(args),
            Command::SmpRegister(args) => smp_register::run(args),
            Command::Subscription(args) => subscription::run(args),
            Command::Taxpayer(args) => taxpayer::run(args),
        }
    }
}
