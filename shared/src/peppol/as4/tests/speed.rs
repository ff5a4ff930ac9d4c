//! What a message costs beyond its primitives:
//!
//!     cargo test --release -p access-point --no-default-features --features peppol --lib speed -- --ignored --nocapture

use std::hint::black_box;
use std::time::Duration;

use super::world::{Both as _, World, invoice, noise, trusted};
use crate::{
    peppol::{
        as4::{Digest, open, payload},
        pki::{Decrypter as _, Signer as _, testing::ready},
    },
    types::timed,
};

const TRIES: usize = 40;

/// Markup with numbers: compresses to about a tenth, as invoices do.
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

fn best<T>(mut work: impl FnMut() -> T) -> Duration {
    (0..TRIES).map(|_| timed(|| black_box(work())).1).min().unwrap()
}

#[expect(clippy::print_stdout, reason = "what was counted is to be seen")]
#[test]
#[ignore = "a measurement, for an optimized build"]
fn a_message_costs_little_more_than_its_primitives() {
    let world = World::new();
    let receiver = world.receiver.certificate_of_both();
    for length in [10_000, 1_000_000, 10_000_000] {
        let payload = document(length);
        let built = world.build(&payload);
        let primitives = best(|| {
            let mut bytes = payload::compress(&payload, Vec::new()).unwrap();
            let digest = Digest::of(&bytes);
            let tag = payload::seal(&[1; 16], [2; 12], &mut bytes).unwrap();
            let signature = ready(world.sender.sign(b"references")).unwrap();
            (bytes, digest, tag, signature, receiver.encrypt(&[1; 16]).unwrap())
        });
        let seat = trusted(receiver);
        let building = best(|| world.build_for(&seat, invoice(), &payload, 1));
        let gzip = payload::compress(&payload, Vec::new()).unwrap();
        let mut sealed = gzip.clone();
        let tag = payload::seal(&[1; 16], [2; 12], &mut sealed).unwrap();
        let sealed = [&[2; 12][..], &sealed, tag.as_ref()].concat();
        let wrapped = receiver.encrypt(&[1; 16]).unwrap();
        let signature = ready(world.sender.sign(b"references")).unwrap();
        let mut copies = vec![sealed; TRIES];
        let bare = best(|| {
            let mut sealed = copies.pop().unwrap();
            let secret = ready(world.receiver.decrypt(&wrapped)).unwrap();
            let place = payload::open(Some(&secret), &mut sealed).unwrap();
            let digest = Digest::of(&sealed[place.clone()]);
            world.sender.certificate_of_both().verify(b"references", &signature).unwrap();
            (digest, payload::inflate(&sealed[place], length).unwrap())
        });
        let signer = trusted(world.sender.certificate_of_both());
        let mut copies = vec![built.body.clone(); TRIES];
        let receiving = best(|| {
            let opened = open(&built.content_type, copies.pop().unwrap()).unwrap();
            ready(opened.verify(&signer, &[&world.receiver], length)).unwrap()
        });
        println!(
            "{length} bytes, {} compressed: built in {building:?}, primitives {primitives:?}; received in {receiving:?}, primitives {bare:?}",
            gzip.len()
        );
        assert!(building * 10 <= primitives * 13, "building {building:?} of {primitives:?}");
        assert!(receiving * 10 <= bare * 13, "receiving {receiving:?} of {bare:?}");
    }
}
