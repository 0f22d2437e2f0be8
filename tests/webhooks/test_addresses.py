"""No webhook leads into the house: every spelling of an inner address is refused, at registration and at sending.

The tricks are those of published lists of SSRF bypasses; what a name leads to is said by a resolver of the test's.
"""

import socket
import ssl
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from threading import Event, Thread
from typing import Final

import pytest

from tests.webhooks.receiver import CERTIFICATE, Receiver, receiver
from workers.webhooks.addresses import Policy, RefusedTargetError, judge, read_target
from workers.webhooks.sending import Sender

PUBLIC: Final = "93.184.215.14"
TLS: Final = ssl.create_default_context()
"""Made once: reading what the system trusts takes longer than most tests here."""

WRITTEN: Final = {
    # Loopback and the unspecified address, spelt as resolvers read them.
    "loopback": "https://127.0.0.1/",
    "loopback elsewhere": "https://127.8.8.8/",
    "decimal": "https://2130706433/",
    "hexadecimal": "https://0x7f000001/",
    "hexadecimal parts": "https://0x7f.0x0.0x0.0x1/",
    "octal": "https://017700000001/",
    "octal parts": "https://0177.0.0.01/",
    "leading zeros": "https://127.000.000.001/",
    "two parts": "https://127.1/",
    "three parts": "https://127.0.1/",
    "beyond 32 bits": "https://4294967297/",
    "mixed bases": "https://0x7f.1/",
    "unspecified": "https://0.0.0.0/",
    "zero": "https://0/",
    "this network": "https://0.1.2.3/",
    # Private and special IPv4.
    "ten": "https://10.0.0.5/",
    "private 172": "https://172.16.0.1/",
    "end of private 172": "https://172.31.255.255/",
    "private 192": "https://192.168.1.1/",
    "shared": "https://100.64.0.1/",
    "metadata": "https://169.254.169.254/latest/meta-data/",
    "metadata of containers": "https://169.254.170.2/",
    "metadata of Alibaba": "https://100.100.100.200/",
    "metadata of Azure": "https://168.63.129.16/",
    "metadata of Oracle": "https://192.0.0.192/",
    "benchmarks": "https://198.18.0.1/",
    "documentation": "https://203.0.113.7/",
    "6to4 relay": "https://192.88.99.1/",
    "multicast": "https://224.0.0.1/",
    "reserved": "https://240.0.0.1/",
    "broadcast": "https://255.255.255.255/",
    # IPv6, and IPv4 inside it.
    "loopback 6": "https://[::1]/",
    "loopback 6 in full": "https://[0:0:0:0:0:0:0:1]/",
    "unspecified 6": "https://[::]/",
    "mapped": "https://[::ffff:127.0.0.1]/",
    "mapped in hexadecimal": "https://[::ffff:7f00:1]/",
    "mapped public": "https://[::ffff:93.184.215.14]/",
    "compatible": "https://[::127.0.0.1]/",
    "translated": "https://[::ffff:0:127.0.0.1]/",
    "NAT64": "https://[64:ff9b::7f00:1]/",
    "local NAT64": "https://[64:ff9b:1::a00:5]/",
    "6to4": "https://[2002:7f00:1::]/",
    "Teredo": "https://[2001:0:53aa:64c:0:0:80ff:fffe]/",
    "ISATAP": "https://[2606:4700::5efe:7f00:1]/",
    "link-local 6": "https://[fe80::1]/",
    "zone": "https://[fe80::1%25eth0]/",
    "zone of a public address": "https://[2606:4700::1%25eth0]/",
    "site-local 6": "https://[fec0::1]/",
    "unique local 6": "https://[fd00::1]/",
    "metadata 6": "https://[fd00:ec2::254]/",
    "multicast 6": "https://[ff02::1]/",
    "documentation 6": "https://[2001:db8::1]/",
    "newer documentation 6": "https://[3fff::1]/",
    "discard 6": "https://[100::1]/",
    # Names of this machine and of inner networks.
    "localhost": "https://localhost/",
    "LOCALHOST": "https://LocalHost/",
    "below localhost": "https://hooks.localhost/",
    "localdomain": "https://localhost.localdomain/",
    "single label": "https://redis/",
    "mDNS": "https://printer.local/",
    "metadata name": "https://metadata.google.internal/",
    "cluster": "https://kubernetes.default.svc.cluster.local/",
    "home": "https://router.home.arpa/",
    "onion": "https://abcdefghij234567.onion/",
    # Names that are read in two ways.
    "trailing dot": "https://hooks.example.com./",
    "trailing dot of an address": "https://127.0.0.1./",
    "user": "https://hooks.example.com@127.0.0.1/",
    "user and password": "https://user:pass@hooks.example.com/",
    "empty user": "https://@hooks.example.com/",
    "backslash": "https://hooks.example.com\\@127.0.0.1/",
    "backslash before the path": "https://127.0.0.1\\.example.com/",
    "fragment": "https://hooks.example.com#@127.0.0.1/",
    "empty fragment": "https://hooks.example.com/#",
    "blank": "https://hooks.example.com /",
    "tab": "https://127.0.\t0.1/",
    "line break": "https://hooks.example.com/\r\nHost: inside",
    "leading blank": " https://hooks.example.com/",
    "NUL": "https://hooks.example.com\0.evil.example/",
    "percent": "https://127.0.0%2e1/",
    "percent in a name": "https://%6c%6f%63%61%6c%68%6f%73%74/",
    "IDN": "https://bücher.example/",
    "IDN digits": "https://①②⑦.⓪.⓪.①/",
    "IDN dots": "https://127。0。0。1/",
    "IDN letters": "https://loc\u00adalhost/",
    "long s": "https://localho\u017ft/",
    "empty label": "https://hooks..example.com/",
    "no host": "https:///path",
    "no slashes": "https:hooks.example.com",
    "brackets about a name": "https://[localhost]/",
    "unclosed bracket": "https://[::1/",
    # Ports and schemes.
    "http": "http://hooks.example.com/",
    "http on 443": "http://hooks.example.com:443/",
    "port 80": "https://hooks.example.com:80/",
    "port of Redis": "https://hooks.example.com:6379/",
    "port 8443": "https://hooks.example.com:8443/",
    "port 0": "https://hooks.example.com:0/",
    "port beyond": "https://hooks.example.com:65979/",
    "port none": "https://hooks.example.com:/",
    "port in words": "https://hooks.example.com:https/",
    "port with a sign": "https://hooks.example.com:+443/",
    "file": "file:///etc/passwd",
    "gopher": "gopher://hooks.example.com:443/_PING",
    "ftp": "ftp://hooks.example.com/",
    "no scheme": "//hooks.example.com/",
    "javascript": "javascript:alert(1)",
    "nothing": "",
    "too long": "https://hooks.example.com/" + "a" * 2048,
}

