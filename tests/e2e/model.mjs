// A chat model that says what a test tells it to, over HTTP as servers compatible with OpenAI's speak it.
import { createServer } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";

const NAME = "scripted";

/** Starts a model whose answer to a prompt is what `reply` returns; it comes in pieces, `pauseMs` apart. */
export async function scriptedModel(t, reply, { pauseMs = 5 } = {}) {
  const prompts = [];
  const server = createServer(async (request, response) => {
    if (request.method === "GET") {
      response.setHeader("content-type", "application/json");
      response.end(JSON.stringify({ object: "list", data: [{ id: NAME, object: "model" }] }));
      return;
    }
    const body = JSON.parse(await text(request));
    const prompt = body.messages.map(({ content }) => content).join("\n\n");
    prompts.push(prompt);
    const said = await reply(prompt);
    const usage = { prompt_tokens: 100, completion_tokens: 10, total_tokens: 110 };
    if (!body.stream) {
      response.setHeader("content-type", "application/json");
      const message = { role: "assistant", content: said };
      response.end(JSON.stringify({ model: NAME, usage, choices: [{ index: 0, finish_reason: "stop", message }] }));
      return;
    }
    response.setHeader("content-type", "text/event-stream");
    const event = (choices, extra = {}) => response.write(`data: ${JSON.stringify({ model: NAME, choices, ...extra })}\n\n`);
    for (const content of said.match(/[\s\S]{1,24}/g) ?? []) {
      if (response.destroyed) return;
      event([{ index: 0, delta: { content }, finish_reason: null }]);
      await sleep(pauseMs);
    }
    event([{ index: 0, delta: {}, finish_reason: "stop" }]);
    event([], { usage });
    response.end("data: [DONE]\n\n");
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = `http://127.0.0.1:${server.address().port}/v1`;
  return {
    address,
    prompts,
    /** How Recto is told of it. */
    settings: { provider: "openai-compatible", base_url: address, name: NAME, api_key_env: null, context_tokens: 32_000 },
  };
}

/** The number under which a prompt gives the passage that holds `words`. */
export function sourceWith(prompt, words) {
  const number = sourceHolding(prompt, words);
  if (number === null) throw new Error(`no source of the prompt holds ${JSON.stringify(words)}:\n${prompt}`);
  return number;
}

/** The same; null where no passage of the prompt holds them. */
export function sourceHolding(prompt, words) {
  for (const [, number, body] of prompt.matchAll(/<<<source \[(\d+)\][^\n]*\n([\s\S]*?)\n<<<end of source/g)) {
    if (body.replaceAll(/\s+/g, " ").includes(words)) return number;
  }
  return null;
}

async function text(stream) {
  const chunks = [];
  for await (const chunk of stream) chunks.push(chunk);
  return Buffer.concat(chunks).toString("utf8");
}
