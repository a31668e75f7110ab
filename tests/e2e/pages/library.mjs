// The library pane.
import { until } from "../webdriver.mjs";

export class Library {
  constructor(session) {
    this.session = session;
  }

  /** Waits until the window can be used. */
  isShown() {
    return this.session.find('[data-testid="composer"]');
  }

  /** Does what dropping the files on the window does; returns how many were queued. */
  drop(paths) {
    return this.session.call("e2e_drop", { paths });
  }

  /** Waits until the document whose row holds `title` has reached `state`. */
  rowWithState(title, state, patienceMs = 120_000) {
    const body = `return [...document.querySelectorAll('[data-testid="document-row"]')]
      .some((row) => row.textContent.includes(arguments[0]) && row.dataset.state === arguments[1]);`;
    return until(`${title} is ${state}`, () => this.session.script(body, title, state), patienceMs);
  }
}
