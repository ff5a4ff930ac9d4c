"""Makes vectors.json, once and by hand: canonical forms and signed documents by another implementation (lxml, cryptography).

Usage: python vectors.py > vectors.json
"""

import base64
import datetime
import hashlib
import json
import random
import sys

from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import padding, rsa
from cryptography.hazmat.primitives.serialization import Encoding
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID
from lxml import etree

SMP = "http://busdox.org/serviceMetadata/publishing/1.0/"
DS = "http://www.w3.org/2000/09/xmldsig#"
ID = "http://busdox.org/transport/identifiers/1.0/"
WSA = "http://www.w3.org/2005/08/addressing"
INCLUSIVE = "http://www.w3.org/TR/2001/REC-xml-c14n-20010315"
EXCLUSIVE = "http://www.w3.org/2001/10/xml-exc-c14n#"
ENVELOPED = DS + "enveloped-signature"
TEXTS = ["a", " b\n", "&#13;\n", "&amp;&lt;&gt;", "<![CDATA[<c>&]]>", "<!-- d -->", "<?e f?>", "&quot;'", "\t", "é", "&#x1F600;", ""]
VALUES = ["g", " h ", "&#9;&#10;&#13;", "&amp;&lt;&gt;&quot;", "'", "ä", ""]


def element(chance: random.Random, depth: int) -> str:
    """A random element; the prefixes p, q and r are always declared around it."""
    prefix = chance.choice(["", "p:", "q:", "r:"])
    declared = chance.sample(["", ":p", ":q", ":r", ":s"], chance.randint(0, 3))
    attributes = [f'xmlns{name}="urn:{chance.choice("xyz")}"' for name in declared]
    if chance.random() < 0.2 and "" not in declared:
        attributes.append('xmlns=""')
    # Prefixes may stand for one namespace, so local names differ.
    names = zip(["", "p:", "q:", "r:"], chance.sample("klmn", 4), strict=True)
    attributes += [f'{one}{name}="{chance.choice(VALUES)}"' for one, name in names if chance.random() < 0.4]
    if chance.random() < 0.2:
        attributes.append('xml:lang="en"')
    chance.shuffle(attributes)
    kinds = [depth and chance.random() < 0.5 for _ in range(chance.randint(0, 4))]
    children = [element(chance, depth - 1) if kind else chance.choice(TEXTS) for kind in kinds]
    name = prefix + chance.choice("tuvw")
    return f"<{name} {' '.join(attributes)}>{''.join(children)}</{name}>"


def document(chance: random.Random) -> tuple[str, str]:
    """A random document around a signature, and its SignedInfo alone with every namespace in scope."""
    info = f"<ds:SignedInfo>{element(chance, 1)}</ds:SignedInfo>"
    outer, inner = f'xmlns="{SMP}" xmlns:p="urn:p" xmlns:q="urn:q" xmlns:r="urn:r"', f'xmlns:ds="{DS}" xmlns:s="urn:s"'
    before, after = element(chance, 3), chance.choice(TEXTS)
    around = chance.choice(["", "<!-- before -->\n", "<?before it?>\n"])
    signature = f"<ds:Signature {inner}>{info}</ds:Signature>"
    text = f"{around}<SignedServiceMetadata {outer}>{before}{signature}{after}</SignedServiceMetadata>"
    return text, info.replace("SignedInfo>", f"SignedInfo {outer} {inner}>", 1)


def canonical(tree, exclusive: bool, prefixes: list[str]) -> bytes:
    """Of whole documents alone: lxml copies an element before, and invents xmlns="" on the way."""
    options = {"exclusive": exclusive, "with_comments": False, "inclusive_ns_prefixes": prefixes if exclusive else None}
    return etree.tostring(tree, method="c14n", **options)


def without_signature(text: str):
    tree = etree.fromstring(text.encode()).getroottree()
    signature = tree.find(f".//{{{DS}}}Signature")
    tail, parent, before = signature.tail, signature.getparent(), signature.getprevious()
    parent.remove(signature)
    if tail and before is not None:
        before.tail = (before.tail or "") + tail
    elif tail:
        parent.text = (parent.text or "") + tail
    return tree


def vector(chance: random.Random) -> dict:
    text, info = document(chance)
    exclusive, prefixes = chance.random() < 0.5, chance.sample("pqrs", 2)
    return {
        "document": text,
        "method": EXCLUSIVE if exclusive else INCLUSIVE,
        "prefixes": prefixes if exclusive else [],
        "without_signature": canonical(without_signature(text), exclusive, prefixes).decode(),
        "signed_info": canonical(etree.fromstring(info.encode()).getroottree(), exclusive, prefixes).decode(),
    }


