"""Generated documents: the official judge finds no error in thousands of bodies."""
import json
import os
import subprocess
from collections import Counter

import product
import terms


def test_no_rule_fires_on_any_generated_document(reference, tmp_path, figures):
    count, seed = os.environ.get("CONFORMANCE_COUNT", "2000"), os.environ.get("CONFORMANCE_SEED", "1")
    generate = product.binary("ACCESS_POINT_GENERATE", "generate")
    subprocess.run([generate, "--count", count, "--seed", seed, "--out", tmp_path], check=True, stdout=subprocess.DEVNULL)
    files = sorted(tmp_path.glob("*.xml"))
    assert len(files) == int(count)
    wrong = product.faults(product.judge(reference, files, processes=2))
    assert wrong == [], f"{len(wrong)} of {count} documents (seed {seed})"
    figures(f"generated: {len(files)} documents (seed {seed}) judged, 0 XSD errors, 0 rules fired")

    readings = [terms.read(file) for file in files]
    unclaimed = set().union(*(reading.unclaimed for reading in readings))
    seen = Counter(term for reading in readings for term in reading.terms & terms.term_ids())
    operations = {json.loads(file.with_suffix(".json").read_text())["operation"] for file in files}
    flags = [sum(reading.values["BTAE-02"][0][n] == "1" for reading in readings) for n in range(8)]
    types = sorted({reading.values["IBT-003"][0] for reading in readings})
    figures(f"generated: {len(seen)} of {len(terms.term_ids())} terms occur, rarest {min(seen.values())} times; "
            f"{len(operations)} operations, types {' '.join(types)}, flags 1 to 8 set {flags} times")
    assert unclaimed == set(), "elements that are no business term"
    assert sorted(terms.term_ids() - set(seen)) == [], "terms that the generator never gives"
    assert types == ["261", "380", "381", "389", "480", "81"]
    assert all(flags)
