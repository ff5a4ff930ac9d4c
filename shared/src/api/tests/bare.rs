//! The cost of a send beyond its AWS calls:
//!
//!     cargo test --release -p access-point --lib a_send_beside_its_calls -- --ignored --nocapture

use std::time::Duration;

use super::*;
use crate::testing::{Recorder, spent};

/// The number of measured sends, and of the warm-up sends before them.
const TIMES: u32 = 300;
const WARM: u32 = 50;
/// The goal: the total as a percentage of the calls, at most.
const GOAL: u128 = 115;

async fn send(api: &Api, number: u32) {
    let mut body = invoice();
    body["invoice_number"] = json!(format!("B-{number}"));
    let call = Call::post("/v1/invoices", body.to_string())
        .with("idempotency-key", format!("bare-{number}"))
        .key(&api.demo.api_keys.sandbox)
        .taxpayer(api.falcon());
    let answer = api.make(call).await;
    assert_eq!(answer.status, StatusCode::CREATED, "{answer:?}");
}

#[expect(clippy::print_stdout, reason = "what was counted is to be seen")]
#[tokio::test]
#[ignore = "a measurement, for an optimized build"]
async fn a_send_beside_its_calls() {
    let recorder = Recorder::default();
    // Equal worlds. In the first the calls are recorded. In the last only these calls are made.
    let recorded = Api::over(World::apart().await.recorded(&recorder)).await;
    let measured = Api::over(World::apart().await).await;
    let alike = Api::over(World::apart().await).await;
    let bare = alike.world.bare();
    recorder.take();
    let (mut whole, mut calls, mut made) = (Duration::ZERO, Duration::ZERO, 0);
    for number in 0..WARM + TIMES {
        send(&recorded, number).await;
        let asked = recorder.take();
        let count = asked.len();
        let (one, ()) = spent(send(&measured, number)).await;
        let again = async {
            for call in asked {
                bare.make(call).await;
            }
        };
        let (alone, ()) = spent(again).await;
        if number >= WARM {
            (whole, calls, made) = (whole + one, calls + alone, made + count);
        }
    }
    let percent = whole.as_nanos() * 100 / calls.as_nanos();
    let verdict = if percent > GOAL { "MISSED: " } else { "" };
    println!(
        "a send with a key: {} calls in {TIMES} sends, {:?} of CPU a send, {:?} the same calls bare: {percent} % ({verdict}goal at most {GOAL} %)",
        made,
        whole / TIMES,
        calls / TIMES,
    );
}
