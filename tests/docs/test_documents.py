"""The documents are true: their commands run and print what they say, links lead somewhere, tables are full.

The commands of a document run in one shell, in a folder that looks like a clone, against a service of its own.
"""

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from service.cli import COMMANDS
from tests.docs.markdown import DOCUMENTS, ROOT, anchors, as_promised, blocks, first_column, links
from tests.ops.running import LIMIT, Launcher, settings

LAUNCHER = (sys.executable, "-m", "service.launcher")
SEPARATOR = "\x1e"
RUN = [document for document in DOCUMENTS if any(block.excuse is None for block in blocks(document))]


def name(document: Path) -> str:
    return str(document.relative_to(ROOT))


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, str]]:
    """The environment of a running service."""
    # The receiver of the guide to webhooks is on this machine.
    env = settings(tmp_path_factory.mktemp("data"), UPCARD_WEBHOOK_LOOPBACK="true")
    with Launcher(env, "up", program=LAUNCHER) as launcher:
        launcher.wait_for("Upcard is ready")
        yield env
        launcher.process.terminate()
        assert launcher.wait()[0] == 0


@pytest.fixture
def clone(tmp_path: Path) -> Path:
    """A folder with all that a clone holds after `ops/up`, in which commands may leave what they like."""
    for entry in ROOT.iterdir():
        if not entry.name.startswith("."):
            (tmp_path / entry.name).symlink_to(entry)
    (tmp_path / ".venv").symlink_to(sys.prefix)
    return tmp_path


def readers_path() -> str:
    """Where a reader's shell looks for commands: as ours, but nothing of the virtual environment is on it."""
    own = Path(sys.prefix, "bin")
    return os.pathsep.join(folder for folder in os.environ["PATH"].split(os.pathsep) if Path(folder) != own)


@pytest.mark.service
@pytest.mark.parametrize("document", RUN, ids=name)
def test_commands_run_and_print_what_is_said(document: Path, service: dict[str, str], clone: Path) -> None:
    run = [block for block in blocks(document) if block.excuse is None]
    script = "".join(f"{block.commands}\nprintf '{SEPARATOR}'\n" for block in run)
    bash = shutil.which("bash")
    assert bash is not None
    done = subprocess.run(
        [bash, "-euo", "pipefail", "-c", script],
        cwd=clone,
        env=service | {"PATH": readers_path()},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=LIMIT,
        check=False,
    )
    *printed, rest = done.stdout.split(SEPARATOR)
    assert done.returncode == 0, f"{name(document)}, line {run[len(printed)].line}: {rest}"
    for block, output in zip(run, printed, strict=True):
        if block.prints is not None:
            assert as_promised(block.prints, output), f"{name(document)}, line {block.line} prints:\n{output}"


@pytest.mark.parametrize("document", DOCUMENTS, ids=name)
def test_links_lead_somewhere(document: Path) -> None:
    for target, heading in links(document):
        assert target.exists(), target
        assert not heading or heading in anchors(target), f"{target}#{heading}"


def test_every_block_of_commands_is_seen() -> None:
    for document in DOCUMENTS:
        assert len(blocks(document)) == document.read_text().count("```sh\n"), name(document)


def test_the_table_of_settings_is_whole() -> None:
    sources = [*(ROOT / "service").rglob("*.py"), *(ROOT / "workers").rglob("*.py")]
    read = {setting for source in sources for setting in re.findall(r"\bUPCARD_[A-Z_]+\b", source.read_text())}
    assert sorted(first_column(ROOT / "README.md", "setting")) == sorted(read)


def test_every_limit_that_is_set_says_what_is_beyond_it() -> None:
    explained = " ".join(document.read_text() for document in (ROOT / "ops/runbooks").glob("*.md"))
    plain = {"UPCARD_HOST", "UPCARD_WEB_THREADS"}
    settings = set(first_column(ROOT / "README.md", "setting")) - plain
    assert {setting for setting in settings if setting not in explained} == set()


def test_the_table_of_commands_is_whole() -> None:
    assert first_column(ROOT / "ops/runbooks/running.md", "command") == [f"upcard {name}" for name in COMMANDS]


def test_what_a_promise_allows() -> None:
    assert as_promised("a … c\n", "a b\nb c")
    assert not as_promised("a … c", "a b d")
    assert not as_promised("a.c", "abc")
