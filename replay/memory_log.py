"""The log in memory: for tests, and for programs that fold without a store. Forgets all when its process ends."""

from threading import Lock

from replay.envelope import Envelope, envelope
from replay.log import Appended, Batch, CommandKey, Conflict, KeyReused, Names, Outcome, Repeated, Summary
from replay.shards import SHARDS, shard_of


class MemoryLog:
    """A Log whose appends are serial by a lock."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._streams: dict[str, list[tuple[bytes, bytes, bytes]]] = {}
        self._summaries: dict[str, Summary] = {}
        self._commands: dict[tuple[int, str], tuple[str, Repeated]] = {}
        self._due: dict[tuple[str, int], int] = {}
        self._contested: dict[str, int] = {}
        self._names: dict[str, Names] = {}
        self._checkpoints: dict[str, list[bytes]] = {}

    def append(self, batch: Batch) -> Outcome:
        """See Log."""
        with self._lock:
            if batch.command is not None:
                known = self.recall(batch.session, batch.command)
                if known is not None:
                    return known
            stream = self._streams.get(batch.session, [])
            if batch.after.version != len(stream) or (stream and stream[-1][2] != batch.after.head):
                return Conflict(len(stream))
            stored = [(each.raw, each.sealed_bytes(), each.digest) for each in batch.envelopes]
            self._streams[batch.session] = stream + stored
            version = len(stream) + len(stored)
            if batch.summary is not None:
                self._summaries[batch.session] = batch.summary
            if batch.names is not None:
                self._names[batch.session] = batch.names
            if batch.contested == 0:
                self._contested.pop(batch.session, None)
            elif batch.contested is not None:
                self._contested[batch.session] = batch.contested
            self._checkpoints.setdefault(batch.session, []).extend(batch.checkpoints)
            for number in batch.due:
                self._due.setdefault((batch.session, number), batch.now)
            if batch.command is not None:
                repeated = Repeated(batch.command.status, version, batch.session)
                self._commands[shard_of(batch.session), batch.command.key] = (batch.command.body, repeated)
            return Appended(version)

    def recall(self, session: str, command: CommandKey) -> Repeated | KeyReused | None:
        """See Log."""
        known = self._commands.get((shard_of(session), command.key))
        if known is None:
            return None
        body, repeated = known
        return repeated if body == command.body else KeyReused()

    def read(self, session: str, after: int = 0, limit: int | None = None) -> list[Envelope]:
        """See Log."""
        stream = self._streams.get(session, [])
        end = len(stream) if limit is None else after + limit
        return [envelope(n, *stored) for n, stored in enumerate(stream[after:end], start=after + 1)]

    def version(self, session: str) -> int:
        """See Log."""
        return len(self._streams.get(session, []))

    def sessions(self, before: str | None, limit: int) -> list[tuple[str, Summary]]:
        """See Log."""
        ids = sorted((session for session in self._summaries if before is None or session < before), reverse=True)
        return [(session, self._summaries[session]) for session in ids[:limit]]

    def summary(self, session: str) -> Summary | None:
        """See Log."""
        return self._summaries.get(session)

    def due(self, limit: int) -> list[tuple[str, int, int]]:
        """See Log."""
        waiting = sorted((since, session, number) for (session, number), since in self._due.items())
        found: list[tuple[str, int, int]] = []
        taken = [0] * SHARDS
        for since, session, number in waiting:
            shard = shard_of(session)
            if taken[shard] < limit:
                taken[shard] += 1
                found.append((session, number, since))
        return found

    def names(self, session: str) -> Names:
        """See Log."""
        return self._names.get(session, ())

    def forget(self, name: str) -> list[str]:
        """See Log."""
        with self._lock:
            found = [session for session, names in self._names.items() if name in names]
            for session in found:
                self._names[session] = tuple(None if each == name else each for each in self._names[session])
            return found

    def contested(self) -> list[tuple[str, int]]:
        """See Log."""
        return sorted(self._contested.items(), key=lambda each: (each[1], each[0]))

    def checkpoints(self, session: str) -> list[bytes]:
        """See Log."""
        return list(self._checkpoints.get(session, ()))
