"""The rules of the tax authority."""

from pathlib import Path

import pytest

from local_aws.network.authority import rules
from local_aws.network.authority.rules import Answer, Rules, RulesError

OWN = Path(rules.__file__).with_name("rules.toml")


@pytest.mark.parametrize(
    ("number", "kind", "answer", "after"),
    [
        ("INV-1", "S", Answer.ACCEPT, 0),
        ("REFUSE-1", "S", Answer.REFUSE, 0),
        ("REFUSE-1", "R", Answer.ACCEPT, 0),
        ("UNCONFIRMED-1", "S", Answer.ACCEPT_UNCONFIRMED, 0),
        ("SILENT-1", "S", Answer.SILENT, 0),
        ("LATE-1", "S", Answer.ACCEPT, 5),
        ("NOT-SILENT-1", "S", Answer.ACCEPT, 0),
        ("", "F", Answer.ACCEPT, 0),
    ],
)
def test_the_rules_of_the_local_network_go_by_the_number(number, kind, answer, after):
    rule = rules.read(OWN).choose(number, kind, "01")
    assert (rule.answer, rule.after_seconds) == (answer, after)


def test_the_first_rule_that_fits_decides():
    made = Rules().changed({"rules": [{"number": "A.*", "role": "02", "answer": "silent"}, {"number": "A.*", "answer": "refuse"}]})
    assert made.choose("A1", "S", "02").answer is Answer.SILENT
    assert made.choose("A1", "S", "01").answer is Answer.REFUSE
    assert made.choose("B1", "S", "01").answer is Answer.ACCEPT


def test_what_a_change_leaves_out_stays():
    made = Rules().changed({"rules": [{"number": "A.*", "answer": "silent"}]}).changed({"day": "down"})
    assert made.as_json() == {"day": "down", "rules": [{"number": "A.*", "answer": "silent", "after_seconds": 0.0}]}
    assert made.changed({"rules": []}).as_json() == {"day": "down", "rules": []}
    assert Rules().changed(made.as_json()) == made


@pytest.mark.parametrize(
    "wrong",
    [
        [],
        {"days": "up"},
        {"day": "sunny"},
        {"day": ["up"]},
        {"rules": {}},
        {"rules": ["A.*"]},
        {"rules": [{"answer": "silent"}]},
        {"rules": [{"number": "("}]},
        {"rules": [{"number": 5}]},
        {"rules": [{"number": "A", "answer": "maybe"}]},
        {"rules": [{"number": "A", "after_seconds": "soon"}]},
        {"rules": [{"number": "A", "after_seconds": -1}]},
        {"rules": [{"number": "A", "after": 1}]},
    ],
)
def test_what_are_no_rules_is_refused(wrong):
    with pytest.raises(RulesError):
        Rules().changed(wrong)


def test_a_file_that_is_no_toml_is_named(tmp_path):
    (tmp_path / "rules.toml").write_text("[[rules")
    with pytest.raises(RulesError, match="rules.toml"):
        rules.read(tmp_path / "rules.toml")
