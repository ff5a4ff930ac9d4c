"""The servers of the network except the access points: real servers on loopback, behind one port and a name server."""

import asyncio
from pathlib import Path

from aiohttp import web

from local_aws.http_api import bind, url_of
from local_aws.network import sml
from local_aws.network.directory import Directory
from local_aws.network.edge import Edge
from local_aws.network.locator import Locator
from local_aws.network.names import NameServer
from local_aws.network.pki import Pki, Seat
from local_aws.network.publisher import Publisher
from local_aws.network.tax_portal import TaxPortal


class StandIns:
    """Registrations may change at any time; edges, SMPs and pages are created before `listen`."""

    def __init__(self, folder: Path):
        self._bound = bind(0)
        self.url = url_of(self._bound)
        self.folder = folder
        self.locator, self.directory, self.tax_portal = Locator(), Directory(), TaxPortal()
        self.names = NameServer(self.locator)
        self.pki = Pki(folder, f"{self.url}/crl")
        self.publishers: dict[str, Publisher] = {}
        self.edges: dict[str, Edge] = {}
        self._site = web.Application()
        self._runner: web.AppRunner | None = None

    @classmethod
    async def make(cls, folder: Path) -> "StandIns":
        """Generates missing keys."""
        return await asyncio.to_thread(cls, folder)

    @property
    def sml_url(self) -> str:
        return f"{self.url}/sml"

    @property
    def smp_url(self) -> str:
        """The base address of the SMPs, which is followed by their id."""
        return f"{self.url}/smp"

    @property
    def directory_url(self) -> str:
        return f"{self.url}/directory"

    @property
    def tax_portal_url(self) -> str:
        return f"{self.url}/tax-portal"

    @property
    def names_url(self) -> str:
        """The base address that sets the days of the name server."""
        return f"{self.url}/names"

    def edge(self, name: str, behind: str, seat: Seat) -> str:
        """Creates an edge before an access point; returns its address, below which are `/as4` and `/day`."""
        self.edges[name] = Edge(name, behind, seat)
        self._site.add_subapp(f"/edges/{name}", self.edges[name].application())
        return f"{self.url}/edges/{name}"

    def publish(self, smp_id: str) -> None:
        """Starts an SMP that is known to the SML."""
        address = f"{self.smp_url}/{smp_id}"
        foreign, expired = self.pki.foreign_publisher(smp_id), self.pki.expired_publisher(smp_id)
        self.publishers[smp_id] = Publisher(self.pki.publisher(smp_id), address, foreign, expired)
        self._site.add_subapp(f"/smp/{smp_id}", self.publishers[smp_id].application())
        self.locator.create_publisher(smp_id, address)

    def show(self, name: str, application: web.Application) -> str:
        """Serves a page; returns its address."""
        self._site.add_subapp(f"/{name}", application)
        return f"{self.url}/{name}"

    async def listen(self) -> None:
        self._site.add_subapp("/names", self.names.application())
        self._site.add_subapp("/sml", sml.application(self.locator))
        self._site.add_subapp("/directory", self.directory.application())
        self._site.add_subapp("/tax-portal", self.tax_portal.application())
        self._site.router.add_get("/crl/{name}", self._revocation_list)
        self._runner = web.AppRunner(self._site, access_log=None, shutdown_timeout=0.5)
        await self._runner.setup()
        await web.SockSite(self._runner, self._bound).start()
        await self.names.listen()

    async def close(self) -> None:
        self.names.close()
        if self._runner is not None:
            await self._runner.cleanup()
        self._bound.close()

    async def _revocation_list(self, request: web.Request) -> web.Response:
        content = self.pki.lists().get(request.match_info["name"])
        if content is None:
            raise web.HTTPNotFound
        # RFC 2585, section 4.2.
        return web.Response(body=content, content_type="application/pkix-crl")
