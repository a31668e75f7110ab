"""Prints what a screen reader would be told of Recto's window: one line for everything that takes the focus, with its role, its
name and its description, and until the first answer is there one for every text that appears in a live region. Ends when its
input does."""

import sys

import gi

gi.require_version("Atspi", "2.0")
from gi.repository import Atspi, GLib  # noqa: E402

LIVE = {"polite", "assertive"}
MOST_LEVELS = 40
# The words of a page, a long list: no live region is among them, and looking at each takes long.
MOST_CHILDREN = 60
LOOK_MS = 300
ENOUGH = "Answer ready"


def said(kind: str, accessible: Atspi.Accessible) -> str:
    role = accessible.get_role_name()
    name = " ".join((accessible.get_name() or "").split())
    description = " ".join((accessible.get_description() or "").split())
    states = accessible.get_state_set()
    told = [
        word
        for word, state in {
            "checked": Atspi.StateType.CHECKED,
            "expanded": Atspi.StateType.EXPANDED,
            "pressed": Atspi.StateType.PRESSED,
            "busy": Atspi.StateType.BUSY,
        }.items()
        if states.contains(state)
    ]
    return " | ".join(part for part in [kind, role, name, description, " ".join(told)] if part)


def live_texts(accessible: Atspi.Accessible, depth: int = 0) -> list[str]:
    """The texts of the live regions below. They are looked for, as WebKit tells of changes only in what was looked at."""
    if depth > MOST_LEVELS or accessible.get_child_count() > MOST_CHILDREN:
        return []
    attributes = accessible.get_attributes() or {}
    if attributes.get("live") in LIVE:
        text = " ".join(text_of(accessible).split())
        return [text] if text else []
    children = (accessible.get_child_at_index(at) for at in range(accessible.get_child_count()))
    return [text for child in children if child is not None for text in live_texts(child, depth + 1)]


def text_of(accessible: Atspi.Accessible) -> str:
    text = accessible.get_text_iface()
    if text is not None:
        said = Atspi.Text.get_text(text, 0, Atspi.Text.get_character_count(text)).replace("\ufffc", "")
        if said.strip():
            return said
    children = (accessible.get_child_at_index(at) for at in range(accessible.get_child_count()))
    return accessible.get_name() or " ".join(text_of(child) for child in children if child is not None)


last = None
live: set[str] = set()


def tell(line: str) -> None:
    global last
    if line != last:
        last = line
        print(line, flush=True)


def on_focus(event: Atspi.Event) -> None:
    try:
        if event.detail1:
            tell(said("focus", event.source))
    except GLib.Error:
        # What the event tells of is gone already.
        return


def look_for_live() -> bool:
    global live
    try:
        desktop = Atspi.get_desktop(0)
        windows = [desktop.get_child_at_index(at) for at in range(desktop.get_child_count())]
        now = {text for window in windows if window is not None for text in live_texts(window)}
    except GLib.Error:
        return True
    for text in sorted(now - live):
        tell(f"live | {text}")
    live = now
    # Looking holds up what is told of the focus, the more the fuller the window is: one answer is enough.
    return not any(text.startswith(ENOUGH) for text in now)


def main() -> None:
    Atspi.init()
    listener = Atspi.EventListener.new(on_focus)
    listener.register("object:state-changed:focused")
    GLib.timeout_add(LOOK_MS, look_for_live)
    channel = GLib.IOChannel.unix_new(sys.stdin.fileno())
    GLib.io_add_watch(channel, GLib.PRIORITY_DEFAULT, GLib.IOCondition.HUP, lambda *_: Atspi.event_quit())
    print("listening", flush=True)
    Atspi.event_main()


main()
