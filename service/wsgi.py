"""What the web server loads: one application a process, over the store that the settings name."""

import gc

from service.app import create_app
from service.context import connected
from workers.lifeline import die_with_parent
from workers.settings import read_settings

# A worker of the web server must not go on serving when the server itself has been killed.
die_with_parent()

app = create_app(connected(read_settings()))

# What has been loaded stays for as long as the process: without this every full collection would walk through it again,
# with all requests waiting.
gc.collect()
gc.freeze()
