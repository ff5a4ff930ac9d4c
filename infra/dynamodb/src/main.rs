//! DynamoDB on loopback, in memory, for the local runner: `local-dynamodb PORT`.

use std::{env, error::Error, net::Ipv4Addr};

use dynoxide::{Database, server};
use tokio::net::TcpListener;

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let port = env::args().nth(1).ok_or("usage: local-dynamodb PORT")?.parse()?;
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port)).await?;
    server::serve_on(listener, Database::memory()?).await;
    Ok(())
}
