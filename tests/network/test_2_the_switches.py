"""The parameters that the two access points set differently from a deployment are in infra/README.md, with tests of the deployed values."""

from local_aws.options import TEMPLATE
from local_aws.switches import SWITCHES, set_otherwise
from local_aws.template import load


def test_what_each_of_the_two_sets_otherwise_is_listed(a, b):
    for side in (a, b):
        given = side.run.described["parameters"]
        assert {"Network", "As4Url", "NationalPortalUrl"} <= set_otherwise(load(TEMPLATE), given) <= set(SWITCHES)
