"""The network's certificates, with the profile of Peppol PKI G3.

Keys are reused, since each takes a second to generate. Certificates and revocation lists are issued at every start, because they contain
the address of the lists, whose port changes.
"""

import datetime
from dataclasses import dataclass
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives.asymmetric import rsa
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import (
    BestAvailableEncryption,
    Encoding,
    NoEncryption,
    PrivateFormat,
    load_pem_private_key,
    pkcs12,
)
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

# The only key length for signing and encryption (Peppol AS4 profile 2.0.3).
KEY_BITS = 2048
VALID = datetime.timedelta(days=365)
# Certificates start this long ago, since the clock of a reader may be slightly behind.
EARLIER = datetime.timedelta(hours=1)
LIST_VALID = datetime.timedelta(days=7)
DAY = datetime.timedelta(days=1)
# Issued now.
NOW = datetime.timedelta()
# The password of the key stores for other programs.
PASSWORD = "peppol"


def pem(certificate: x509.Certificate) -> str:
    return certificate.public_bytes(Encoding.PEM).decode()


def spid(seat: str) -> str:
    """The participant identifier of an access point itself: the digits of its seat (Peppol MLS 1.1)."""
    return f"0242:{''.join(filter(str.isdigit, seat))}"


def _keys(folder: Path, name: str) -> rsa.RSAPrivateKey:
    """The key of this name; a missing key is generated."""
    path = folder / f"{name}.key.pem"
    if path.exists():
        return load_pem_private_key(path.read_bytes(), None)
    key = rsa.generate_private_key(public_exponent=65537, key_size=KEY_BITS)
    _keep_secret(path, key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()))
    return key


def _keep_secret(path: Path, content: bytes) -> None:
    path.touch(mode=0o600)
    path.write_bytes(content)


def _name(organization: str, unit: str, common_name: str, country: str = "AE") -> x509.Name:
    parts = [
        (NameOID.COUNTRY_NAME, country),
        (NameOID.ORGANIZATION_NAME, organization),
        (NameOID.ORGANIZATIONAL_UNIT_NAME, unit),
        (NameOID.COMMON_NAME, common_name),
    ]
    return x509.Name([x509.NameAttribute(oid, text) for oid, text in parts])


def _usage(**given: bool) -> x509.KeyUsage:
    names = ("digital_signature", "content_commitment", "key_encipherment", "data_encipherment", "key_agreement")
    names += ("key_cert_sign", "crl_sign", "encipher_only", "decipher_only")
    return x509.KeyUsage(**{name: given.get(name, False) for name in names})


@dataclass(frozen=True)
class Seat:
    """A certificate with its key, in the form of the secret NetworkKeys."""

    common_name: str
    certificate: x509.Certificate
    key: rsa.RSAPrivateKey

    def secret(self) -> dict[str, str]:
        private = self.key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
        return {"certificate": pem(self.certificate), "private_key": private.decode()}


@dataclass(frozen=True)
class Authority:
    certificate: x509.Certificate
    key: rsa.RSAPrivateKey
    crl_url: str = ""

    def issue(
        self,
        subject: x509.Name,
        key: rsa.RSAPrivateKey,
        extensions: list[tuple[x509.ExtensionType, bool]],
        ago: datetime.timedelta = NOW,
    ) -> x509.Certificate:
        """Issues a certificate that is this old."""
        now = datetime.datetime.now(datetime.UTC) - ago
        builder = (
            x509.CertificateBuilder(self.certificate.subject, subject, key.public_key())
            .serial_number(x509.random_serial_number())
            .not_valid_before(now - EARLIER)
            .not_valid_after(now + VALID)
            .add_extension(x509.SubjectKeyIdentifier.from_public_key(key.public_key()), critical=False)
            .add_extension(x509.AuthorityKeyIdentifier.from_issuer_public_key(self.key.public_key()), critical=False)
        )
        for extension, critical in extensions:
            builder = builder.add_extension(extension, critical)
        return builder.sign(self.key, SHA256())

    def list_place(self) -> x509.CRLDistributionPoints:
        """The address of the issuer's revocation list in a certificate."""
        return x509.CRLDistributionPoints([x509.DistributionPoint([x509.UniformResourceIdentifier(self.crl_url)], None, None, None)])

    def revocation_list(self, revoked: list[x509.Certificate]) -> bytes:
        now = datetime.datetime.now(datetime.UTC)
        builder = (
            x509.CertificateRevocationListBuilder()
            .issuer_name(self.certificate.subject)
            .last_update(now - EARLIER)
            .next_update(now + LIST_VALID)
            .add_extension(x509.CRLNumber(int(now.timestamp())), critical=False)
            .add_extension(x509.AuthorityKeyIdentifier.from_issuer_public_key(self.key.public_key()), critical=False)
        )
        for certificate in revoked:
            entry = x509.RevokedCertificateBuilder().serial_number(certificate.serial_number).revocation_date(now - EARLIER)
            entry = entry.add_extension(x509.CRLReason(x509.ReasonFlags.key_compromise), critical=False)
            builder = builder.add_revoked_certificate(entry.build())
        return builder.sign(self.key, SHA256()).public_bytes(Encoding.DER)


