/** The proxy that the environment names. */

import { useProxies } from "@croft/harness";
import type { Environment } from "./environment.ts";
import { here } from "./here.ts";

/** Has every request of this process go through the proxies that are named. Undefined, or why one is not used. */
export async function useNamedProxies({ variable }: Environment): Promise<string | undefined> {
  const either = (name: string): string | undefined => variable(name.toLowerCase()) ?? variable(name);
  const forAll = either("ALL_PROXY");
  const other = forAll !== undefined && isHttp(forAll) ? forAll : undefined;
  const named = { HTTP_PROXY: either("HTTP_PROXY") ?? other, HTTPS_PROXY: either("HTTPS_PROXY") ?? other };
  const set = Object.entries(named).filter(([, url]) => url !== undefined);
  // Whoever set that one had node see to it already.
  if (set.length === 0 || variable("NODE_USE_ENV_PROXY") !== undefined) return undefined;
  const wrong = set.find(([, url = ""]) => !isHttp(url));
  if (wrong !== undefined) return `${wrong[0]} is no URL of an HTTP proxy, and is not used.`;
  // What runs on this machine is never asked through another one.
  const not = [...(either("NO_PROXY")?.split(",") ?? []), ...here];
  const isUsed = await useProxies({ http: named.HTTP_PROXY, https: named.HTTPS_PROXY, not });
  return isUsed ? undefined : "A proxy is set, which only Node 24.14 or newer uses.";
}

function isHttp(url: string): boolean {
  return /^https?:$/.test(URL.parse(url)?.protocol ?? "");
}
