import { screen, waitFor, within } from "@testing-library/react";
import type { UserEvent } from "@testing-library/user-event";
import { describe, expect, it } from "vitest";
import { useView } from "@/state/view";
import { seriousViolations } from "./axe";
import { renderApp } from "./render-app";

const root = document.documentElement;

/** Opens the form behind the button of a model. */
async function openForm(user: UserEvent, title: string, testId: string) {
  await user.click(screen.getByTestId("model-status"));
  await user.click(await screen.findByRole("button", { name: `Change…: ${title}` }));
  return within(await screen.findByTestId(testId));
}

describe("the settings", () => {
  it("change how the window looks, at once and for the next start", async () => {
    const { user, view } = await renderApp();
    await user.keyboard("{Control>},{/Control}");
    await screen.findByTestId("settings");
    await user.click(within(screen.getByRole("group", { name: "Theme" })).getByRole("radio", { name: "Dark" }));
    await user.click(within(screen.getByRole("group", { name: "Density" })).getByRole("radio", { name: "Roomy" }));
    await user.click(within(screen.getByRole("group", { name: "Motion" })).getByRole("radio", { name: "Reduced" }));
    expect(root.dataset).toMatchObject({ theme: "dark", density: "roomy", motion: "reduced" });
    expect(await seriousViolations()).toEqual([]);
    view.unmount();
    const { recallAppearance } = await import("@/state/appearance");
    expect(recallAppearance()).toMatchObject({ theme: "dark", density: "roomy", motion: "reduced" });
  });

  it("turn the whole window to German and back", async () => {
    const { user } = await renderApp();
    await user.click(screen.getByTestId("open-settings"));
    await user.click(await screen.findByRole("radio", { name: "Deutsch" }));
    expect(await screen.findByRole("heading", { name: "Einstellungen" })).toBeTruthy();
    expect(root.lang).toBe("de");
    await user.keyboard("{Escape}");
    await waitFor(() => expect(screen.queryByTestId("settings")).toBeNull());
    expect(screen.getByRole("textbox", { name: "Deine Frage" })).toBeTruthy();
    expect(screen.getByTestId("model-status").textContent).toContain("nichts verlässt diesen Rechner");
    await user.keyboard("?");
    expect((await screen.findByTestId("help")).textContent).toContain("Strg");
    await user.keyboard("{Escape}");
    await user.click(screen.getByTestId("open-settings"));
    await user.click(await screen.findByRole("radio", { name: "English" }));
    expect(await screen.findByRole("heading", { name: "Settings" })).toBeTruthy();
    expect(root.lang).toBe("en");
  });

  it("say that nothing leaves the machine only when that is so", async () => {
    const { user, view } = await renderApp();
    await user.click(screen.getByTestId("open-settings"));
    await user.click(await screen.findByRole("tab", { name: "Privacy" }));
    expect((await screen.findByTestId("privacy")).textContent).toContain("Nothing leaves this machine.");
    view.unmount();
    useView.setState(useView.getInitialState(), true);
    const remote = await renderApp({ model: "remote" });
    await remote.user.click(screen.getByTestId("open-settings"));
    await remote.user.click(await screen.findByRole("tab", { name: "Privacy" }));
    const said = (await screen.findByTestId("privacy")).textContent;
    expect(said).toContain("Text is sent to api.openai.com.");
    expect(said).toContain("api.openai.com writes the answers");
    expect(said).not.toContain("Nothing leaves");
  });

  it("show the models and where they run, what the library holds, and the licences", async () => {
    const { user } = await renderApp({ model: "remote", busy: true });
    await user.click(screen.getByTestId("model-status"));
    const models = within(await screen.findByTestId("settings-models"));
    expect(models.getByText("gpt-4.1")).toBeTruthy();
    expect(models.getByText("at api.openai.com")).toBeTruthy();
    expect(models.getByText("all-MiniLM-L6-v2")).toBeTruthy();
    await user.click(screen.getByRole("tab", { name: "Library" }));
    const library = within(await screen.findByTestId("settings-library"));
    expect(library.getByText("/home/reader/Recto")).toBeTruthy();
    expect(library.getByText("Documents ready to be asked").nextElementSibling?.textContent).toBe("12");
    expect(library.getByText("With problems").nextElementSibling?.textContent).toBe("2");
    expect(library.getByText("Pages").nextElementSibling?.textContent).toBe("825");
    await user.click(screen.getByRole("tab", { name: "About" }));
    expect(within(await screen.findByTestId("settings-about")).getByText("Apache License 2.0")).toBeTruthy();
    expect(await seriousViolations()).toEqual([]);
  });

  it("set up another chat model: found on this machine, tried, and used", async () => {
    const { user } = await renderApp({ model: "none" });
    await user.click(screen.getByTestId("model-status"));
    const form = within(await screen.findByTestId("model-form"));
    await user.click(form.getByRole("button", { name: "Find on this machine" }));
    await user.click(await form.findByRole("button", { name: "http://127.0.0.1:11434 · 2 models" }));
    expect(form.getByLabelText<HTMLSelectElement>("Provider").value).toBe("ollama");
    expect(form.getByLabelText<HTMLInputElement>("Model").value).toBe("qwen3:8b");
    await user.click(form.getByRole("button", { name: "Try it" }));
    const findings = within(await form.findByRole("list", { name: "What was found" }));
    expect(findings.getByText("It offers the model.")).toBeTruthy();
    expect(findings.getByLabelText("Not known")).toBeTruthy();
    expect(findings.getByText("Nothing would leave this machine.")).toBeTruthy();
    expect(await seriousViolations()).toEqual([]);
    await user.click(form.getByRole("button", { name: "Use from the next question" }));
    expect((await form.findByRole("status")).textContent).toBe("Saved.");
    await waitFor(() => expect(screen.getByTestId("model-status").textContent).toContain("qwen3:8b"));
  });

  it("take the chat model away, whatever address it had", async () => {
    const { user } = await renderApp({ model: "local" });
    const form = await openForm(user, "Chat model", "model-form");
    await user.selectOptions(form.getByLabelText("Provider"), "None: quotes only");
    expect(form.getByLabelText<HTMLSelectElement>("Provider").value).toBe("");
    await user.click(form.getByRole("button", { name: "Use from the next question" }));
    await waitFor(() => expect(screen.getByTestId("model-status").textContent).not.toContain("qwen3-8b"));
  });

  it("say what is wrong with a setting and where questions would go", async () => {
    const { user } = await renderApp({ model: "none" });
    await user.click(screen.getByTestId("model-status"));
    const form = within(await screen.findByTestId("model-form"));
    await user.selectOptions(form.getByLabelText("Provider"), "anthropic");
    await user.type(form.getByLabelText("Model"), "missing");
    await user.click(form.getByRole("button", { name: "Try it" }));
    expect(await form.findByLabelText("Not well")).toBeTruthy();
    expect(form.getByText(/would be sent to api.anthropic.com/)).toBeTruthy();
    await user.type(form.getByLabelText("Address"), "ftp://host");
    await user.click(form.getByRole("button", { name: "Use from the next question" }));
    expect((await form.findByRole("alert")).textContent).toContain("begins with http");
  });

  it("set up an embedding model for new collections, and say what becomes of those that are there", async () => {
    const { user } = await renderApp();
    const form = await openForm(user, "Embedding model", "embedding-form");
    const kept = screen.getByTestId("kept-models");
    expect(kept.textContent).toContain("A collection keeps the model it was made with");
    expect(within(kept).queryAllByRole("listitem")).toEqual([]);
    expect(form.getByRole<HTMLButtonElement>("button", { name: "Try it" }).disabled).toBe(true);
    await user.selectOptions(form.getByLabelText("Provider"), "OpenAI");
    await user.type(form.getByLabelText("Model"), "missing");
    await user.click(form.getByRole("button", { name: "Try it" }));
    expect(await form.findByLabelText("Not well")).toBeTruthy();
    expect(form.getByText("The text of documents and questions would be sent to api.openai.com.")).toBeTruthy();
    await user.click(form.getByRole("button", { name: "Use for new collections" }));
    expect((await form.findByRole("alert")).textContent).toContain("does not know the model missing");
    await user.clear(form.getByLabelText("Model"));
    await user.type(form.getByLabelText("Model"), "text-embedding-3-small");
    expect(form.queryByRole("alert")).toBeNull();
    await user.click(form.getByRole("button", { name: "Use for new collections" }));
    expect((await form.findByRole("status")).textContent).toBe("Saved.");
    await waitFor(() =>
      expect(
        within(kept)
          .getAllByRole("listitem")
          .map((item) => item.textContent),
      ).toEqual(["Concessions with all-MiniLM-L6-v2", "Q3 filings with all-MiniLM-L6-v2"]),
    );
    expect(screen.getByTestId("model-status").textContent).toContain("sends to api.openai.com");
    expect(await seriousViolations()).toEqual([]);
    await user.click(screen.getByRole("tab", { name: "Privacy" }));
    const said = (await screen.findByTestId("privacy")).textContent;
    expect(said).toContain("api.openai.com embeds");
    expect(said).not.toContain("writes the answers");
  });

  it("set up a reranker at a server, in a file, and none again", async () => {
    const { user } = await renderApp();
    const form = await openForm(user, "Reranker", "reranker-form");
    const use = () => user.click(form.getByRole("button", { name: "Use from the next search" }));
    const named = () => within(screen.getByTestId("settings-models")).getAllByText("Model").at(-1)?.nextElementSibling;
    await user.selectOptions(
      form.getByLabelText("Where it runs"),
      "At a server that reranks (Cohere, Jina, vLLM, llama.cpp)",
    );
    await user.type(form.getByLabelText("Address"), "https://rank.example/v1");
    await user.type(form.getByLabelText("Model"), "bge-reranker-v2-m3");
    await user.click(form.getByRole("button", { name: "Try it" }));
    expect(await form.findByText("It ranks an answer before a text that is none.")).toBeTruthy();
    expect(form.getByText(/would be sent to rank.example/)).toBeTruthy();
    await use();
    await waitFor(() => expect(screen.getByTestId("model-status").textContent).toContain("sends to rank.example"));
    await user.selectOptions(form.getByLabelText("Where it runs"), "Here, from an ONNX file");
    await user.type(form.getByLabelText("ONNX file"), "missing.onnx");
    await use();
    expect((await form.findByRole("alert")).textContent).toContain("There is no file missing.onnx.");
    await user.type(form.getByLabelText("ONNX file"), "{Backspace>12/}/models/small.onnx");
    await use();
    await waitFor(() => expect(named()?.textContent).toBe("/models/small.onnx"));
    expect(screen.getByTestId("model-status").textContent).toContain("nothing leaves this machine");
    await user.selectOptions(form.getByLabelText("Where it runs"), "None");
    await use();
    await waitFor(() => expect(screen.queryByText("/models/small.onnx")).toBeNull());
  });
});