LEADS_TO: Final[dict[str, Sequence[str]]] = {
    "loopback": ["127.0.0.1"],
    "private": ["10.1.2.3"],
    "metadata": ["169.254.169.254"],
    "unspecified": ["0.0.0.0"],  # noqa: S104 - refused, not bound
    "loopback 6": ["::1"],
    "mapped": ["::ffff:10.0.0.1"],
    "link-local with its zone": ["fe80::1%eth0"],
    "unique local": ["fd12:3456::1"],
    "NAT64": ["64:ff9b::a9fe:a9fe"],
    "public first, private then": [PUBLIC, "192.168.0.1"],
    "private first, public then": ["192.168.0.1", PUBLIC],
    "nothing": [],
    "no address": ["hooks.example.com"],
}


def leading_to(*answers: Sequence[str]) -> Callable[[str, int], Sequence[str]]:
    """A resolver that gives these answers in turn, the last one for ever."""
    left = list(answers)
    return lambda _host, _port: left.pop(0) if len(left) > 1 else left[0]


def refused(sender: Sender, url: str) -> None:
    """Nothing is sent there, and it cannot be registered either."""
    with pytest.raises(RefusedTargetError):
        sender.check(url)
    sent = sender.send(url, {}, b"{}")
    assert (sent.status, (sent.error or "").startswith("refused: ")) == (None, True)


@pytest.fixture
def inside() -> Iterator[Receiver]:
    """Something that listens on loopback, and that nobody may reach."""
    with receiver() as made:
        yield made
        assert made.got == []


@pytest.mark.parametrize("url", WRITTEN.values(), ids=WRITTEN)
def test_a_url_that_leads_inside_is_refused_as_it_is_written(url: str) -> None:
    # Whatever a resolver would make of it, it is not asked: this one says that all is well.
    refused(Sender(Policy(), leading_to([PUBLIC]), TLS), url)


def test_the_table_is_large_enough() -> None:
    assert len(WRITTEN) + len(LEADS_TO) >= 100


