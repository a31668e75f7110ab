// The reader pane.
import { setTimeout as sleep } from "node:timers/promises";
import { until } from "../webdriver.mjs";

const GEOMETRY = `
  const page = document.querySelector('[data-testid="page-' + arguments[0] + '"]');
  if (!page) return null;
  const rectangle = (element) => {
    const { left, top, right, bottom } = element.getBoundingClientRect();
    return { left, top, right, bottom };
  };
  const boxes = (kind) => [...page.querySelectorAll('[data-testid="box-' + kind + '"]')].map(rectangle);
  const image = page.querySelector("img");
  return {
    painted: Boolean(image && image.complete && image.naturalWidth > 0),
    still: page.getAnimations({ subtree: true }).every((animation) => animation.playState !== "running"),
    page: rectangle(page),
    view: rectangle(document.querySelector('[data-testid="page-scroller"]')),
    quote: boxes("quote"),
    passage: boxes("passage"),
    other: boxes("other"),
    find: boxes("find"),
  };`;

export class Reader {
  constructor(session) {
    this.session = session;
  }

  /** Where page `number` and the boxes on it are, once the page is painted and nothing moves any more. */
  settledBoxes(number) {
    return this.settledPage(number, async (now) => now.quote.length > 0 && (await this.#inView(now.quote[0])));
  }

  /** The same once `holds` of it, whatever is marked on the page. */
  async settledPage(number, holds = () => true) {
    let last;
    return until(`page ${number} is shown and at rest`, async () => {
      const now = await this.session.script(GEOMETRY, number);
      const ready = now?.painted && now.still && (await holds(now));
      if (!ready || JSON.stringify(now) !== JSON.stringify(last)) {
        last = now;
        await sleep(120);
        return undefined;
      }
      return now;
    });
  }

  /** Opens a document from the library. */
  async open(title) {
    const row = await this.session.findWithText('[data-testid="document-row"] button', title);
    await row.click();
    await this.session.until(
      `${title} is open`,
      `return document.querySelector('[data-testid="reader"] h2')?.textContent.includes(arguments[0]) &&
        document.querySelector('[data-testid="page-scroller"] img, [data-testid="laid-out"]') !== null`,
      title,
    );
  }

  /** Clicks the tool whose name holds `label`. */
  async use(label) {
    const tool = await this.session.findWithText('[data-testid="reader"] header button', label);
    await tool.click();
  }

  /** The page that the reader says it shows. */
  page() {
    return this.session.text('[data-testid="page-indicator"]');
  }

  /** Waits until the reader says that it shows this page. */
  showsPage(words) {
    return this.session.until(
      `the reader says ${words}`,
      `return document.querySelector('[data-testid="page-indicator"]')?.textContent.includes(arguments[0])`,
      words,
    );
  }

  /** The size pages are shown at, in per cent. */
  async zoom() {
    return Number.parseInt(await this.session.text('[data-testid="zoom"]'), 10);
  }

  /** Waits until the citation with this number is the open one. */
  showsCitation(index) {
    return this.session.until(
      `citation ${index} is open`,
      `return document.querySelector('[data-testid="current-citation"]')?.textContent === "[" + arguments[0] + "]"`,
      index,
    );
  }

  /** The pages of the cited document and their sizes in points. */
  view({ collection, document_id, sha256 }) {
    return this.session.call("document_view", { collection, documentId: document_id, sha256 });
  }

  async #inView(box) {
    const [width, height] = await this.session.script("return [innerWidth, innerHeight]");
    return box.left >= 0 && box.top >= 0 && box.right <= width && box.bottom <= height;
  }
}
