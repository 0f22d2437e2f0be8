"""Where a webhook may lead: URLs and addresses judged. Pure; looking names up and connecting is sending.py's affair.

A name is judged twice: as it is written, here by `read_target`, and by every address it leads to, by `judge`, each time
before something is sent. Left out: which of our own hosts have public addresses, which a firewall has to know.
"""

import re
from collections.abc import Iterable
from ipaddress import AddressValueError, IPv4Address, IPv4Network, IPv6Address, IPv6Network
from typing import Final, NamedTuple
from urllib.parse import SplitResult, urlsplit

LONGEST: Final = 2048
"""Characters of a URL; what browsers and proxies agree on."""

_PRINTABLE: Final = re.compile(r"[!-~]+")
_LABEL: Final = re.compile(r"[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?")
_NUMBER: Final = re.compile(r"[0-9]+|0x[0-9a-f]*")
_QUAD: Final = re.compile(r"(0|[1-9][0-9]{0,2})(\.(0|[1-9][0-9]{0,2})){3}")

_INSIDE: Final = frozenset(
    ("localhost", "localdomain", "local", "internal", "intranet", "private", "corp", "home", "lan", "onion", "arpa")
)
"""Last labels that lead nowhere public: RFC 6761, 6762, 7686, 8375, ICANN's private names, and what routers make up."""

_V4_REFUSED: Final = tuple(
    IPv4Network(each)
    for each in (
        # https://www.iana.org/assignments/iana-ipv4-special-registry, written out: Python's own list has changed.
        "0.0.0.0/8",
        "10.0.0.0/8",
        "100.64.0.0/10",
        "127.0.0.0/8",
        "169.254.0.0/16",
        "172.16.0.0/12",
        "192.0.0.0/24",
        "192.0.2.0/24",
        "192.88.99.0/24",
        "192.168.0.0/16",
        "198.18.0.0/15",
        "198.51.100.0/24",
        "203.0.113.0/24",
        "224.0.0.0/4",
        "240.0.0.0/4",
        # Azure's metadata server has an address that is public everywhere else.
        "168.63.129.16/32",
    )
)
_V6_GLOBAL: Final = IPv6Network("2000::/3")
"""All that is handed out of IPv6. Loopback, unspecified, mapped, NAT64, unique local, link-local and multicast
addresses lie outside, and so do those of the metadata servers that have one."""
_V6_REFUSED: Final = tuple(
    IPv6Network(each)
    for each in (
        # Teredo, benchmarking, ORCHID and all else that is for protocols; 6to4; documentation.
        "2001::/23",
        "2001:db8::/32",
        "2002::/16",
        "3fff::/20",
    )
)
_ISATAP: Final = (0x00005EFE, 0x02005EFE)
"""The upper half of an interface id that carries an IPv4 address (RFC 5214)."""

Address = IPv4Address | IPv6Address


class RefusedTargetError(Exception):
    """Nothing is sent there; the message says why, in words that may be shown to whoever named the URL."""


class Policy(NamedTuple):
    """What the settings allow."""

    ports: frozenset[int] = frozenset({443})
    loopback: bool = False
    """For tests: loopback addresses may be named, on any port and without TLS."""