class Pki:
    """A root, the authorities of access points and of SMPs, and all issued certificates."""

    def __init__(self, folder: Path, base_url: str):
        """`base_url` is the address of the revocation lists: see `lists`."""
        folder.mkdir(parents=True, exist_ok=True)
        folder.chmod(0o700)
        self._folder, self._revoked = folder, []
        key = _keys(folder, "root")
        name = _name("Local network", "FOR TEST ONLY", "LOCAL Root CA", "BE")
        self._root = Authority(_self_signed(name, key), key, f"{base_url}/root.crl")
        self.root = self._root.certificate
        (folder / "root-ca.pem").write_text(pem(self.root))
        self._access_points = self._authority("ap", "LOCAL ACCESS POINT CA", base_url)
        self._publishers = self._authority("smp", "LOCAL SERVICE METADATA PUBLISHER CA", base_url)
        self._keep_lists()

    def _authority(self, name: str, common_name: str, base_url: str) -> Authority:
        key = _keys(self._folder, name)
        extensions = [*_authority_extensions(0), (self._root.list_place(), False)]
        certificate = self._root.issue(_name("Local network", "FOR TEST ONLY", common_name, "BE"), key, extensions)
        (self._folder / f"{name}-ca.pem").write_text(pem(certificate))
        (self._folder / f"{name}-trust.pem").write_text(pem(certificate) + pem(self.root))
        return Authority(certificate, key, f"{base_url}/{name}.crl")

    def _keep_lists(self) -> None:
        """Writes the revocation lists to files, for programs that do not download them."""
        folder = self._folder / "crl"
        folder.mkdir(exist_ok=True)
        for name, content in self.lists().items():
            (folder / name).write_bytes(content)

    def authorities(self) -> dict[str, str]:
        """The issuing authority and the root for each role, for the secret NetworkKeys."""
        each = {"access_point": self._access_points, "publisher": self._publishers}
        return {role: pem(authority.certificate) + pem(self.root) for role, authority in each.items()}

    def access_point(self, seat: str) -> Seat:
        """The certificate of an access point, whose common name is its seat."""
        return self._access_point(self._access_points, seat)

    def expired(self, seat: str) -> Seat:
        """A certificate that expired yesterday."""
        return self._access_point(self._access_points, seat, VALID + DAY)

    def foreign(self, seat: str) -> Seat:
        """A certificate of an authority that has the name of the network's authority, but another key."""
        return self._access_point(self._foreign(self._access_points.certificate.subject, self._access_points), seat)

    def _access_point(self, authority: Authority, seat: str, ago: datetime.timedelta = NOW) -> Seat:
        made = self._seat(authority, seat, "LOCAL TEST AP", ago, key_encipherment=True, data_encipherment=True)
        return self._kept(authority, made)

    def publisher(self, smp_id: str) -> Seat:
        made = self._seat(self._publishers, smp_id, "LOCAL TEST SMP", key_encipherment=True)
        return self._kept(self._publishers, made)

    def foreign_publisher(self, smp_id: str) -> Seat:
        """An SMP certificate of an authority that the network does not trust."""
        foreign = self._foreign(_name("Elsewhere", "FOREIGN", "FOREIGN SMP CA", "BE"), self._publishers)
        return self._seat(foreign, smp_id, "LOCAL TEST SMP", key_encipherment=True)

    def expired_publisher(self, smp_id: str) -> Seat:
        """An SMP certificate that expired yesterday."""
        return self._seat(self._publishers, smp_id, "LOCAL TEST SMP", VALID + DAY, key_encipherment=True)

    def _foreign(self, name: x509.Name, like: Authority) -> Authority:
        """An untrusted authority. Its certificates name the revocation list of another authority."""
        key = _keys(self._folder, "foreign")
        return Authority(_self_signed(name, key), key, like.crl_url)

    def _kept(self, authority: Authority, seat: Seat) -> Seat:
        """Writes a certificate and its key to files, for other programs."""
        name, chain = seat.common_name, [authority.certificate, self.root]
        (self._folder / f"{name}.pem").write_text(pem(seat.certificate))
        encryption = BestAvailableEncryption(PASSWORD.encode())
        store = pkcs12.serialize_key_and_certificates(name.lower().encode(), seat.key, seat.certificate, chain, encryption)
        _keep_secret(self._folder / f"{name}.p12", store)
        return seat

    def _seat(self, authority: Authority, common_name: str, unit: str, ago: datetime.timedelta = NOW, **usage: bool) -> Seat:
        key = _keys(self._folder, common_name)
        extensions = [
            (x509.BasicConstraints(ca=False, path_length=None), True),
            (_usage(digital_signature=True, **usage), True),
            (x509.ExtendedKeyUsage([ExtendedKeyUsageOID.CLIENT_AUTH]), False),
            (authority.list_place(), False),
        ]
        certificate = authority.issue(_name("Local network", unit, common_name), key, extensions, ago)
        return Seat(common_name, certificate, key)

    def revoke(self, seat: Seat) -> None:
        """Adds a certificate to its authority's revocation list; the next download contains it."""
        self._revoked.append(seat.certificate)
        self._keep_lists()

    def lists(self) -> dict[str, bytes]:
        """The current revocation lists, by the last part of their address."""
        found = {}
        for authority in (self._root, self._access_points, self._publishers):
            revoked = [each for each in self._revoked if each.issuer == authority.certificate.subject]
            found[authority.crl_url.rpartition("/")[2]] = authority.revocation_list(revoked)
        return found