@pytest.mark.parametrize("addresses", LEADS_TO.values(), ids=LEADS_TO)
def test_a_name_that_leads_inside_is_refused(addresses: Sequence[str]) -> None:
    refused(Sender(Policy(), leading_to(addresses), TLS), "https://hooks.example.com/")


@pytest.mark.parametrize("url", WRITTEN.values(), ids=WRITTEN)
def test_the_setting_for_tests_opens_loopback_and_nothing_else(url: str) -> None:
    try:
        target = read_target(url, Policy(loopback=True))
    except RefusedTargetError:
        return
    assert target.host == "localhost" or target.host.startswith("127.") or target.host == "::1"


@pytest.mark.parametrize(
    ("url", "host", "port", "path"),
    [
        ("https://hooks.example.com", "hooks.example.com", 443, "/"),
        ("HTTPS://Hooks.Example.COM:443/a/b?c=d&e", "hooks.example.com", 443, "/a/b?c=d&e"),
        ("https://xn--bcher-kva.example/", "xn--bcher-kva.example", 443, "/"),
        ("https://hooks.example.com?x", "hooks.example.com", 443, "/?x"),
        (f"https://{PUBLIC}/", PUBLIC, 443, "/"),
        ("https://[2606:4700:4700::1111]/", "2606:4700:4700::1111", 443, "/"),
        ("https://127.0.0.1.example.com/", "127.0.0.1.example.com", 443, "/"),
    ],
)
def test_a_public_url_is_taken_apart(url: str, host: str, port: int, path: str) -> None:
    target = read_target(url, Policy())
    assert (target.secure, target.host, target.port, target.path) == (True, host, port, path)


def test_public_addresses_are_let_through() -> None:
    for address in (PUBLIC, "1.1.1.1", "172.32.0.1", "100.128.0.1", "2606:4700::1", "2a00:1450:4001::200e"):
        assert [str(each) for each in judge([address], Policy())] == [address]


def test_ports_are_a_setting() -> None:
    policy = Policy(ports=frozenset({443, 8443}))
    assert read_target("https://hooks.example.com:8443/", policy).authority == "hooks.example.com:8443"
    with pytest.raises(RefusedTargetError, match="443 or 8443"):
        read_target("https://hooks.example.com:9443/", policy)


def test_a_name_that_changes_between_check_and_send_is_refused(inside: Receiver) -> None:
    policy = Policy(ports=frozenset({inside.port}))
    sender = Sender(policy, leading_to([PUBLIC], ["127.0.0.1"]), TLS)
    url = f"https://hooks.example.com:{inside.port}/"
    sender.check(url)
    sent = sender.send(url, {}, b"{}")
    assert sent.error == "refused: Its host leads to an address that is not public."


def test_the_address_that_was_judged_is_the_one_connected_to() -> None:
    """A name that no resolver but the test's knows, asked once: so there was no second look-up."""
    asked = []

    def resolve(host: str, port: int) -> list[str]:
        asked.append((host, port))
        return ["127.0.0.1"]

    trusting = ssl.create_default_context(cafile=str(CERTIFICATE))
    with receiver(tls=True) as made:
        sender = Sender(Policy(ports=frozenset({made.port}), loopback=True), resolve, trusting)
        sent = sender.send(f"https://hooks.example.com:{made.port}/hook?a=b", {"webhook-id": "evt"}, b"{}")
        assert (sent.status, sent.error) == (204, None)
        assert asked == [("hooks.example.com", made.port)]
        (got,) = made.got
        assert (got.path, got.headers["host"]) == ("/hook?a=b", f"hooks.example.com:{made.port}")
        assert got.headers["content-type"] == "application/json"


@pytest.mark.parametrize(
    ("host", "trusted"), [("hooks.example.com", False), ("other.example.com", True)], ids=["unknown", "of another"]
)
def test_a_certificate_must_be_good_and_of_that_name(host: str, *, trusted: bool) -> None:
    context = ssl.create_default_context(cafile=str(CERTIFICATE) if trusted else None)
    with receiver(tls=True) as made:
        sender = Sender(Policy(ports=frozenset({made.port}), loopback=True), leading_to(["127.0.0.1"]), context)
        sent = sender.send(f"https://{host}:{made.port}/", {}, b"{}")
        assert sent.status is None
        assert (sent.error or "").startswith("its certificate is not good")
        assert made.got == []


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_a_redirection_is_not_followed(inside: Receiver, status: int) -> None:
    with receiver() as made:
        made.answer = lambda _: status
        made.headers = {"Location": inside.url}
        sent = Sender(Policy(loopback=True), tls=TLS).send(made.url, {}, b"{}")
        assert (sent.status, sent.delivered) == (status, False)
        assert len(made.got) == 1


