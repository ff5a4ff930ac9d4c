"""The parameters that this run sets differently from a deployment are in infra/README.md, with tests of the deployed values."""

from local_aws.options import TEMPLATE
from local_aws.switches import SWITCHES, set_otherwise
from local_aws.template import load


def test_what_a_run_sets_otherwise_is_listed(run):
    given = run.described["parameters"]
    assert {"Egress", "PortalUrl"} <= set_otherwise(load(TEMPLATE), given) <= set(SWITCHES)
