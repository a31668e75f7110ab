import { createKeybindingsHandler } from "tinykeys";
import { afterEach, describe, expect, it } from "vitest";
import { type KeyAction, keyBindings, shortcutLabel, shortcuts } from "./keyboard";
import { en } from "./strings.en";

const typed: [KeyAction, number | null][] = [];
const listen = createKeybindingsHandler(keyBindings((action, digit) => typed.push([action, digit])));

function press(key: string, init: KeyboardEventInit & { on?: HTMLElement } = {}): KeyboardEvent {
  const { on = document.body, ...rest } = init;
  const event = new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true, ...rest });
  on.addEventListener("keydown", listen, { once: true });
  on.dispatchEvent(event);
  return event;
}

afterEach(() => {
  typed.length = 0;
  document.body.replaceChildren();
});

describe("the table of shortcuts", () => {
  it("has every action once, each with a name for the help", () => {
    const actions = shortcuts.map((shortcut) => shortcut.action);
    expect(new Set(actions).size).toBe(actions.length);
    for (const action of actions) {
      expect(en.keys[action], action).toBeTruthy();
      expect(shortcutLabel(action)).not.toBe("");
    }
  });

  it("binds no key twice", () => {
    const keys = shortcuts.flatMap((shortcut) => shortcut.keys);
    expect(new Set(keys).size).toBe(keys.length);
  });

  it("never takes a plain letter, digit or bracket away from what is typed", () => {
    for (const shortcut of shortcuts) {
      const plain = shortcut.keys.some((key) => !/^((\$mod|Control|Alt)\+|F\d+$)/.test(key));
      expect(plain && shortcut.whileTyping, shortcut.action).toBe(false);
    }
  });

  it("walks and opens citations outside of fields only", () => {
    press("]");
    press("3");
    const field = document.body.appendChild(document.createElement("textarea"));
    expect(press("]", { on: field }).defaultPrevented).toBe(false);
    press("3", { on: field });
    expect(typed).toEqual([
      ["nextCitation", null],
      ["openCitation", 3],
    ]);
  });

  it("reaches the question from anywhere, also from a field", () => {
    const field = document.body.appendChild(document.createElement("input"));
    press("l", { code: "KeyL", ctrlKey: true, on: field });
    expect(typed).toEqual([["focusQuestion", null]]);
  });

  it("leaves the keyboard to an open dialog", () => {
    const dialog = document.body.appendChild(document.createElement("div"));
    dialog.setAttribute("role", "dialog");
    press("]", { on: dialog });
    expect(typed).toEqual([]);
  });
});
