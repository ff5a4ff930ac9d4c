"""A proxy on loopback that modifies messages, for faults that no product can send."""
import base64
import http.client
import http.server
import re
import threading
import urllib.parse

from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import padding
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

IV_BYTES = 12


class Message:
    """The two parts of a message, with any transfer encoding of the second."""

    def __init__(self, content_type, body):
        boundary = re.search(r'boundary="?([^";]+)"?', content_type)[1].encode()
        self.delimiter = b"--" + boundary
        _, soap, attachment, _ = (b"\r\n" + body).split(b"\r\n" + self.delimiter)
        self.soap_head, _, self.soap = soap.partition(b"\r\n\r\n")
        self.head, _, self.attachment = attachment.partition(b"\r\n\r\n")
        if re.search(rb"(?i)content-transfer-encoding: *base64", self.head):
            self.attachment = base64.b64decode(self.attachment)
            self.head = re.sub(rb"(?i)(content-transfer-encoding: *)base64", rb"\1binary", self.head)

    def bytes(self):
        parts = [(self.soap_head, self.soap), (self.head, self.attachment)]
        written = b"".join(self.delimiter + head + b"\r\n\r\n" + content + b"\r\n" for head, content in parts)
        return written + self.delimiter + b"--\r\n"

    def without(self, name):
        """Removes an element with this local name from the envelope."""
        self.soap, cut = re.subn(rb"<(\w+:)?%b[ >].*?</(\w+:)?%b>" % (name, name), b"", self.soap, flags=re.DOTALL)
        assert cut == 1, f"{cut} elements {name}"


def unsigned(message, _key):
    message.without(b"Signature")


def unencrypted(message, key):
    """Decrypts the attachment; everything except the encryption stays valid."""
    wrapped = re.search(rb"<(?:\w+:)?CipherValue>([^<]+)<", message.soap)[1]
    secret = key.decrypt(base64.b64decode(wrapped), padding.OAEP(padding.MGF1(hashes.SHA256()), hashes.SHA256(), None))
    sealed = message.attachment
    message.attachment = AESGCM(secret).decrypt(sealed[:IV_BYTES], sealed[IV_BYTES:], None)
    message.without(b"EncryptedKey")
    message.without(b"EncryptedData")


def tampered(message, _key):
    """Inverts one bit of the ciphertext."""
    spoilt = bytearray(message.attachment)
    spoilt[len(spoilt) // 2] ^= 1
    message.attachment = bytes(spoilt)


SPOILS = {"unsigned": unsigned, "unencrypted": unencrypted, "tampered": tampered}


class Proxy:
    """Modifies messages to `/as4` below `target`; the path names the change. `key` is the receiver's, a PEM file."""

    def __init__(self, target, key):
        address = urllib.parse.urlsplit(target)
        key = serialization.load_pem_private_key(key.read_bytes(), None)

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_POST(self):
                message = Message(self.headers["Content-Type"], self.rfile.read(int(self.headers["Content-Length"])))
                SPOILS[self.path.strip("/")](message, key)
                connection = http.client.HTTPConnection(address.netloc)
                connection.request("POST", f"{address.path}/as4", message.bytes(), {"Content-Type": self.headers["Content-Type"]})
                answer = connection.getresponse()
                body = answer.read()
                self.send_response(answer.status)
                self.send_header("Content-Type", answer.headers.get("Content-Type", ""))
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def url(self, spoil):
        return f"http://127.0.0.1:{self.server.server_port}/{spoil}"
