#!/usr/bin/env python3
"""xmlsec1 1.3 as far as peppol-py calls it, by the same library in the wheel of python-xmlsec: few systems have the program.

    xmlsec1.py --encrypt --pubkey-cert-pem FILE --session-key aes-128 --binary-data FILE --lax-key-search TEMPLATE
"""
import argparse
import pathlib
import sys

import xmlsec
from lxml import etree


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--encrypt", action="store_true", required=True)
    parser.add_argument("--pubkey-cert-pem", required=True)
    parser.add_argument("--session-key", choices=["aes-128"], required=True)
    parser.add_argument("--binary-data", type=pathlib.Path, required=True)
    parser.add_argument("--lax-key-search", action="store_true")
    parser.add_argument("template", type=pathlib.Path)
    options = parser.parse_args()
    keys = xmlsec.KeysManager()
    keys.add_key(xmlsec.Key.from_file(options.pubkey_cert_pem, xmlsec.KeyFormat.CERT_PEM))
    context = xmlsec.EncryptionContext(keys)
    context.key = xmlsec.Key.generate(xmlsec.KeyData.AES, 128, xmlsec.KeyDataType.SESSION)
    template = etree.parse(options.template, etree.XMLParser(huge_tree=True)).getroot()
    sealed = context.encrypt_binary(template, options.binary_data.read_bytes())
    sys.stdout.buffer.write(etree.tostring(sealed))


if __name__ == "__main__":
    main()