class Target(NamedTuple):
    """A URL taken apart."""

    secure: bool
    host: str
    """A name in lower case, or an address without brackets."""
    port: int
    path: str
    """With its query."""

    @property
    def authority(self) -> str:
        """Host and port as a request names them."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return host if self.port == (443 if self.secure else 80) else f"{host}:{self.port}"


def read_target(url: str, policy: Policy) -> Target:
    """The URL taken apart; raises RefusedTargetError if nothing may ever be sent there, whatever its name leads to."""
    parts, port = _parts(url)
    host = _host(parts)
    secure = parts.scheme == "https"
    port = (443 if secure else 80) if port is None else port
    if not _is_loopback(host, policy):
        if not secure:
            raise RefusedTargetError("It must begin with https://.")
        if port not in policy.ports:
            raise RefusedTargetError(f"Its port must be {' or '.join(map(str, sorted(policy.ports)))}.")
        _judge_name(host)
    return Target(secure, host, port, (parts.path or "/") + (f"?{parts.query}" if parts.query else ""))


def _parts(url: str) -> tuple[SplitResult, int | None]:
    """The URL split, and its port if it names one; raises RefusedTargetError if it is not plainly written."""
    if len(url) > LONGEST:
        raise RefusedTargetError(f"It is longer than {LONGEST} characters.")
    if not _PRINTABLE.fullmatch(url) or "\\" in url:
        raise RefusedTargetError(
            "It must be ASCII without blanks or backslashes; write other names in their xn-- form."
        )
    if not url.lower().startswith(("https://", "http://")):
        raise RefusedTargetError("It must begin with https://.")
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        raise RefusedTargetError("It cannot be read as a URL.") from None
    if "@" in parts.netloc:
        raise RefusedTargetError("It must name no user or password.")
    if "#" in url:
        raise RefusedTargetError("It must have no fragment.")
    if parts.netloc.endswith(":"):
        raise RefusedTargetError("It names no port after the colon.")
    return parts, port


def _host(parts: SplitResult) -> str:
    """The host as it is written, in lower case; raises RefusedTargetError if it is neither a name nor an address."""
    host = (parts.hostname or "").lower()
    if "[" in parts.netloc:
        try:
            return str(IPv6Address(host))
        except AddressValueError:
            raise RefusedTargetError("Its address cannot be read.") from None
    if host.endswith("."):
        raise RefusedTargetError("Its host must not end with a dot.")
    labels = host.split(".")
    if len(host) > 253 or not all(map(_LABEL.fullmatch, labels)):
        raise RefusedTargetError("Its host is no name.")
    # What ends in a number is an address to a resolver, in any of a dozen spellings; one of them is enough.
    if _NUMBER.fullmatch(labels[-1]) and not _QUAD.fullmatch(host):
        raise RefusedTargetError("Its address must be four plain decimal numbers.")
    return host


def _is_loopback(host: str, policy: Policy) -> bool:
    """Whether this is loopback, and the settings open it."""
    address = literal(host)
    return policy.loopback and (host == "localhost" or (address is not None and address.is_loopback))


def _judge_name(host: str) -> None:
    address = literal(host)
    if address is not None:
        judge([str(address)], Policy())
    elif "." not in host or host.rpartition(".")[2] in _INSIDE:
        raise RefusedTargetError("Its host is the name of something that is not public.")


def literal(host: str) -> Address | None:
    """The address that a host of a target is; None if it is a name."""
    try:
        return IPv6Address(host) if ":" in host else IPv4Address(host)
    except AddressValueError:
        return None


def judge(addresses: Iterable[str], policy: Policy) -> list[Address]:
    """The addresses that a name leads to, if something may be sent to every one of them; raises RefusedTargetError.

    One that is refused spoils them all: a name that leads to both is not an honest one.
    """
    judged = [_address(text) for text in addresses]
    if not judged:
        raise RefusedTargetError("Its host leads to no address.")
    for address in judged:
        if not _allowed(address, policy):
            raise RefusedTargetError("Its host leads to an address that is not public.")
    return judged


def _address(text: str) -> Address:
    address = literal(text)
    # A zone (fe80::1%eth0) is part of some interface of ours.
    if address is None or "%" in text:
        raise RefusedTargetError("Its host leads to an address that cannot be read.")
    return address


def _allowed(address: Address, policy: Policy) -> bool:
    if policy.loopback and address.is_loopback:
        return True
    if isinstance(address, IPv4Address):
        return not any(address in network for network in _V4_REFUSED)
    if address not in _V6_GLOBAL or any(address in network for network in _V6_REFUSED):
        return False
    return (int(address) >> 32) & 0xFFFFFFFF not in _ISATAP
