"""The connection to a server is really encrypted and really checks who answers."""

from __future__ import annotations

import asyncio
import datetime as dt
import ipaddress
import ssl
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from tests.zapomni_db.samples import fresh_keyspace, opened
from tests.zapomni_db.servers import LOOPBACK, Server
from zapomni_db import ServerAddress, StoreUnavailable

pytestmark = pytest.mark.anyio


def _certificate(folder: Path) -> Path:
    """Write a certificate for loopback, with its key, to one file."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "loopback")])
    now = dt.datetime.now(dt.UTC)
    address = x509.IPAddress(ipaddress.ip_address(LOOPBACK))
    certificate = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - dt.timedelta(minutes=5))
        .not_valid_after(now + dt.timedelta(hours=1))
        .add_extension(x509.SubjectAlternativeName([address]), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .sign(key, hashes.SHA256())
    )
    private = key.private_bytes(
        serialization.Encoding.PEM,
        serialization.PrivateFormat.PKCS8,
        serialization.NoEncryption(),
    )
    file = folder / "loopback.pem"
    file.write_bytes(private + certificate.public_bytes(serialization.Encoding.PEM))
    return file


@asynccontextmanager
async def _tls_in_front_of(server: Server, certificate: Path) -> AsyncIterator[ServerAddress]:
    """Terminate TLS in front of a server; the bundled one is built without it."""

    async def copy(source: asyncio.StreamReader, target: asyncio.StreamWriter) -> None:
        while data := await source.read(65536):
            target.write(data)
            await target.drain()
        target.close()

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        upstream_reader, upstream = await asyncio.open_connection(LOOPBACK, server.port)
        copies = copy(reader, upstream), copy(upstream_reader, writer)
        await asyncio.gather(*copies, return_exceptions=True)

    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate)
    listener = await asyncio.start_server(serve, LOOPBACK, 0, ssl=context)
    async with listener:
        port = listener.sockets[0].getsockname()[1]
        yield replace(server.address, port=port, tls=True, tls_ca_file=str(certificate))


async def test_a_store_works_over_tls(server: Server, tmp_path: Path) -> None:
    async with (
        _tls_in_front_of(server, _certificate(tmp_path)) as address,
        opened(address, fresh_keyspace()) as store,
    ):
        assert (await store.counts()).memories == 0


async def test_a_server_with_an_unknown_certificate_is_not_trusted(
    server: Server, tmp_path: Path
) -> None:
    async with _tls_in_front_of(server, _certificate(tmp_path)) as address:
        stranger = replace(address, tls_ca_file=None)
        with pytest.raises(StoreUnavailable):
            async with opened(stranger, fresh_keyspace()):
                pass
