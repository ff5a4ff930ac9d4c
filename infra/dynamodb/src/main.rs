//! DynamoDB on loopback for the local runner: `local-dynamodb PORT FILE`.

use std::{env, error::Error, net::Ipv4Addr};

use dynoxide::{Database, server};
use tokio::net::TcpListener;

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = env::args().skip(1);
    let (Some(port), Some(file)) = (arguments.next(), arguments.next()) else {
        return Err("usage: local-dynamodb PORT FILE".into());
    };
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port.parse()?)).await?;
    server::serve_on(listener, Database::new(&file)?).await;
    Ok(())
}
