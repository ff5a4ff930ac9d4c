"""The registrations of the SML, from which DNS answers."""

import base64
import hashlib
from dataclasses import dataclass, field

ZONE = "participant.sml.local"
SCHEME = "iso6523-actorid-upis"


class Refused(Exception):
    """A BDMSL fault: its kind and its text, in the words of the real SML."""

    def __init__(self, kind: str, message: str):
        super().__init__(message)
        self.kind, self.message = kind, message


def dns_name(participant: str) -> str:
    """The DNS name of a participant (Peppol SML specification): of the value only, in lower case."""
    digest = base64.b32encode(hashlib.sha256(participant.lower().encode()).digest()).decode()
    return f"{digest.rstrip('=').lower()}.{SCHEME}.{ZONE}."


@dataclass
class Locator:
    """SMPs by their id, participants by their value in lower case."""

    publishers: dict[str, str] = field(default_factory=dict)
    participants: dict[str, str] = field(default_factory=dict)
    _migrations: dict[str, str] = field(default_factory=dict)
    _names: dict[str, str] = field(default_factory=dict)

    def address_of(self, name: str) -> str | None:
        """The address of the SMP that a DNS name leads to, if the name exists."""
        participant = self._names.get(name.lower())
        return participant and self.publishers[self.participants[participant]]

    def create_publisher(self, smp_id: str, address: str) -> None:
        if smp_id in self.publishers:
            raise Refused("BadRequestFault", f"[ERR-106] The SMP '{smp_id}' already exists")
        self.publishers[smp_id] = address

    def update_publisher(self, smp_id: str, address: str) -> None:
        self._known(smp_id)
        self.publishers[smp_id] = address

    def delete_publisher(self, smp_id: str) -> None:
        self._known(smp_id)
        del self.publishers[smp_id]
        for participant in [each for each, at in self.participants.items() if at == smp_id]:
            self._forget(participant)

    def create(self, smp_id: str, participant: str) -> None:
        self._known(smp_id)
        key = participant.lower()
        if key in self.participants:
            message = f"[ERR-106] The participant identifier [{participant}] with scheme: [{SCHEME}] already exist"
            raise Refused("BadRequestFault", f"{message} with naptr service [Meta:SMP] on subdomain: [{ZONE}]")
        self._place(smp_id, key)

    def delete(self, smp_id: str, participant: str) -> None:
        self._own(smp_id, participant)
        self._forget(participant.lower())

    def prepare_to_migrate(self, smp_id: str, participant: str, key: str) -> None:
        """The current SMP sets the key with which another SMP may take over a participant."""
        self._own(smp_id, participant)
        self._migrations[participant.lower()] = key

    def migrate(self, smp_id: str, participant: str, key: str) -> None:
        """Another SMP takes over a participant."""
        self._known(smp_id)
        if self._migrations.get(participant.lower()) != key:
            raise Refused("NotFoundFault", f"[ERR-110] The migration key is not that of the participant '{participant}'")
        self._place(smp_id, participant.lower())
        del self._migrations[participant.lower()]

    def _place(self, smp_id: str, participant: str) -> None:
        self.participants[participant] = smp_id
        self._names[dns_name(participant)] = participant

    def _forget(self, participant: str) -> None:
        del self.participants[participant], self._names[dns_name(participant)]
        self._migrations.pop(participant, None)

    def _known(self, smp_id: str) -> None:
        if smp_id not in self.publishers:
            raise Refused("NotFoundFault", f"[ERR-100] The SMP '{smp_id}' doesn't exist.")

    def _own(self, smp_id: str, participant: str) -> None:
        self._known(smp_id)
        at = self.participants.get(participant.lower())
        if at is None:
            raise Refused("NotFoundFault", "[ERR-110] At least one of the participants doesn't exist in the list")
        if at != smp_id:
            raise Refused("UnauthorizedFault", f"[ERR-101] The participant '{participant}' is not one of the SMP '{smp_id}'")
