"""The product's reading of phase4's answers during faults: an answer without proof is no receipt, and retries under the same id work."""
import traceback
import uuid
from concurrent.futures import ThreadPoolExecutor

import columns
import ours
import seats

WORKERS = 4

# The behaviour of phase4's receiver with these options, and the expected outcome of two attempts with one message.
ANSWERS = {
    "receipts with a spoilt signature": (["--receipt-fault", "signature"], "bad receipt, then EBMS:0004 duplicate"),
    "receipts of another digest": (["--receipt-fault", "reference"], "bad receipt, then EBMS:0004 duplicate"),
    "receipts that nobody signed": (["--receipt-fault", "unsigned"], "nothing, then EBMS:0004 duplicate"),
    "200 without a body": (["--receipt-fault", "empty"], "nothing, then EBMS:0004 duplicate"),
    # It records an id before delivery: the next attempt needs a new one.
    "EBMS:0202 once": (["--fail-first", "1", "--fail-with", "EBMS:0202"], "EBMS:0202, then EBMS:0004 duplicate"),
    "503 once": (["--fail-first", "1", "--fail-with", "503"], "nothing, then receipt"),
    "a dropped connection once": (["--fail-first", "1", "--fail-with", "drop"], "nothing, then receipt"),
}


def judge(world, phase4, name):
    options, expected = ANSWERS[name]
    receiver = columns.Phase4(phase4, world.pki, world.work / f"phase4-{name.replace(' ', '-').replace(':', '-')}", seats.PHASE4)
    envelope = world.documents.envelope("invoice", seats.SENDER, (seats.FALCON, receiver.participants["invoice"]))
    with columns.JAVA, receiver.serve(*options) as server:
        answers = world.sender.send(f"{server.base}/as4", receiver.seat, envelope, "--message-id", f"{uuid.uuid4()}@ours.example", repeat=2)
    return f"phase4 answers {name}", expected, ", then ".join(map(ours.said, answers))


def run(world, phase4):
    """[(what, expected, seen)] of every case."""
    def seen(name):
        try:
            return judge(world, phase4, name)
        except Exception as error:
            traceback.print_exc()
            return f"phase4 answers {name}", ANSWERS[name][1], f"{type(error).__name__}: {error}"

    with ThreadPoolExecutor(WORKERS) as pool:
        return list(pool.map(seen, ANSWERS))
