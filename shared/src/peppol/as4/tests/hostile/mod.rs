//! Messages of attackers, derived from a valid one. A stranger can change signed content but cannot sign. A trusted
//! access point can sign anything. None of the messages is accepted.

mod algorithms;
mod encryption;
mod forge;
mod header;
mod mime;
mod payload;
mod references;
mod wrapping;
mod xml;

use std::{collections::BTreeMap, time::Duration};

use super::world::World;
use crate::{peppol::as4::Rule, types::timed};
use forge::Forge;

/// Longest time for a refusal. Debug builds with other tests in parallel are much slower.
const LONGEST: Duration = Duration::from_millis(if cfg!(debug_assertions) { 5_000 } else { 100 });

/// A message, and the rule that must refuse it.
struct Case {
    name: String,
    rule: Rule,
    content_type: String,
    body: Vec<u8>,
}

fn cases(forge: &Forge) -> Vec<Case> {
    let rooms = [
        algorithms::cases,
        encryption::cases,
        header::cases,
        mime::cases,
        payload::cases,
        references::cases,
        wrapping::cases,
        xml::cases,
    ];
    rooms.into_iter().flat_map(|room| room(forge)).collect()
}

#[expect(clippy::print_stdout, reason = "what was counted is to be seen")]
#[test]
fn no_hostile_message_is_accepted() {
    let world = World::new();
    let forge = Forge::new(&world);
    forge.check();
    let cases = cases(&forge);
    let (count, mut slowest, mut wrong) = (cases.len(), Duration::ZERO, Vec::new());
    let mut reasons: BTreeMap<&str, usize> = BTreeMap::new();
    for Case { name, rule, content_type, body } in cases {
        let (answer, time) = timed(|| world.receive(&content_type, body));
        slowest = slowest.max(time);
        match answer {
            Ok(_) => wrong.push(format!("{name}: accepted")),
            Err(refusal) if refusal.rule() != rule => {
                wrong.push(format!("{name}: not for {} but {refusal}", rule.id()));
            }
            Err(_) if time > LONGEST => wrong.push(format!("{name}: refused after {time:?}")),
            Err(_) => *reasons.entry(rule.id()).or_default() += 1,
        }
    }
    println!("{count} hostile messages, 0 accepted, slowest refusal {slowest:?}: {reasons:?}");
    assert!(wrong.is_empty(), "{} of {count}\n{}", wrong.len(), wrong.join("\n"));
    assert!(count >= 300, "only {count}");
}

/// The response has a RefToMessageId (ebMS 3.0 core, section 6.2.3) if the message is read at all. A message with
/// thousands of parts is not read.
#[test]
fn a_refusal_for_a_foreign_header_or_a_second_attachment_names_the_message() {
    let world = World::new();
    let forge = Forge::new(&world);
    let named = |rule: Rule| {
        let cases = cases(&forge).into_iter().filter(|case| case.rule == rule);
        let refusals = cases.map(|case| world.receive(&case.content_type, case.body).unwrap_err());
        refusals.map(|refusal| refusal.message_id().is_some()).collect::<Vec<_>>()
    };
    let (headers, attachments) = (named(Rule::MustUnderstand), named(Rule::PartCount));
    assert!(headers.len() >= 2 && headers.iter().all(|named| *named), "{headers:?}");
    let unnamed = attachments.iter().filter(|named| !**named).count();
    assert!(attachments.len() >= 4 && unnamed == 1, "{attachments:?}");
}
