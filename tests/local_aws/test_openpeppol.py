"""The simulated OpenPeppol reads a report in its envelope."""

from pathlib import Path

import pytest

from local_aws.network.openpeppol import document, said

SAMPLES = Path(__file__).parents[2] / "shared" / "src" / "statistics" / "samples"
SBDH = "http://www.unece.org/cefact/namespaces/StandardBusinessDocumentHeader"


def enveloped(sample: str) -> tuple[bytes, bytes]:
    """An envelope, and the report in it."""
    report = (SAMPLES / sample).read_bytes().partition(b"?>")[2].strip()
    header = b"<StandardBusinessDocumentHeader/>"
    return b'<StandardBusinessDocument xmlns="%s">%s%s</StandardBusinessDocument>' % (SBDH.encode(), header, report), report


@pytest.mark.parametrize(
    ("sample", "kind", "total"), [("transactions.xml", "TSR", "Incoming"), ("end-users.xml", "EUSR", "SendingEndUsers")]
)
def test_a_report_is_taken_out_as_it_came_and_read(sample, kind, total):
    envelope, report = enveloped(sample)
    assert document(envelope) == report
    read = said(report)
    assert (read["kind"], len(read["month"]), read["reporter"][0]) == (kind, 7, "P")
    assert read["total"][total] > 0
