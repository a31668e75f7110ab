"""A small window of another program from which files can be dragged: drag_source.py X Y FILE..."""

import pathlib
import sys

import gi

gi.require_version("Gdk", "3.0")
gi.require_version("Gtk", "3.0")
from gi.repository import Gdk, Gtk  # noqa: E402

x, y, *files = sys.argv[1:]
uris = [pathlib.Path(file).resolve().as_uri() for file in files]

window = Gtk.Window(title="Files to drag")
window.set_default_size(120, 120)
window.move(int(x), int(y))
source = Gtk.EventBox()
source.add(Gtk.Label(label=f"{len(files)} files"))
source.drag_source_set(Gdk.ModifierType.BUTTON1_MASK, [], Gdk.DragAction.COPY)
source.drag_source_add_uri_targets()
source.connect("drag-data-get", lambda _widget, _context, data, _info, _time: data.set_uris(uris))
window.add(source)
window.connect("destroy", Gtk.main_quit)
window.show_all()
print("shown", flush=True)
Gtk.main()
