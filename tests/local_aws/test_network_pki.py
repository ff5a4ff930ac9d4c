"""The local network's certificates pass the checks of a real access point."""

from datetime import UTC, datetime

import pytest
from cryptography import x509
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.padding import PKCS1v15
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import pkcs12
from cryptography.x509.oid import ExtendedKeyUsageOID

from local_aws.network.pki import PASSWORD, Pki, spid

URL = "http://127.0.0.1:9/crl"


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("keys")


@pytest.fixture(scope="module")
def pki(folder):
    return Pki(folder, URL)


def authorities(pki: Pki) -> dict[str, list[x509.Certificate]]:
    return {role: x509.load_pem_x509_certificates(text.encode()) for role, text in pki.authorities().items()}


def test_each_role_has_an_authority_below_one_root(pki):
    found = authorities(pki)
    assert set(found) == {"access_point", "publisher"}
    roots = {chain[1] for chain in found.values()}
    assert roots == {pki.root}
    for issuing, root in found.values():
        issuing.verify_directly_issued_by(root)
        assert issuing.extensions.get_extension_for_class(x509.BasicConstraints).value.ca


@pytest.mark.parametrize(
    ("role", "name", "list_name"), [("access_point", "PAE000001", "ap"), ("publisher", "PAE000901", "smp")]
)
def test_a_certificate_is_of_its_role_and_says_where_its_list_is(pki, role, name, list_name):
    seat = getattr(pki, role)(name)
    seat.certificate.verify_directly_issued_by(authorities(pki)[role][0])
    extensions = seat.certificate.extensions
    usage = extensions.get_extension_for_class(x509.KeyUsage).value
    assert usage.digital_signature and usage.key_encipherment and not usage.key_cert_sign
    assert list(extensions.get_extension_for_class(x509.ExtendedKeyUsage).value) == [ExtendedKeyUsageOID.CLIENT_AUTH]
    (point,) = extensions.get_extension_for_class(x509.CRLDistributionPoints).value
    assert [name.value for name in point.full_name] == [f"{URL}/{list_name}.crl"]
    assert seat.certificate.public_key().public_numbers() == seat.key.public_key().public_numbers()


def test_a_revoked_certificate_is_on_the_list_of_its_authority_alone(folder):
    pki = Pki(folder, URL)
    good, revoked = pki.access_point("PAE000001"), pki.access_point("PAE000002")
    pki.revoke(revoked)
    lists = {name: x509.load_der_x509_crl(content) for name, content in pki.lists().items()}
    assert set(lists) == {"root.crl", "ap.crl", "smp.crl"}
    listed = lists["ap.crl"]
    assert listed.is_signature_valid(authorities(pki)["access_point"][0].public_key())
    assert listed.get_revoked_certificate_by_serial_number(revoked.certificate.serial_number) is not None
    assert listed.get_revoked_certificate_by_serial_number(good.certificate.serial_number) is None
    assert list(lists["root.crl"]) == list(lists["smp.crl"]) == []


def test_what_has_ended_and_what_a_stranger_issued_is_like_a_good_one_but_for_that(pki):
    issuing = authorities(pki)["access_point"][0]
    ended, foreign = pki.expired("PAE000005").certificate, pki.foreign("PAE000006").certificate
    now = datetime.now(UTC)
    assert ended.not_valid_before_utc < ended.not_valid_after_utc < now
    ended.verify_directly_issued_by(issuing)
    assert foreign.not_valid_before_utc < now < foreign.not_valid_after_utc
    assert foreign.issuer == issuing.subject
    with pytest.raises(InvalidSignature):
        foreign.verify_directly_issued_by(issuing)


def test_a_key_store_has_the_key_and_its_chain(folder, pki):
    seat = pki.access_point("PAE000001")
    key, certificate, chain = pkcs12.load_key_and_certificates((folder / "PAE000001.p12").read_bytes(), PASSWORD.encode())
    assert key.private_numbers() == seat.key.private_numbers()
    assert [certificate, *chain] == [seat.certificate, *authorities(pki)["access_point"]]


def test_keys_are_kept_and_certificates_issued_anew(folder, pki):
    before = pki.access_point("PAE000001")
    again = Pki(folder, "http://127.0.0.1:10/crl").access_point("PAE000001")
    assert again.key.private_numbers() == before.key.private_numbers()
    assert again.certificate != before.certificate


def test_private_keys_are_for_their_owner_alone(folder, pki):
    pki.access_point("PAE000001")
    assert folder.stat().st_mode & 0o077 == 0
    secrets = [*folder.glob("*.key.pem"), *folder.glob("*.p12")]
    assert secrets and all(path.stat().st_mode & 0o077 == 0 for path in secrets)


def test_the_secret_has_a_pair_that_fits(pki):
    secret = pki.access_point("PAE000001").secret()
    certificate = x509.load_pem_x509_certificate(secret["certificate"].encode())
    key = pki.access_point("PAE000001").key
    certificate.public_key().verify(key.sign(b"x", PKCS1v15(), SHA256()), b"x", PKCS1v15(), SHA256())
    assert secret["private_key"].startswith("-----BEGIN PRIVATE KEY-----")


def test_an_access_point_is_a_participant_by_the_digits_of_its_seat():
    assert spid("PAE000306") == "0242:000306"
