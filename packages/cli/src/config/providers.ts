/** Who serves models, as data: a provider is a row here, or an entry of `models` in a configuration file. */

import type { Price, Service } from "@croft/harness";

export type Provider = {
  api: Service["api"];
  baseUrl: string;
  /** The variable that puts another server in its place, and how its value becomes a base URL. */
  baseUrlFrom?: { variable: string; read: (value: string) => string } | undefined;
  /** The variable that holds the key; none: the service asks for none. */
  apiKeyEnv?: string | undefined;
  /** Dollars per million tokens of all its models; none: the catalogue knows, or nobody. */
  price?: Price | undefined;
};

export const providers: ReadonlyMap<string, Provider> = new Map<string, Provider>([
  [
    "anthropic",
    {
      api: "messages",
      baseUrl: "https://api.anthropic.com",
      baseUrlFrom: { variable: "ANTHROPIC_BASE_URL", read: (url) => url },
      apiKeyEnv: "ANTHROPIC_API_KEY",
    },
  ],
  [
    "openai",
    {
      api: "chat-completions",
      baseUrl: "https://api.openai.com/v1",
      baseUrlFrom: { variable: "OPENAI_BASE_URL", read: (url) => url },
      apiKeyEnv: "OPENAI_API_KEY",
    },
  ],
  [
    "ollama",
    {
      api: "chat-completions",
      baseUrl: "http://127.0.0.1:11434/v1",
      baseUrlFrom: { variable: "OLLAMA_HOST", read: ollamaUrl },
      price: { input: 0, cacheRead: 0, cacheWrite: 0, output: 0 },
    },
  ],
]);

/** As its own programs read OLLAMA_HOST: a host, a port or a URL; without a port 11434, unless there is a scheme. */
function ollamaUrl(host: string): string {
  const hasScheme = /^https?:\/\//.test(host);
  const url = URL.parse(hasScheme ? host : `http://${host.startsWith(":") ? "127.0.0.1" : ""}${host}`);
  if (url === null) return host;
  if (!hasScheme && !/:\d+\/?$/.test(host)) url.port = "11434";
  // The address a server listens on is none to connect to.
  if (url.hostname === "0.0.0.0") url.hostname = "127.0.0.1";
  return `${url.href.replace(/\/+$/, "")}/v1`;
}
