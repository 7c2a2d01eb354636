"""An authority of our own, and certificates that it gives to servers on 127.0.0.1."""

from datetime import UTC, datetime, timedelta
from ipaddress import ip_address

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID


class Authority:
    """Signs certificates; its own is at `path`."""

    def __init__(self, folder, name="tests"):
        self._folder, self._key = folder, ec.generate_private_key(ec.SECP256R1())
        self._name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
        built = self._builder(self._name, self._key).add_extension(x509.BasicConstraints(True, None), True)
        # Python 3.13 asks for it.
        signs = x509.KeyUsage(False, False, False, False, False, True, True, False, False)
        built = built.add_extension(signs, True)
        self._own = built.sign(self._key, hashes.SHA256())
        self.path = folder / f"{name}.pem"
        self.path.write_bytes(self._own.public_bytes(serialization.Encoding.PEM))

    def issue(self, file, address="127.0.0.1", until=None):
        """Returns the path of a new certificate with its key, for an address or a name, valid until some time."""
        key = ec.generate_private_key(ec.SECP256R1())
        name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, file)])
        is_number = address[0].isdecimal()
        names = x509.SubjectAlternativeName(
            [x509.IPAddress(ip_address(address)) if is_number else x509.DNSName(address)]
        )
        issuer = x509.AuthorityKeyIdentifier.from_issuer_public_key(self._key.public_key())
        built = self._builder(name, key, until).add_extension(names, False).add_extension(issuer, False)
        signed = built.sign(self._key, hashes.SHA256())
        path = self._folder / f"{file}.pem"
        secret = key.private_bytes(
            serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
        )
        path.write_bytes(secret + signed.public_bytes(serialization.Encoding.PEM))
        return path

    def _builder(self, name, key, until=None):
        now = datetime.now(UTC)
        builder = x509.CertificateBuilder().subject_name(name).issuer_name(self._name).public_key(key.public_key())
        builder = builder.serial_number(x509.random_serial_number()).not_valid_before(now - timedelta(days=9))
        own = x509.SubjectKeyIdentifier.from_public_key(key.public_key())
        return builder.not_valid_after(until or now + timedelta(days=2)).add_extension(own, False)
