"""The validator agrees with the official judge on all test files and a sample of mutants.

The full run is `tests/conformance/agreement.py --mutants 100000`.
"""

import os
import time
from collections import Counter
from dataclasses import replace

from lxml import etree

import agreement
import mutants
import reduction
import targets
from referee import Referee

MUTANTS, SEED = 5000, "1"


def test_the_validator_and_the_judge_agree(reference, figures):
    tally, seconds = agreement.run(reference, agreement.default_command(), MUTANTS, SEED, os.cpu_count())
    lines = list(agreement.summary(reference, tally, seconds))
    if tally.cases:
        agreement.keep(tally.cases)
    assert tally.cases == [], "\n".join(lines)
    assert agreement.never_fired(reference, tally.fired) == []
    for line in lines:
        figures(f"agreement: {line.strip()}")


def test_a_judge_that_guards_each_assert_says_the_same_as_the_plain_one(reference):
    referee = Referee(reference)
    for path in agreement.artefacts(reference):
        document = path.read_bytes()
        verdict = referee.judge(document)
        if not verdict.error:
            text = etree.tostring(etree.fromstring(document), encoding="unicode")
            assert sorted(referee.fired_guarded(verdict.set, text)) == sorted(verdict.fired.elements()), path


def test_one_dynamic_error_does_not_silence_the_other_rules(reference):
    referee = Referee(reference)
    mutator = mutants.Mutator(reference / "artefacts", *agreement.read_sources(referee, reference, []))
    # With two names of the seller, the official expression of ibr-006 fails.
    document, _ = mutator.make(mutants.Mutant(targets.INVOICE, ("pint-billing", "ibr-098"), ()))
    fired = referee.judge(document).fired
    assert fired["ibr-098"] == 1 and fired["ibr-006"] == 1


def test_the_same_seed_makes_the_same_mutants(reference):
    referee = Referee(reference)
    sources = agreement.read_sources(referee, reference, [])
    one, other = (mutants.Mutator(reference / "artefacts", *sources) for _ in range(2))
    for number in range(len(one.targets), len(one.targets) + 200):
        assert one.make(one.plan(SEED, number)) == other.make(other.plan(SEED, number))


def test_what_was_judged_no_further_is_compared_as_far_as_it_was():
    theirs = agreement.Verdict(set="pint-billing", line=3, fired=Counter(a=9, b=2))
    cut = replace(theirs, fired=Counter(a=9, b=1), complete=False)
    assert agreement.difference(cut, theirs) == ""
    assert agreement.difference(replace(cut, complete=True), theirs) == "pint-billing: missing b"
    assert agreement.difference(replace(cut, fired=Counter(a=10)), theirs) == "pint-billing: extra a"
    assert agreement.difference(replace(cut, line=4), theirs) == "pint-billing: schema error at another line"


def test_making_a_case_smaller_ends_when_its_time_is_over():
    document = b"<a><b/><c/></a>"
    later = time.monotonic() + 3600
    assert etree.fromstring(reduction.smallest_document(document, lambda _: True, later)).find("*") is None
    assert reduction.smallest_document(document, lambda _: True, time.monotonic()) == document
    mutant = mutants.Mutant("source", None, (1, 2))
    assert reduction.fewest_steps(mutant, lambda _: True, later).steps == ()
    assert reduction.fewest_steps(mutant, lambda _: True, time.monotonic()) == mutant
