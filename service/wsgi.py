"""What the web server loads: one application a process, over the store that the settings name."""

import gc
from functools import partial

from service.app import create_app
from service.context import connected
from service.gate import gated
from service.logs import configure
from service.stalled import cut_stalled
from workers.farewell import when_asked_to_stop
from workers.lifeline import die_with_parent
from workers.settings import read_settings

# A worker of the web server must not go on serving when the server itself has been killed.
die_with_parent()

_settings = read_settings()
configure("web", _settings.log_level)
_context = connected(_settings)
app = gated(create_app(_context), _settings.web_threads)
# The web server waits for open answers to end, and streams do not end by themselves.
when_asked_to_stop(_context.watching.stop)
# Not sooner: the web server listens when all this has been loaded.
_context.watching.before_first = partial(cut_stalled, _settings.port, _settings.stream_patience)

# What has been loaded stays for as long as the process: without this every full collection would walk through it again,
# with all requests waiting.
gc.collect()
gc.freeze()