def test_settings_for_proxies_are_not_read(inside: Receiver, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("http_proxy", "https_proxy", "all_proxy", "HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"):
        monkeypatch.setenv(name, f"http://127.0.0.1:{inside.port}")
    with receiver() as made:
        assert Sender(Policy(loopback=True), tls=TLS).send(made.url, {}, b"{}").delivered
        assert len(made.got) == 1


class TestLimits:
    """Whatever a receiver does, an attempt ends."""

    LIMIT: Final = 0.3
    """Seconds, where it is to run out."""

    def sent(self, *says: bytes, closes: bool = False, limit: float = 30.0) -> tuple[int | None, str]:
        """What comes of a receiver that says this, piece by piece, and then nothing more."""
        done = Event()
        with socket.create_server(("127.0.0.1", 0)) as listening:

            def speak() -> None:
                connection, _ = listening.accept()
                with connection:
                    connection.recv(65536)
                    # Whoever has heard enough may hang up.
                    with suppress(ConnectionError):
                        for piece in says:
                            connection.sendall(piece)
                    if not closes:
                        done.wait(30)

            thread = Thread(target=speak)
            thread.start()
            port = listening.getsockname()[1]
            sent = Sender(Policy(loopback=True), tls=TLS, limit=limit).send(f"http://127.0.0.1:{port}/", {}, b"{}")
            done.set()
            thread.join()
            return sent.status, sent.error or ""

    def test_silence(self) -> None:
        assert self.sent(limit=self.LIMIT) == (None, "no answer within 0.3 s")

    def test_half_a_status(self) -> None:
        assert self.sent(b"HTTP/1.1 20", limit=self.LIMIT) == (None, "no answer within 0.3 s")

    def test_a_status_whose_rest_never_comes_counts(self) -> None:
        assert self.sent(b"HTTP/1.1 200 OK\r\nContent-Length: 9999\r\n") == (200, "")

    def test_an_endless_answer_counts_and_is_not_read(self) -> None:
        assert self.sent(b"HTTP/1.1 201 Created\r\n\r\n", *[b"x" * 65536] * 4, closes=True)[0] == 201

    def test_an_endless_status_line(self) -> None:
        assert self.sent(*[b"H" * 4096] * 6)[1] == "its answer has no status in its first bytes"

    def test_interim_answers_are_passed_over(self) -> None:
        early = b"HTTP/1.1 103 Early Hints\r\nLink: </>\r\n\r\n"
        assert self.sent(b"HTTP/1.1 100 Continue\r\n\r\n", early, b"HTTP/1.1 500 No\r\n\r\n") == (500, "")

    def test_interim_answers_without_end(self) -> None:
        assert self.sent(b"HTTP/1.1 100 Continue\r\n" + b"a: b\r\n" * 4096)[0] is None

    @pytest.mark.parametrize(
        "says", [b"HTTP/2 200\r\n", b"200 OK\r\n", b"HTTP/1.1 2OO OK\r\n", b"\r\n", b"HTTP/1.1 \xd9\xa2"]
    )
    def test_what_is_not_http(self, says: bytes) -> None:
        assert self.sent(says + b"\r\n")[1] == "its answer is not HTTP"

    def test_a_connection_that_is_closed(self) -> None:
        assert self.sent(closes=True)[0] is None

    def test_nobody_listens(self) -> None:
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            url = f"http://127.0.0.1:{probe.getsockname()[1]}/"
            assert (
                Sender(Policy(loopback=True), tls=TLS).send(url, {}, b"{}").error
                == "the connection failed: Connection refused"
            )

    def test_a_resolver_that_hangs(self) -> None:
        never = Event()

        def hang(_host: str, _port: int) -> list[str]:
            never.wait(30)
            return [PUBLIC]

        sent = Sender(Policy(), hang, TLS, limit=self.LIMIT).send("https://hooks.example.com/", {}, b"{}")
        assert sent.error == "refused: Its host could not be looked up in time."
        never.set()

    def test_a_resolver_that_fails(self) -> None:
        def fail(_host: str, _port: int) -> list[str]:
            raise socket.gaierror(socket.EAI_NONAME, "unknown")

        sent = Sender(Policy(), fail, TLS).send("https://hooks.example.com/", {}, b"{}")
        assert sent.error == "refused: Its host leads to no address."
