/** The one table of shortcuts: the listener and the help dialog both read it. */

import { i18next } from "./i18n";

export type KeyAction =
  | "focusQuestion"
  | "stop"
  | "newConversation"
  | "nextCitation"
  | "previousCitation"
  | "openCitation"
  | "goBack"
  | "goForward"
  | "goToPage"
  | "zoomIn"
  | "zoomOut"
  | "fitWidth"
  | "fitPage"
  | "turnPages"
  | "nextPart"
  | "previousPart"
  | "showAllCitations"
  | "toggleContents"
  | "toggleThumbnails"
  | "find"
  | "findNext"
  | "findPrevious"
  | "search"
  | "palette"
  | "cyclePanes"
  | "copyAnswer"
  | "copyAnswerQuotes"
  | "closeReader"
  | "nextTab"
  | "previousTab"
  | "closeTab"
  | "addFiles"
  | "undoDelete"
  | "focusLibrary"
  | "focusConversation"
  | "focusReader"
  | "toggleQueue"
  | "settings"
  | "help";

/** What the part that has the focus handles itself; listed for the help dialog only. */
type OwnKey = "send" | "newline" | "peek";

export interface Shortcut {
  action: KeyAction | OwnKey;
  group: "ask" | "read" | "window";
  /** Bindings as tinykeys reads them; `$mod` is ⌘ on a Mac and Ctrl elsewhere. None: shown, not listened to. */
  keys: string[];
  /** How the help dialog shows them. */
  shown: string[];
  /** Works while typing too. Single letters never do. */
  whileTyping: boolean;
}

const digits = ["1", "2", "3", "4", "5", "6", "7", "8", "9"];

export const shortcuts: readonly Shortcut[] = [
  { action: "focusQuestion", group: "ask", keys: ["$mod+KeyL"], shown: ["$mod", "L"], whileTyping: true },
  { action: "send", group: "ask", keys: [], shown: ["Enter"], whileTyping: true },
  { action: "newline", group: "ask", keys: [], shown: ["Shift", "Enter"], whileTyping: true },
  { action: "stop", group: "ask", keys: ["$mod+."], shown: ["$mod", "."], whileTyping: true },
  { action: "newConversation", group: "ask", keys: ["$mod+KeyN"], shown: ["$mod", "N"], whileTyping: true },
  { action: "copyAnswer", group: "ask", keys: ["c"], shown: ["C"], whileTyping: false },
  { action: "copyAnswerQuotes", group: "ask", keys: ["Shift+C"], shown: ["Shift", "C"], whileTyping: false },
  { action: "nextCitation", group: "read", keys: ["]"], shown: ["]"], whileTyping: false },
  { action: "previousCitation", group: "read", keys: ["["], shown: ["["], whileTyping: false },
  { action: "nextPart", group: "read", keys: ["."], shown: ["."], whileTyping: false },
  { action: "previousPart", group: "read", keys: [","], shown: [","], whileTyping: false },
  { action: "showAllCitations", group: "read", keys: ["a"], shown: ["A"], whileTyping: false },
  { action: "openCitation", group: "read", keys: digits, shown: ["1…9"], whileTyping: false },
  { action: "peek", group: "read", keys: [], shown: ["Space"], whileTyping: false },
  { action: "goBack", group: "read", keys: ["Alt+ArrowLeft"], shown: ["Alt", "←"], whileTyping: false },
  { action: "goForward", group: "read", keys: ["Alt+ArrowRight"], shown: ["Alt", "→"], whileTyping: false },
  { action: "goToPage", group: "read", keys: ["g"], shown: ["G"], whileTyping: false },
  { action: "zoomIn", group: "read", keys: ["$mod+=", "$mod+Shift++"], shown: ["$mod", "+"], whileTyping: true },
  { action: "zoomOut", group: "read", keys: ["$mod+-"], shown: ["$mod", "−"], whileTyping: true },
  { action: "fitWidth", group: "read", keys: ["$mod+0"], shown: ["$mod", "0"], whileTyping: true },
  { action: "fitPage", group: "read", keys: ["$mod+9"], shown: ["$mod", "9"], whileTyping: true },
  { action: "turnPages", group: "read", keys: ["r"], shown: ["R"], whileTyping: false },
  { action: "find", group: "read", keys: ["$mod+KeyF"], shown: ["$mod", "F"], whileTyping: true },
  { action: "findNext", group: "read", keys: ["$mod+KeyG"], shown: ["$mod", "G"], whileTyping: true },
  {
    action: "findPrevious",
    group: "read",
    keys: ["$mod+Shift+KeyG"],
    shown: ["$mod", "Shift", "G"],
    whileTyping: true,
  },
  { action: "toggleContents", group: "read", keys: ["t"], shown: ["T"], whileTyping: false },
  { action: "toggleThumbnails", group: "read", keys: ["Shift+T"], shown: ["Shift", "T"], whileTyping: false },
  { action: "nextTab", group: "read", keys: ["Control+Tab"], shown: ["Ctrl", "Tab"], whileTyping: true },
  {
    action: "previousTab",
    group: "read",
    keys: ["Control+Shift+Tab"],
    shown: ["Ctrl", "Shift", "Tab"],
    whileTyping: true,
  },
  { action: "closeTab", group: "read", keys: ["$mod+KeyW"], shown: ["$mod", "W"], whileTyping: true },
  { action: "closeReader", group: "read", keys: ["Escape"], shown: ["Esc"], whileTyping: false },
  { action: "palette", group: "window", keys: ["$mod+KeyK"], shown: ["$mod", "K"], whileTyping: true },
  {
    action: "search",
    group: "window",
    keys: ["$mod+Shift+KeyF"],
    shown: ["$mod", "Shift", "F"],
    whileTyping: true,
  },
  { action: "addFiles", group: "window", keys: ["$mod+KeyO"], shown: ["$mod", "O"], whileTyping: true },
  { action: "undoDelete", group: "window", keys: ["$mod+KeyZ"], shown: ["$mod", "Z"], whileTyping: false },
  { action: "focusLibrary", group: "window", keys: ["$mod+1"], shown: ["$mod", "1"], whileTyping: true },
  { action: "focusConversation", group: "window", keys: ["$mod+2"], shown: ["$mod", "2"], whileTyping: true },
  { action: "focusReader", group: "window", keys: ["$mod+3"], shown: ["$mod", "3"], whileTyping: true },
  { action: "cyclePanes", group: "window", keys: ["F6"], shown: ["F6"], whileTyping: true },
  { action: "toggleQueue", group: "window", keys: ["$mod+KeyJ"], shown: ["$mod", "J"], whileTyping: true },
  { action: "settings", group: "window", keys: ["$mod+,"], shown: ["$mod", ","], whileTyping: true },
  { action: "help", group: "window", keys: ["Shift+?", "?"], shown: ["?"], whileTyping: false },
];

