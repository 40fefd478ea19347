/** The proxy that the environment names: fetch goes past it unless it is told. */

import type { Environment } from "./environment.ts";

/** What runs on this machine is never asked through another one. */
const here = ["localhost", "127.0.0.1", "[::1]", "::1"];

/** Has every request of this process go by the proxies that are named, if any. Undefined, or why one is not used. */
export async function useProxies({ variable }: Environment): Promise<string | undefined> {
  const either = (name: string): string | undefined => variable(name.toLowerCase()) ?? variable(name);
  const [all, http, https] = ["ALL_PROXY", "HTTP_PROXY", "HTTPS_PROXY"].map((name) => either(name));
  const named = { HTTP_PROXY: http ?? httpOnly(all), HTTPS_PROXY: https ?? httpOnly(all) };
  if (named.HTTP_PROXY === undefined && named.HTTPS_PROXY === undefined) return undefined;
  for (const [name, value] of Object.entries(named)) {
    if (value !== undefined && httpOnly(value) === undefined)
      return `${name} is no URL of an HTTP proxy, and is not used.`;
  }
  // Whoever set this had node see to it already.
  if (variable("NODE_USE_ENV_PROXY") !== undefined) return undefined;
  const node: { setGlobalProxyFromEnv?: (proxies: NodeJS.ProcessEnv) => unknown } = await import("node:http");
  if (node.setGlobalProxyFromEnv === undefined) return "A proxy is set, which only Node 24.14 or newer uses.";
  node.setGlobalProxyFromEnv({
    ...named,
    NO_PROXY: [either("NO_PROXY"), ...here].filter((name) => name !== undefined).join(","),
  });
  return undefined;
}

function httpOnly(url: string | undefined): string | undefined {
  return /^https?:$/.test(URL.parse(url ?? "")?.protocol ?? "") ? url : undefined;
}