def certificate(name: str, key, issuer: str, issuer_key, authority: bool) -> x509.Certificate:
    def named(text: str) -> x509.Name:
        return x509.Name([x509.NameAttribute(NameOID.COUNTRY_NAME, "AE"), x509.NameAttribute(NameOID.COMMON_NAME, text)])

    usage = dict.fromkeys(["content_commitment", "data_encipherment", "key_agreement", "encipher_only", "decipher_only"], False)
    usage |= {"digital_signature": not authority, "key_encipherment": not authority, "key_cert_sign": authority, "crl_sign": authority}
    builder = x509.CertificateBuilder(named(issuer), named(name), key.public_key(), x509.random_serial_number())
    builder = builder.not_valid_before(datetime.datetime(2026, 1, 1)).not_valid_after(datetime.datetime(2046, 1, 1))
    builder = builder.add_extension(x509.BasicConstraints(authority, None), True).add_extension(x509.KeyUsage(**usage), True)
    if not authority:
        builder = builder.add_extension(x509.ExtendedKeyUsage([ExtendedKeyUsageOID.CLIENT_AUTH]), True)
    return builder.sign(issuer_key, hashes.SHA256())


def signed(key, signer: x509.Certificate, method: str, transform: str | None, prefix: str) -> str:
    """A ServiceMetadata, signed with a canonicalization; transform: a second transform, or none."""
    exclusive = method == EXCLUSIVE
    inclusive = f'<ec:InclusiveNamespaces xmlns:ec="{EXCLUSIVE}" PrefixList="id wsa"/>' if exclusive else ""
    parameter = inclusive if transform == EXCLUSIVE else ""
    second = f'<{prefix}Transform Algorithm="{transform}">{parameter}</{prefix}Transform>' if transform else ""
    declaration = f'xmlns:{prefix[:-1]}="{DS}"' if prefix else f'xmlns="{DS}"'
    outer = f'xmlns:s="{SMP}" xmlns:id="{ID}" xmlns:wsa="{WSA}"'
    content = f"""<?xml version="1.0" encoding="UTF-8"?>
<s:SignedServiceMetadata {outer}>
  <s:ServiceMetadata><s:ServiceInformation>
    <id:ParticipantIdentifier scheme="iso6523-actorid-upis">0235:1234567890</id:ParticipantIdentifier>
    <id:DocumentIdentifier scheme="busdox-docid-qns">urn:n::Invoice##c::2.1</id:DocumentIdentifier>
    <s:ProcessList><!-- nobody signs this --></s:ProcessList>
  </s:ServiceInformation></s:ServiceMetadata>
  SIGNATURE
</s:SignedServiceMetadata>"""
    template = f"""<{prefix}Signature {declaration}><{prefix}SignedInfo>
<{prefix}CanonicalizationMethod Algorithm="{method}">{inclusive}</{prefix}CanonicalizationMethod>
<{prefix}SignatureMethod Algorithm="http://www.w3.org/2001/04/xmldsig-more#rsa-sha256"/>
<{prefix}Reference URI=""><{prefix}Transforms><{prefix}Transform Algorithm="{ENVELOPED}"/>{second}</{prefix}Transforms>
<{prefix}DigestMethod Algorithm="http://www.w3.org/2001/04/xmlenc#sha256"/><{prefix}DigestValue>DIGEST</{prefix}DigestValue></{prefix}Reference>
</{prefix}SignedInfo><{prefix}SignatureValue>VALUE</{prefix}SignatureValue><{prefix}KeyInfo><{prefix}X509Data><{prefix}X509Certificate>
{base64.encodebytes(signer.public_bytes(Encoding.DER)).decode()}</{prefix}X509Certificate></{prefix}X509Data></{prefix}KeyInfo></{prefix}Signature>"""
    text = content.replace("SIGNATURE", template)
    prefixes = ["id", "wsa"] if inclusive else []
    digest = hashlib.sha256(canonical(without_signature(text), transform == EXCLUSIVE, prefixes)).digest()
    text = text.replace("DIGEST", base64.b64encode(digest).decode())
    info = text[text.index(f"<{prefix}SignedInfo>") : text.index(f"<{prefix}SignatureValue>")]
    info = etree.fromstring(info.replace("SignedInfo>", f"SignedInfo {outer} {declaration}>", 1)).getroottree()
    value = key.sign(canonical(info, exclusive, prefixes), padding.PKCS1v15(), hashes.SHA256())
    return text.replace("VALUE", base64.b64encode(value).decode())


def main() -> None:
    chance = random.Random(9)
    authority_key, key = (rsa.generate_private_key(65537, 2048) for _ in range(2))
    authority = certificate("Authority", authority_key, "Authority", authority_key, True)
    signer = certificate("PAE000901", key, "Authority", authority_key, False)
    forms = [(INCLUSIVE, None, ""), (INCLUSIVE, INCLUSIVE, "ds:"), (EXCLUSIVE, None, "ds:"), (EXCLUSIVE, EXCLUSIVE, "")]
    forms.append((INCLUSIVE, EXCLUSIVE, "x:"))
    vectors = {
        "authority": authority.public_bytes(Encoding.PEM).decode(),
        "signed": [signed(key, signer, *form) for form in forms],
        "canonical": [vector(chance) for _ in range(60)],
    }
    json.dump(vectors, sys.stdout, indent=1, ensure_ascii=False)
    print()


if __name__ == "__main__":
    main()
