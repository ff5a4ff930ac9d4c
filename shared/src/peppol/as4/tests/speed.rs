//! Measures the cost of a message beyond its cryptographic primitives:
//!
//!     cargo test --release -p access-point --no-default-features --features peppol --lib speed -- --ignored --nocapture

use std::hint::black_box;
use std::time::Duration;

use rustix::time::{ClockId, clock_gettime};

use super::world::{Both as _, World, invoice, noise, trusted};
use crate::peppol::{
    as4::{Digest, open, payload},
    pki::{Decrypter as _, Signer as _, testing::ready},
};

const TRIES: usize = 40;

/// Markup with numbers. It compresses to about a tenth, like invoices.
fn document(length: usize) -> Vec<u8> {
    let mut text = String::new();
    for number in noise(length / 12).chunks_exact(8) {
        let number = u64::from_be_bytes(number.try_into().unwrap());
        text.push_str(&format!(
            "<cac:InvoiceLine><cbc:ID>{}</cbc:ID><cbc:Amount currencyID=\"AED\">{}</cbc:Amount></cac:InvoiceLine>",
            number % 1000,
            number % 99_991
        ));
    }
    text.truncate(length);
    text.into_bytes()
}

/// The least CPU time of each of two functions. They run in turns, so other load on the machine affects both.
fn least<A, B>(mut one: impl FnMut() -> A, mut other: impl FnMut() -> B) -> (Duration, Duration) {
    let tries = (0..TRIES).map(|_| (spent(&mut one), spent(&mut other)));
    tries.reduce(|least, next| (least.0.min(next.0), least.1.min(next.1))).unwrap()
}

fn spent<T>(work: impl FnOnce() -> T) -> Duration {
    let now = || {
        let time = clock_gettime(ClockId::ThreadCPUTime);
        Duration::new(time.tv_sec.try_into().unwrap(), time.tv_nsec.try_into().unwrap())
    };
    let start = now();
    black_box(work());
    now() - start
}

#[expect(clippy::print_stdout, reason = "what was counted is to be seen")]
#[test]
#[ignore = "a measurement, for an optimized build"]
fn messages_beside_their_primitives() {
    let world = World::new();
    let receiver = world.receiver.certificate_of_both();
    for length in [10_000, 1_000_000, 10_000_000] {
        let payload = document(length);
        let built = world.build(&payload);
        let seat = trusted(receiver);
        let (building, primitives) = least(
            || world.build_for(&seat, invoice(), &payload, 1),
            || {
                let mut bytes = payload::compress(&payload, Vec::new()).unwrap();
                let digest = Digest::of(&bytes);
                let tag = payload::seal(&[1; 16], [2; 12], &mut bytes).unwrap();
                let signature = ready(world.sender.sign(b"references")).unwrap();
                (bytes, digest, tag, signature, receiver.encrypt(&[1; 16]).unwrap())
            },
        );
        let gzip = payload::compress(&payload, Vec::new()).unwrap();
        let mut sealed = gzip.clone();
        let tag = payload::seal(&[1; 16], [2; 12], &mut sealed).unwrap();
        let sealed = [&[2; 12][..], &sealed, tag.as_ref()].concat();
        let wrapped = receiver.encrypt(&[1; 16]).unwrap();
        let signature = ready(world.sender.sign(b"references")).unwrap();
        let signer = trusted(world.sender.certificate_of_both());
        let (mut bodies, mut copies) = (vec![built.body.clone(); TRIES], vec![sealed; TRIES]);
        let (receiving, bare) = least(
            || {
                let opened = open(&built.content_type, bodies.pop().unwrap()).unwrap();
                ready(opened.verify(&signer, &[&world.receiver], length)).unwrap()
            },
            || {
                let mut sealed = copies.pop().unwrap();
                let secret = ready(world.receiver.decrypt(&wrapped)).unwrap();
                let place = payload::open(Some(&secret), &mut sealed).unwrap();
                let digest = Digest::of(&sealed[place.clone()]);
                world.sender.certificate_of_both().verify(b"references", &signature).unwrap();
                (digest, payload::inflate(&sealed[place], length).unwrap())
            },
        );
        let percent = |whole: Duration, bare: Duration| whole.as_nanos() * 100 / bare.as_nanos();
        println!(
            "{length} bytes, {} compressed: built in {building:?}, {} % of the primitives; received in {receiving:?}, {} %",
            gzip.len(),
            percent(building, primitives),
            percent(receiving, bare)
        );
    }
}
