"""Where the settings say that the database is."""

from __future__ import annotations

from urllib.parse import unquote, urlsplit

from zapomni_core.settings import Settings
from zapomni_db import Address, EmbeddedAddress, ServerAddress

__all__ = ["address_of"]


def address_of(settings: Settings) -> Address:
    """Tell where the database is, and how to get in."""
    ca_file = str(settings.falkordb_tls_ca) if settings.falkordb_tls_ca else None
    secret = settings.falkordb_password
    password = secret.get_secret_value() if secret else None
    if settings.falkordb_url is not None:
        url = urlsplit(settings.falkordb_url.get_secret_value())
        return ServerAddress(
            host=url.hostname or "",
            port=url.port or settings.falkordb_port,
            username=unquote(url.username) if url.username else settings.falkordb_username,
            password=unquote(url.password) if url.password else password,
            tls=url.scheme in ("falkors", "rediss"),
            tls_ca_file=ca_file,
        )
    if settings.falkordb_host is None:
        return EmbeddedAddress(settings.data_dir, settings.fsync)
    return ServerAddress(
        host=settings.falkordb_host,
        port=settings.falkordb_port,
        username=settings.falkordb_username,
        password=password,
        tls=settings.falkordb_tls,
        tls_ca_file=ca_file,
    )