def kept_seat(folder: Path, seat: str) -> Seat:
    """The certificate and key of a seat."""
    return Seat(seat, x509.load_pem_x509_certificate((folder / f"{seat}.pem").read_bytes()), _keys(folder, seat))


def renewed(folder: Path, seat: str) -> Seat:
    """A second certificate of an access point with another key, stored as `SEAT-next`, as an authority issues one before the first
    expires."""
    former = x509.load_pem_x509_certificate((folder / f"{seat}.pem").read_bytes())
    issuing = x509.load_pem_x509_certificate((folder / "ap-trust.pem").read_bytes())
    name = f"{seat}-next"
    key = _keys(folder, name)
    own = (x509.SubjectKeyIdentifier, x509.AuthorityKeyIdentifier)
    kept = [(each.value, each.critical) for each in former.extensions if not isinstance(each.value, own)]
    certificate = Authority(issuing, _keys(folder, "ap")).issue(former.subject, key, kept)
    (folder / f"{name}.pem").write_text(pem(certificate))
    return Seat(seat, certificate, key)


def _authority_extensions(path_length: int) -> list[tuple[x509.ExtensionType, bool]]:
    return [(x509.BasicConstraints(ca=True, path_length=path_length), True), (_usage(key_cert_sign=True, crl_sign=True), True)]


def _self_signed(name: x509.Name, key: rsa.RSAPrivateKey) -> x509.Certificate:
    now = datetime.datetime.now(datetime.UTC)
    builder = (
        x509.CertificateBuilder(name, name, key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - EARLIER)
        .not_valid_after(now + VALID)
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(key.public_key()), critical=False)
    )
    for extension, critical in _authority_extensions(1):
        builder = builder.add_extension(extension, critical)
    return builder.sign(key, SHA256())
