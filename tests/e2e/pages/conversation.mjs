// The question and its answer.
import { until } from "../webdriver.mjs";

export class Conversation {
  constructor(session) {
    this.session = session;
  }

  /** From now on notes how long the newest answer's text is whenever it changes while it is being made. */
  watch() {
    return this.session.script(`globalThis.seenLengths = new Set();
      const transcript = document.querySelector('[data-testid="transcript"]');
      new MutationObserver(() => {
        const text = [...transcript.querySelectorAll('[data-testid="answer"]')].at(-1)?.textContent ?? "";
        if (transcript.getAttribute("aria-busy") === "true") globalThis.seenLengths.add(text.length);
      }).observe(transcript, { subtree: true, childList: true, characterData: true, attributes: true });`);
  }

  /** How many lengths the answer was seen to have before it had ended. */
  seenLengths() {
    return this.session.script("return globalThis.seenLengths.size");
  }

  /** From now on notes every state that chips are in, and where they stand in it. */
  watchChips() {
    return this.session.script(`globalThis.seenChips = [];
      const transcript = document.querySelector('[data-testid="transcript"]');
      new MutationObserver(() => {
        for (const chip of transcript.querySelectorAll("[data-testid^=chip-]")) {
          const { testid: id, state } = chip.dataset;
          const last = globalThis.seenChips.findLast((seen) => seen.id === id);
          if (last?.state === state) continue;
          const { left, width, height } = chip.getBoundingClientRect();
          const line = chip.closest("p, li, td")?.getBoundingClientRect();
          globalThis.seenChips.push({ id, state, left: left - line.left, width, height });
        }
      }).observe(transcript, { subtree: true, childList: true, attributes: true });`);
  }

  seenChips() {
    return this.session.script("return globalThis.seenChips");
  }

  async ask(question) {
    const composer = await this.session.find('[data-testid="composer"]');
    await composer.click();
    await composer.type(question);
    const send = await this.session.find('[data-testid="send"]');
    await send.click();
  }

  /** Waits until the answer is being made, or made. */
  streams() {
    return this.session.find('[data-testid="transcript"] [data-testid="answer"]');
  }

  /** Waits until the newest answer has ended; `status` is how it must have. */
  async hasEnded(status) {
    const body = `const answer = [...document.querySelectorAll('[data-testid="answer"]')].at(-1);
      const busy = document.querySelector('[data-testid="transcript"]').getAttribute("aria-busy") !== "false";
      return busy || ["running", "stopping"].includes(answer?.dataset.status) ? null : (answer?.dataset.status ?? null);`;
    const ended = await this.session.until("the answer has ended", body);
    if (ended !== status) throw new Error(`the answer has ended as ${ended}, not ${status}: ${await this.lastText()}`);
  }

  /** What the newest answer says, all of it. */
  lastText() {
    return this.session.script(
      `return [...document.querySelectorAll('[data-testid="answer"]')].at(-1)?.textContent ?? ""`,
    );
  }

  /** Waits until the answer has ended and its citations can be opened. */
  async isAnswered() {
    await until("the answer has ended", () =>
      this.session.script(`return document.querySelector('[data-testid="transcript"]').getAttribute("aria-busy") === "false"`),
    );
    await this.session.find('button[data-testid="chip-1"]');
  }

  async openCitation(index) {
    const chip = await this.session.find(`button[data-testid="chip-${index}"]`);
    await chip.click();
  }

  /** The newest conversation's last answer, as it is stored. */
  async stored() {
    const [newest] = await this.session.call("list_conversations");
    const { answers } = await this.session.call("get_conversation", { conversationId: newest.conversation_id });
    return answers.at(-1);
  }

  /** Opens an earlier conversation from the history. */
  async reopen(question) {
    const body = `const entry = [...document.querySelectorAll('[data-testid="history-item"]')]
      .find((item) => item.textContent.includes(arguments[0]));
      entry?.click();
      return entry !== undefined;`;
    await until("the conversation is in the history", () => this.session.script(body, question));
    await this.session.find('button[data-testid="chip-1"]');
  }

  /** What was copied last, as pasting it into the question shows. */
  async pasted() {
    const composer = await this.session.find('[data-testid="composer"]');
    await composer.click();
    await this.session.press("Control+a");
    await this.session.press("Control+v");
    const words = await this.session.until(
      "something was pasted",
      `return document.querySelector('[data-testid="composer"]').value`,
    );
    await this.session.press("Control+a");
    await this.session.press("Backspace");
    return words;
  }
}
