"""The running service, from the run file of the local runner."""

import json
import os
from dataclasses import dataclass
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[3]


@dataclass(frozen=True)
class DemoTaxpayer:
    taxpayer_id: str
    name: str
    participant_id: str
    grant_id: str | None

    @property
    def tin(self) -> str:
        return self.participant_id.partition(":")[2]


@dataclass(frozen=True)
class Run:
    """Addresses and demo data of the service under test."""

    api_url: str
    organization_id: str
    sandbox_key: str
    live_key: str
    taxpayers: dict[str, DemoTaxpayer]
    endpoint_id: str
    endpoint_secret: str
    receiver_log: Path
    aws_endpoint: str
    table: str
    bucket: str
    functions: Path
    logs: Path
    described: dict

    def taxpayer(self, first_word: str) -> DemoTaxpayer:
        return self.taxpayers[first_word]

    def parameter(self, name: str, default: str) -> str:
        """A template parameter of the running service."""
        return str(self.described.get("parameters", {}).get(name, default))


def load() -> Run:
    """The service of the run file."""
    return of(described())


def described(default: Path = REPOSITORY / ".local" / "run.json") -> dict:
    """Reads the run file: ACCESS_POINT_RUN, or by default the one of infra/local."""
    path = Path(os.environ.get("ACCESS_POINT_RUN", default))
    if not path.exists():
        raise SystemExit(f"{path} is not there: start the service with infra/local, or name its run file in ACCESS_POINT_RUN")
    return json.loads(path.read_text())


def of(described: dict) -> Run:
    """A service as its run file describes it."""
    demo = described["demo"]
    taxpayers = {
        entry["name"].split()[0]: DemoTaxpayer(
            entry["taxpayer_id"], entry["name"], entry["participant_id"], entry["grant_id"]
        )
        for entry in demo["taxpayers"]
    }
    return Run(
        api_url=described["api_url"].rstrip("/"),
        organization_id=demo["organization_id"],
        sandbox_key=demo["api_keys"]["sandbox"],
        live_key=demo["api_keys"]["live"],
        taxpayers=taxpayers,
        endpoint_id=demo["webhook_endpoint"]["endpoint_id"],
        endpoint_secret=demo["webhook_endpoint"]["secret"],
        receiver_log=Path(described["receiver"]["log"]),
        aws_endpoint=described["aws_endpoint"],
        table=described["table"],
        bucket=described["bucket"],
        functions=Path(described["functions"]),
        logs=Path(described["logs"]),
        described=described,
    )
