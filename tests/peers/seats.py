"""The seats of the local network in the matrix."""
from local_aws.network import run as network

# The product's two access points: one sends, the other receives.
SENDER, RECEIVER = (wanted.seat for wanted in network.WANTED)
# The seats of other vendors: phase4 and asx-rs send and receive, peppol-py only sends.
PHASE4, ASX, PEPPOL_PY = network.GUEST_SEATS
REVOKED, EXPIRED, FOREIGN = network.REVOKED_SEAT, network.EXPIRED_SEAT, network.FOREIGN_SEAT
# Their SMPs.
PUBLISHER, REVOKED_PUBLISHER = network.PEER_SMP, network.REVOKED_SMP

FALCON, OASIS = (f"0235:{wanted.tin}" for wanted in network.WANTED)
# The guests' taxpayer.
GUEST = "0235:1001234510"
NOT_SERVED = "0235:1999999900"
