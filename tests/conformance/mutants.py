"""Mutants: documents with one to four changes, the same ones for the same seed.

A mutant is known by its source and its steps, each a change with a random seed of its own, so that
it can be made again with some of its steps left out.
"""

import random
from dataclasses import dataclass, field

from lxml import etree

import edits_of_amounts  # noqa: F401 (these register their changes)
import edits_of_form
import edits_of_structure  # noqa: F401
import edits_of_text  # noqa: F401
import targets
from edits import EDITS
from pools import Pools

FUNCTIONS = {function.__name__: function for _, function in EDITS}
NAMES = [function.__name__ for _, function in EDITS]
WEIGHTS = [weight for weight, _ in EDITS]


@dataclass
class Document:
    """A document during its changes: its tree, and the changes of its text at the end."""

    root: etree._Element
    forms: list = field(default_factory=list)
    breakage: str = ""
    chance: float = 0.0

    def write(self):
        return edits_of_form.write(etree.tostring(self.root, encoding="unicode"), self.forms, self.breakage, self.chance)


@dataclass(frozen=True)
class Mutant:
    """The recipe of a mutant. `target` is the rule that the first change aims at, or None."""

    source: str
    target: str | None
    steps: tuple  # of (name of a change, seed)


class Mutator:
    """Makes mutants of the sources, which are file contents by name, in groups of (share, names)."""

    def __init__(self, artefacts, sources, groups):
        self.trees = {name: etree.fromstring(data) for name, data in sources.items()}
        self.groups = groups
        self.pools = Pools(artefacts, self.trees.values())
        self.targets = targets.TARGETS

    def plan(self, seed, number):
        """The mutant of this number: first one for each target, then random ones, of which one in eight aims at a target."""
        chance = random.Random(f"{seed}/{number}")
        keys = list(self.targets)
        if number < len(keys):
            return Mutant(self.targets[keys[number]].source, keys[number], ())
        target = chance.choice(keys) if keys and chance.random() < 0.125 else None
        names = chance.choices([names for _, names in self.groups], [share for share, _ in self.groups])[0]
        source = self.targets[target].source if target else chance.choice(names)
        count = chance.choices((1, 2, 3, 4), (4, 3, 2, 2))[0] - bool(target)
        steps = tuple((name, chance.getrandbits(32)) for name in chance.choices(NAMES, WEIGHTS, k=count))
        return Mutant(source, target, steps)

    def make(self, mutant):
        """The mutant's bytes, and a description of the changes."""
        document, done = Document(etree.fromstring(etree.tostring(self.trees[mutant.source]))), []
        if mutant.target:
            self.targets[mutant.target].apply(document, self.pools.structure)
            done.append(f"target {mutant.target}")
        for name, seed in mutant.steps:
            said = FUNCTIONS[name](document, random.Random(seed), self.pools)
            done.append(said or f"{name}: no place for it")
        return document.write(), done
