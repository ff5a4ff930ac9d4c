//! Wrong payloads that a trusted access point compresses and signs.

use std::io::Write as _;

use flate2::{
    Compression, GzBuilder,
    write::{DeflateEncoder, ZlibEncoder},
};

use super::{
    super::world::LIMIT,
    Case,
    forge::{Forge, SBDH, sealed},
};
use crate::peppol::as4::{
    Rule::{self, Decompression, Digest, PayloadSize},
    payload::compress,
};

pub(super) fn cases(forge: &Forge<'_>) -> Vec<Case> {
    let good = compress(SBDH, Vec::new()).unwrap();
    let bomb = compress(&vec![0; 10 * LIMIT], Vec::new()).unwrap();
    let edge = compress(&vec![0; LIMIT + 1], Vec::new()).unwrap();
    let end = good.len();
    let changed = |at: usize, byte: u8| {
        let mut changed = good.clone();
        changed[at] ^= byte;
        changed
    };
    let mut deflate = DeflateEncoder::new(Vec::new(), Compression::new(6));
    deflate.write_all(SBDH).unwrap();
    let mut zlib = ZlibEncoder::new(Vec::new(), Compression::new(6));
    zlib.write_all(SBDH).unwrap();
    let mut reserved = good.clone();
    reserved[3] |= 0xe0;
    let extra = GzBuilder::new().extra(vec![0; 60_000]).write(Vec::new(), Compression::new(6));
    let unfinished = extra.finish().unwrap()[..50_000].to_vec();
    let mut table: Vec<(String, Rule, Vec<u8>)> = vec![
        ("a bomb of 80 MB".into(), PayloadSize, bomb.clone()),
        ("a byte too many".into(), PayloadSize, edge.clone()),
        (
            "a bomb that lies about its size".into(),
            PayloadSize,
            [&bomb[..bomb.len() - 4], &[1, 0, 0, 0]].concat(),
        ),
        (
            "a bomb in a bomb, cut".into(),
            Decompression,
            compress(&bomb, Vec::new()).unwrap()[..40].to_vec(),
        ),
        ("not compressed".into(), Decompression, SBDH.to_vec()),
        ("nothing".into(), Decompression, Vec::new()),
        ("deflate".into(), Decompression, deflate.finish().unwrap()),
        ("zlib".into(), Decompression, zlib.finish().unwrap()),
        ("zip".into(), Decompression, b"PK\x03\x04aaaaaaaaaaaaaaaaaaaaaaaaaaaa".to_vec()),
        ("two members".into(), Decompression, [&good[..], &good].concat()),
        ("bytes after it".into(), Decompression, [&good[..], b"x"].concat()),
        ("a line end after it".into(), Decompression, [&good[..], b"\r\n"].concat()),
        ("bytes before it".into(), Decompression, [b"x", &good[..]].concat()),
        ("a wrong checksum".into(), Decompression, changed(end - 8, 1)),
        ("a wrong size".into(), Decompression, changed(end - 4, 1)),
        ("a size of 4 GB".into(), Decompression, [&good[..end - 4], &[0xff; 4]].concat()),
        ("a wrong magic number".into(), Decompression, changed(0, 1)),
        ("a wrong method".into(), Decompression, changed(2, 1)),
        (
            "a name without end".into(),
            Decompression,
            [&[0x1f, 0x8b, 8, 8, 0, 0, 0, 0, 0, 0], &[b'a'; 1000][..]].concat(),
        ),
        ("an extra field without end".into(), Decompression, unfinished),
        ("a wrong block".into(), Decompression, changed(10, 0x06)),
    ];
    for length in (1..end).step_by(6) {
        table.push((format!("cut at {length}"), Decompression, good[..length].to_vec()));
    }
    let mut cases: Vec<Case> = Vec::new();
    for (name, rule, compressed) in table {
        let (soap, attachment) = forge.repack(&compressed);
        cases.push(forge.body_case(name, rule, forge.assemble(&soap, &attachment)));
    }
    // Correctly encrypted, but another payload than the signed one.
    for (name, other) in [
        ("another payload", compress(b"<other/>", Vec::new()).unwrap()),
        ("a longer one", [&good[..], b"x"].concat()),
        ("nothing", Vec::new()),
    ] {
        let soap = forge.resign(&forge.with_digest(&forge.with_key(&[7; 16]), &good));
        let body = forge.assemble(&soap, &sealed(&[7; 16], &other));
        cases.push(forge.body_case(format!("{name} than was signed"), Digest, body));
    }
    cases
}
