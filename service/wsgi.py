"""What the web server loads: one application a process, over the store that the settings name."""

from service.app import create_app
from service.context import connected
from workers.lifeline import die_with_parent
from workers.settings import read_settings

# A worker of the web server must not go on serving when the server itself has been killed.
die_with_parent()

app = create_app(connected(read_settings()))
