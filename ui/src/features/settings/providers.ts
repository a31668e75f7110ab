/** Whose interface a model is reached through: its own name, and the address where settings name none. */
export const providers = {
  ollama: { name: "Ollama", address: "http://localhost:11434" },
  "openai-compatible": { name: null, address: "http://localhost:1234/v1" },
  openai: { name: "OpenAI", address: "https://api.openai.com/v1" },
  anthropic: { name: "Anthropic", address: "https://api.anthropic.com" },
  gemini: { name: "Google Gemini", address: "https://generativelanguage.googleapis.com/v1beta" },
} as const;

export type Provider = keyof typeof providers;

/** Those that write answers. */
export const chatProviders = Object.keys(providers) as Provider[];

/** Those that embed texts. */
export const embeddingProviders: Provider[] = ["ollama", "openai-compatible", "openai"];

/** The provider that settings mean: an address alone stands for a server compatible with OpenAI's. */
export function providerOf(settings: { provider?: string | null; base_url?: string | null }): Provider | "" {
  const named = settings.provider ?? (settings.base_url ? "openai-compatible" : "");
  return named in providers ? (named as Provider) : "";
}

/** A field that says something, or null. */
export function said(value: string | null | undefined): string | null {
  return value?.trim() || null;
}
