//! Runs the verification code over cases, a line each on standard input.

#[path = "../../../../../shared/templates/verify/verify.rs"]
mod verify;

use base64::{Engine, engine::general_purpose::STANDARD};

fn main() {
    for line in std::io::stdin().lines() {
        let line = line.expect("lines of text");
        let told: Vec<&str> = line.split('\t').collect();
        let names = ["webhook-id", "webhook-timestamp", "webhook-signature"];
        let header = |name: &str| {
            let place = names.iter().position(|known| *known == name)?;
            Some(told[place + 1]).filter(|value| *value != "-")
        };
        let body = STANDARD.decode(told[4]).expect("base64");
        match verify::verify(told[0], header, &body) {
            Ok(id) => println!("verified {id}"),
            Err(why) => println!("refused {why}"),
        }
    }
}
