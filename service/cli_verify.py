"""`upcard verify`: an export checked off line, with no store and no service."""

from pathlib import Path
from typing import Any

import click
import orjson

from replay.audit import Report
from replay.checkpoints import KEY_BYTES, Checkpoint, key_id, read_checkpoint
from replay.exports import MalformedExportError
from replay.verify import named_keys, verify
from service.rare_collections import rare_collections

_FILE = click.Path(exists=True, dir_okay=False, path_type=Path)


@click.command("verify")
@click.argument("files", metavar="FILE…", nargs=-1, required=True, type=_FILE)
@click.option("--checkpoint", "checkpoints", type=_FILE, multiple=True, help="A checkpoint that you kept, as JSON.")
@click.option("--key", "keys", type=_FILE, multiple=True, help="Public keys that you trust: as /v1/key gives them.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object a file, in the order given.")
@click.pass_context
def verify_files(
    context: click.Context,
    files: tuple[Path, ...],
    checkpoints: tuple[Path, ...],
    keys: tuple[Path, ...],
    as_json: bool,
) -> None:
    """Check exports: every line, digest, seal, shuffle, play and score, and what was signed.

    Exits with 0 if every file is verified, 1 if one diverges or cannot be checked whole, 2 for a usage error.
    """
    kept = [each for path in checkpoints for each in _checkpoints(path)]
    trusted = trusted_keys(keys)
    verified = True
    for path in files:
        try:
            with rare_collections():
                report = verify(path.read_bytes(), kept=kept, trusted=trusted)
        except MalformedExportError as fault:
            verified = False
            click.echo(orjson.dumps({"verdict": "malformed", "detail": str(fault)}) if as_json else f"{path}: {fault}")
            continue
        verified &= report.verdict == "verified"
        click.echo(orjson.dumps(report.plain()) if as_json else f"{path}: {report_text(report)}")
    context.exit(0 if verified else 1)


def trusted_keys(files: tuple[Path, ...]) -> dict[str, bytes] | None:
    """The keys in these files by name; None if no file is given. Raises click's usage error."""
    return {name: key for path in files for name, key in _keys(path).items()} if files else None


def report_text(report: Report) -> str:
    """A report in words: its verdict, then a line for each check."""
    said = {"verified": "verified", "unverified": "nothing is wrong, and not everything can be checked"}
    at = f" at version {report.diverged_at}" if report.diverged_at else ""
    first = said.get(report.verdict, f"diverged{at}")
    rows = [f"{first}: {report.version} events, head {report.head}"]
    for line in report.lines:
        place = f" (version {line.version})" if line.version else ""
        rows.append(f"  {line.outcome:7} {line.check}: {line.detail}{place}")
    return "\n".join(rows)


def _json(path: Path) -> Any:
    try:
        return orjson.loads(path.read_bytes())
    except orjson.JSONDecodeError as fault:
        raise click.UsageError(f"{path} is not JSON: {fault}") from None


def _checkpoints(path: Path) -> list[Checkpoint]:
    """What the file holds: one checkpoint, a list of them, or the answer of `GET …/checkpoints`."""
    told = _json(path)
    many = told.get("checkpoints", [told]) if isinstance(told, dict) else told
    try:
        return [read_checkpoint(each) for each in many]
    except (ValueError, TypeError) as fault:
        raise click.UsageError(f"{path}: {fault}") from None


def _keys(path: Path) -> dict[str, bytes]:
    """The keys that the file holds: the answer of `GET /v1/key`, one of its keys, or 64 hexadecimal digits."""
    content = path.read_bytes().strip()
    try:
        public = bytes.fromhex(content.decode())
        if len(public) != KEY_BYTES:
            raise ValueError("too short or too long for a key")
    except ValueError:
        told = _json(path)
        many = told.get("keys", [told]) if isinstance(told, dict) else told
        found = dict(named_keys(many if isinstance(many, list) else []))
        if not found:
            raise click.UsageError(f"{path} holds no public key") from None
        return found
    return {key_id(public): public}
