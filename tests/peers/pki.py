"""A test network's certificates, laid out as the reference's `phase4/run pki` has them, which takes eight seconds and Java."""
import datetime

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import rsa
from cryptography.hazmat.primitives.serialization import pkcs12
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

PASSWORD = "peppol"
RSA_BITS = 2048
# Nothing listens there: every peer is given the folder of the lists.
LISTS = "http://127.0.0.1:9/crl"
DAY = datetime.timedelta(days=1)
NOW = datetime.datetime.now(datetime.UTC).replace(microsecond=0)

# The seats of the matrix: whose messages and receipts are good, and whose are not for one reason each.
SENDER, RECEIVER = "PAE000001", "PAE000002"
REVOKED, EXPIRED, FOREIGN = "PAE000003", "PAE000004", "PAE000005"
PUBLISHER, REVOKED_PUBLISHER = "smp", "smp-revoked"


class Authority:
    """An issuing authority: its certificate, its key and the serial numbers that it revoked."""

    def __init__(self, name, subject, issuer=None):
        self.name, self.subject = name, x509.Name([x509.NameAttribute(NameOID.COUNTRY_NAME, "BE"),
                                                   x509.NameAttribute(NameOID.ORGANIZATION_NAME, "OpenPEPPOL AISBL"),
                                                   x509.NameAttribute(NameOID.COMMON_NAME, subject)])
        self.key = rsa.generate_private_key(65537, RSA_BITS)
        self.revoked = []
        builder = validity(certificate(self.subject, self.key, issuer or self), NOW - 30 * DAY, NOW + 3650 * DAY)
        builder = builder.add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        builder = builder.add_extension(usage(key_cert_sign=True, crl_sign=True), critical=True)
        if issuer:
            builder = builder.add_extension(distribution_point(issuer), critical=False)
        self.certificate = builder.sign((issuer or self).key, hashes.SHA256())

    def issue(self, common_name, unit, begins=NOW - DAY, ends=NOW + 365 * DAY):
        """A leaf, as the certificate profile of the network has it."""
        key = rsa.generate_private_key(65537, RSA_BITS)
        names = [(NameOID.COUNTRY_NAME, "AE"), (NameOID.ORGANIZATION_NAME, f"Test operator {common_name}"),
                 (NameOID.ORGANIZATIONAL_UNIT_NAME, unit), (NameOID.COMMON_NAME, common_name)]
        subject = x509.Name([x509.NameAttribute(*name) for name in names])
        builder = validity(certificate(subject, key, self), begins, ends)
        builder = builder.add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
        builder = builder.add_extension(usage(digital_signature=True, key_encipherment=True, data_encipherment=True), critical=True)
        builder = builder.add_extension(x509.ExtendedKeyUsage([ExtendedKeyUsageOID.CLIENT_AUTH]), critical=False)
        builder = builder.add_extension(distribution_point(self), critical=False)
        return builder.sign(self.key, hashes.SHA256()), key

    def list(self):
        builder = x509.CertificateRevocationListBuilder().issuer_name(self.subject).last_update(NOW - DAY).next_update(NOW + 30 * DAY)
        builder = builder.add_extension(x509.AuthorityKeyIdentifier.from_issuer_public_key(self.key.public_key()), critical=False)
        builder = builder.add_extension(x509.CRLNumber(1), critical=False)
        for serial in self.revoked:
            entry = x509.RevokedCertificateBuilder().serial_number(serial).revocation_date(NOW - DAY)
            builder = builder.add_revoked_certificate(entry.build())
        return builder.sign(self.key, hashes.SHA256()).public_bytes(serialization.Encoding.DER)


def certificate(subject, key, issuer):
    builder = x509.CertificateBuilder().subject_name(subject).issuer_name(issuer.subject)
    builder = builder.public_key(key.public_key()).serial_number(x509.random_serial_number())
    builder = builder.add_extension(x509.SubjectKeyIdentifier.from_public_key(key.public_key()), critical=False)
    return builder.add_extension(x509.AuthorityKeyIdentifier.from_issuer_public_key(issuer.key.public_key()), critical=False)


def validity(builder, begins, ends):
    return builder.not_valid_before(begins).not_valid_after(ends)


def usage(**used):
    every = ("digital_signature", "content_commitment", "key_encipherment", "data_encipherment", "key_agreement",
             "key_cert_sign", "crl_sign", "encipher_only", "decipher_only")
    return x509.KeyUsage(**{name: used.get(name, False) for name in every})


def distribution_point(authority):
    place = [x509.UniformResourceIdentifier(f"{LISTS}/{authority.name}.crl")]
    return x509.CRLDistributionPoints([x509.DistributionPoint(place, None, None, None)])


def pem(one):
    return one.public_bytes(serialization.Encoding.PEM)


def make(folder):
    """Writes certificates, keys, key stores and lists into `folder`."""
    (folder / "crl").mkdir(parents=True)
    root = Authority("root-ca", "PEPPOL ROOT TEST CA - G3")
    access_points = Authority("ap-ca", "PEPPOL ACCESS POINT TEST CA - G3", root)
    publishers = Authority("smp-ca", "PEPPOL SERVICE METADATA PUBLISHER TEST CA - G3", root)
    # The same name and another key.
    foreign = Authority("foreign-ca", "PEPPOL ACCESS POINT TEST CA - G3")
    past = {"begins": NOW - 400 * DAY, "ends": NOW - DAY}
    leaves = {
        SENDER: (access_points, access_points.issue(SENDER, "PEPPOL TEST AP")),
        RECEIVER: (access_points, access_points.issue(RECEIVER, "PEPPOL TEST AP")),
        REVOKED: (access_points, access_points.issue(REVOKED, "PEPPOL TEST AP")),
        EXPIRED: (access_points, access_points.issue(EXPIRED, "PEPPOL TEST AP", **past)),
        FOREIGN: (foreign, foreign.issue(FOREIGN, "PEPPOL TEST AP")),
        PUBLISHER: (publishers, publishers.issue("PAE000901", "PEPPOL TEST SMP")),
        REVOKED_PUBLISHER: (publishers, publishers.issue("PAE000902", "PEPPOL TEST SMP")),
    }
    for name in (REVOKED, REVOKED_PUBLISHER):
        issuer, (leaf, _) = leaves[name]
        issuer.revoked.append(leaf.serial_number)
    for authority in (root, access_points, publishers, foreign):
        (folder / f"{authority.name}.pem").write_bytes(pem(authority.certificate))
        (folder / "crl" / f"{authority.name}.crl").write_bytes(authority.list())
    (folder / "ap-trust.pem").write_bytes(pem(access_points.certificate) + pem(root.certificate))
    (folder / "smp-trust.pem").write_bytes(pem(publishers.certificate) + pem(root.certificate))
    for name, (issuer, (leaf, key)) in leaves.items():
        (folder / f"{name}.pem").write_bytes(pem(leaf))
        form = serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
        (folder / f"{name}.key.pem").write_bytes(key.private_bytes(*form))
        secret = serialization.BestAvailableEncryption(PASSWORD.encode())
        chain = [issuer.certificate] if issuer is foreign else [issuer.certificate, root.certificate]
        store = pkcs12.serialize_key_and_certificates(name.lower().encode(), key, leaf, chain, secret)
        (folder / f"{name}.p12").write_bytes(store)
