//! Rules of single fields.
use super::{
    findings::Findings,
    json::Tree,
    model::{Body, Operation},
    place::Place,
};

pub(super) fn check_size(tree: &Tree<'_>, findings: &mut Findings) {
    let _ = (tree, findings, Place::ROOT);
}

pub(super) fn check(operation: Operation, body: &Body, findings: &mut Findings) {
    let _ = (operation, body, findings);
}
