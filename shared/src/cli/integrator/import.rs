//! `access-point import`: a file of many documents, to its result.

use std::{
    fs,
    io::{IsTerminal, Write, stderr},
    time::Duration,
};

use flate2::{Compression, write::GzEncoder};
use http::HeaderValue;
use serde_json::Value;

use super::{
    CREDENTIALS, Error,
    api::{Api, Trouble},
    cell,
    credentials::credentials,
    print,
};
use crate::{
    cli::{block_on, complain, one_of},
    document::Operation,
    environment::Environment,
};

/// Import many documents from one file
///
/// Sends up to 10,000 documents of one kind from a file: CSV, or JSON Lines with the body of a send on each line. Waits until
/// each has its outcome: sent, sent before, or refused. Importing the same file again sends nothing twice.
#[derive(clap::Args)]
#[command(after_help = CREDENTIALS)]
pub(in crate::cli) struct Args {
    /// Kind of the documents
    #[arg(
        long = "type",
        value_name = "TYPE",
        default_value = Operation::Invoice.as_str(),
        value_parser = one_of(Operation::ALL, Operation::as_str)
    )]
    kind: Operation,
    /// Write the outcome of each document to this file, with every finding by row and column
    #[arg(long, value_name = "FILE", conflicts_with = "no_wait")]
    result: Option<String>,
    /// Upload the file without waiting for the outcomes
    #[arg(long)]
    no_wait: bool,
    /// Print a CSV template; its columns are the field names of a send, joined by dots
    #[arg(long, conflicts_with = "file")]
    template: bool,
    /// Print the import as a line of JSON
    #[arg(long)]
    json: bool,
    /// The documents
    #[arg(required_unless_present = "template")]
    file: Option<String>,
}

const TEMPLATE: &str = include_str!("../../../../events/imports/invoices.csv");
/// How long between two looks.
const PAUSE: Duration = Duration::from_millis(500);
/// How many cells the bar has.
const BAR: u64 = 30;
/// How often in a row the service may not answer before nobody waits any more: with the pauses a minute.
const AWAY: u32 = 120;

/// Imports a file.
pub(super) fn run(args: &Args) -> Result<(), Error> {
    match &args.file {
        Some(file) => block_on(import(args, file, &Environment::of_process())),
        None => print(TEMPLATE.as_bytes()),
    }
}

async fn import(args: &Args, path: &str, environment: &Environment) -> Result<(), Error> {
    let credentials = credentials(environment)?;
    if credentials.taxpayer_id.is_none() {
        let why = "ACCESS_POINT_TAXPAYER is not set: set it to the taxpayer that sends";
        return Err(Error::Unreadable(why.to_owned()));
    }
    let bytes = fs::read(path).map_err(|why| Error::Unreadable(format!("{path}: {why}")))?;
    let bytes = packed(bytes).map_err(|why| Error::failed(path, why))?;
    let name = path.rsplit(['/', '\\']).next().unwrap_or(path);
    let name: String = name.chars().take(255).collect();
    let api = Api::new(&credentials)?;
    let query = [("type", args.kind.as_str()), ("name", name.as_str())];
    let media_type = HeaderValue::from_static("application/gzip");
    let mut import = api.upload("/imports", &query, media_type, bytes).await?;
    if !args.no_wait {
        import = wait(&api, import).await?;
    }
    if let Some(to) = &args.result {
        let id = import["import_id"].as_str().unwrap_or_default();
        let result = api.bytes(&format!("/imports/{id}/result")).await?;
        fs::write(to, result).map_err(|why| Error::Unreadable(format!("{to}: {why}")))?;
    }
    print_result(args, path, &import)?;
    if import["refused"].as_u64() > Some(0) { Err(Error::Refused) } else { Ok(()) }
}

/// The file as it goes, unless it is compressed already.
fn packed(bytes: Vec<u8>) -> std::io::Result<Vec<u8>> {
    if bytes.starts_with(&[0x1f, 0x8b]) {
        return Ok(bytes);
    }
    let mut packer = GzEncoder::new(Vec::new(), Compression::default());
    packer.write_all(&bytes)?;
    packer.finish()
}

/// Waits until an import is completed, and shows meanwhile how far it is where somebody looks on.
async fn wait(api: &Api, mut import: Value) -> Result<Value, Error> {
    let path = format!("/imports/{}", import["import_id"].as_str().unwrap_or_default());
    let (is_watched, mut away) = (stderr().is_terminal(), 0);
    while import["status"] != "completed" {
        tokio::time::sleep(PAUSE).await;
        match api.get(&path, &[]).await {
            Ok(next) => (import, away) = (next, 0),
            // The import goes on meanwhile.
            Err(Trouble::Away(_)) if away < AWAY => away += 1,
            Err(trouble) => return Err(trouble.into()),
        }
        if is_watched {
            complain(&format!("\r{}", bar(&import)));
        }
    }
    if is_watched {
        complain("\n");
    }
    Ok(import)
}

/// How far an import is, in a line.
fn bar(import: &Value) -> String {
    let number = |name: &str| import[name].as_u64().unwrap_or_default();
    let (done, of) = (number("done"), number("documents").max(1));
    let full = (BAR * done.min(of) / of) as usize;
    let empty = BAR as usize - full;
    let refused = match number("refused") {
        0 => String::new(),
        refused => format!(", {refused} refused"),
    };
    format!("[{}{}] {done}/{of}{refused}", "#".repeat(full), "-".repeat(empty))
}

fn print_result(args: &Args, path: &str, import: &Value) -> Result<(), Error> {
    if args.json {
        return print(format!("{import}\n").as_bytes());
    }
    let [id, status, accepted, already_sent, refused] =
        ["import_id", "status", "accepted", "already_sent", "refused"]
            .map(|name| cell(&import[name]));
    let line = format!(
        "{path}  {id}  {status}: {accepted} sent, {already_sent} sent before, {refused} refused\n"
    );
    print(line.as_bytes())?;
    if refused != "0" && args.result.is_none() {
        complain(
            "access-point: --result FILE writes the reasons; importing the file again sends nothing twice\n",
        );
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_bar_shows_how_far_an_import_is() {
        let import = |done, refused| json!({"done": done, "documents": 60, "refused": refused});
        assert_eq!(bar(&import(0, 0)), format!("[{}] 0/60", "-".repeat(30)));
        assert_eq!(
            bar(&import(30, 2)),
            format!("[{}{}] 30/60, 2 refused", "#".repeat(15), "-".repeat(15))
        );
        assert_eq!(bar(&import(60, 0)), format!("[{}] 60/60", "#".repeat(30)));
        assert_eq!(bar(&json!({})), format!("[{}] 0/1", "-".repeat(30)));
    }

    #[test]
    fn a_file_goes_compressed_once() {
        let packed_once = packed(b"invoice_number\nA\n".to_vec()).unwrap();
        assert!(packed_once.starts_with(&[0x1f, 0x8b]));
        assert_eq!(packed(packed_once.clone()).unwrap(), packed_once);
    }
}
