"""What a process asks of its store before it starts, what readiness says is missing, and who is left after kill -9."""

import subprocess

import pytest

from replay.redis_client import Store, durability_faults
from tests.faults.running import LIMIT, UPCARD, Service, left_of, until
from tests.seeds import rng

pytestmark = [pytest.mark.store, pytest.mark.service]

PROCESSES = ("web", "worker", "sweeper", "webhooks")
UNSAFE = {"appendonly": "no", "appendfsync": "everysec", "maxmemory-policy": "allkeys-lru"}


def refusals(upcard: Service, *names: str) -> list[str]:
    """What each of these processes says when it will not start, all of them started at once."""
    started = [
        subprocess.Popen([*UPCARD, name], env=upcard.env, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        for name in names
    ]
    said = []
    for process in started:
        with process:
            said.append(process.communicate(timeout=LIMIT)[0])
            assert process.returncode == 1, said[-1]
    return said


def test_an_unsafe_redis_is_refused_by_the_name_of_its_setting(upcard: Service) -> None:
    safe = {name: str(upcard.events.config_get(name)[name]) for name in UNSAFE}
    for name, value in UNSAFE.items():
        upcard.events.config_set(name, value)
    for said in refusals(upcard, *PROCESSES):
        assert "could lose or evict" in said
        for name, value in UNSAFE.items():
            assert f"{name} is {value!r}, it must be {safe[name]!r}" in said
    # The wrong one alone is named, and a second of loss is accepted when it is asked for, and shown.
    for wrong in UNSAFE:
        for name, value in safe.items():
            upcard.events.config_set(name, UNSAFE[name] if name == wrong else value)
        [fault] = durability_faults(Store(upcard.events), everysec_allowed=False)
        assert fault.startswith(f"{wrong} is ")
    for name, value in safe.items():
        upcard.events.config_set(name, value)
    upcard.events.config_set("appendfsync", "everysec")
    upcard.env["UPCARD_DURABILITY"] = "everysec"
    upcard.start_web()
    ready = upcard.client().call("GET", "/health/ready")
    assert (ready.status, ready.body["durability"]) == (503, "everysec")


def test_readiness_says_what_is_missing(upcard: Service) -> None:
    upcard.start_web()
    client = upcard.client()

    def missing() -> dict[str, str]:
        answer = client.call("GET", "/health/ready")
        found = {name: answer.body[name] for name in ("events", "worker", "sweeper")}
        lacks = {name: words for name, words in found.items() if words not in ("reachable", "seen")}
        assert answer.status == (503 if lacks else 200)
        return lacks

    assert missing() == {"worker": "not seen lately", "sweeper": "not seen lately"}
    upcard.start("sweeper")
    until(lambda: missing() == {"worker": "not seen lately"}, "the sweeper is seen")
    upcard.start("worker")
    until(lambda: missing() == {}, "the worker is seen")
    until(upcard.waits_for_work, "the worker waits for work")
    upcard.store.kill()
    assert missing()["events"] == "the events' Redis cannot be reached"
    assert client.call("GET", "/health/live").status == 200
    upcard.store.restart()
    until(lambda: missing() == {}, "all is well again")


def test_kill_9_of_the_web_server_leaves_no_worker_of_it(upcard: Service) -> None:
    upcard.env["UPCARD_WEB_WORKERS"] = "2"
    web = upcard.start_web()
    assert len(left_of(web)) == 3
    upcard.kill(web)
    until(lambda: not left_of(web), "the web server's workers are gone")
    assert not upcard.answers()
    # Not even one whose parent dies before it could ask to die with it.
    web = upcard.start("web", "orphan")
    web.wait(LIMIT)
    until(lambda: not left_of(web), "the orphan is gone")
    upcard.start_web()


def test_kill_9_of_the_worker_leaves_no_child_of_it(upcard: Service) -> None:
    worker = upcard.start_worker("reading:hang")
    due = upcard.seed(rng("hang"))
    until(lambda: upcard.struck("reading"), "a child is at work")
    assert len(left_of(worker)) == 2
    upcard.kill(worker)
    until(lambda: not left_of(worker), "the child is gone")
    worker = upcard.start_worker("orphan")
    upcard.kicker.kick(list(due))
    worker.wait(LIMIT)
    until(lambda: not left_of(worker), "the orphan is gone")
    # Neither has posted anything after its parent was gone.
    assert [upcard.ledger.posted(session) for session in due] == [0]
