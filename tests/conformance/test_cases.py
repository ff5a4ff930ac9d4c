"""The unit tests' cases of the rules are right: the official judge says the same of each edited sample."""

import json
import pathlib

from referee import Referee

SOURCES = pathlib.Path(__file__).resolve().parents[2] / "shared" / "src"


def edited(sample, edits):
    for find, replace in edits:
        assert find in sample, find
        sample = sample.replace(find, replace, 1)
    return sample.encode()


def test_every_case_of_an_official_rule_is_what_the_judge_says(reference, figures):
    referee, judged = Referee(reference), 0
    files = sorted(SOURCES.rglob("*.cases.json"))
    for file in files:
        sample = file.with_name(file.name.replace(".cases.json", ".xml")).read_text()
        for case in json.loads(file.read_text()):
            if case["rule"].startswith("AP-"):
                continue
            for edits, fires in ((case["obeys"], False), (case["breaks"], True)):
                verdict = referee.judge(edited(sample, edits))
                assert not verdict.error, case
                assert (verdict.fired[case["rule"]] > 0) == fires, f"{file.name}: {case['rule']} after {edits}"
                judged += 1
    assert len(files) == 6
    figures(f"cases of rules: {judged} edited samples judged as the cases say")
