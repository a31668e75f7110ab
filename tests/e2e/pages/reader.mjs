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
    quote: boxes("quote"),
    passage: boxes("passage"),
  };`;

export class Reader {
  constructor(session) {
    this.session = session;
  }

  /** Where page `number` and the boxes on it are, once the page is painted and nothing moves any more. */
  async settledBoxes(number) {
    let last;
    return until(`page ${number} is shown with its boxes`, async () => {
      const now = await this.session.script(GEOMETRY, number);
      const ready = now?.painted && now.still && now.quote.length > 0 && (await this.#inView(now.quote[0]));
      if (!ready || JSON.stringify(now) !== JSON.stringify(last)) {
        last = now;
        await sleep(300);
        return undefined;
      }
      return now;
    });
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