/** Whether an action of the table is listened to, not only shown. */
export function isAction(action: Shortcut["action"]): action is KeyAction {
  return action !== "send" && action !== "newline" && action !== "peek";
}

export const isMac = /Mac|iPhone|iPad/.test(globalThis.navigator?.platform ?? "");

/** Keys that are called differently in other languages. */
const namedKeys = ["Ctrl", "Shift", "Enter", "Space", "Esc"] as const;

/** A key as it is printed on this machine's keyboard. */
export function keyName(key: string): string {
  const printed = key === "$mod" ? (isMac ? "⌘" : "Ctrl") : key;
  const named = namedKeys.find((name) => name === printed);
  return named === undefined ? printed : i18next.t(`keys.names.${named}`);
}

/** The first binding of an action as one label: `⌘L`, `Ctrl+L`. */
export function shortcutLabel(action: Shortcut["action"]): string {
  const shortcut = shortcuts.find((candidate) => candidate.action === action);
  return shortcut === undefined ? "" : shortcut.shown.map(keyName).join(isMac ? "" : "+");
}

/** Whether keys pressed on this element are text. */
export function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.closest("input, textarea, select, [contenteditable=true]") !== null;
}

/** The table as tinykeys wants it. `run` gets the action and, for a digit, its number. */
export function keyBindings(
  run: (action: KeyAction, digit: number | null) => void,
): Record<string, (event: KeyboardEvent) => void> {
  const bindings: Record<string, (event: KeyboardEvent) => void> = {};
  for (const shortcut of shortcuts) {
    const { action } = shortcut;
    if (!isAction(action)) {
      continue;
    }
    for (const key of shortcut.keys) {
      bindings[key] = (event) => {
        if (event.defaultPrevented || (!shortcut.whileTyping && isTyping(event.target))) {
          return;
        }
        // A dialog or a menu has the keyboard to itself.
        if (event.target instanceof Element && event.target.closest("[role=dialog], [role=alertdialog], [role=menu]")) {
          return;
        }
        event.preventDefault();
        run(action, action === "openCitation" ? Number(event.key) : null);
      };
    }
  }
  return bindings;
}
