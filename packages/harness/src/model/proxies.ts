/** HTTP proxies, through which models are asked: fetch goes past those of the environment unless it is told. */

/** URLs of proxies for http:// and https://, and the hosts that are asked without one, as in NO_PROXY. */
export type Proxies = { http?: string | undefined; https?: string | undefined; not: readonly string[] };

/**
 * Has all requests of this process go through them from now on: to be called before the first, once. False where this
 * Node cannot do it (before 24.14). Throws for a URL that is none of an HTTP proxy.
 */
export async function useProxies({ http, https, not }: Proxies): Promise<boolean> {
  const node: { setGlobalProxyFromEnv?: (variables: NodeJS.ProcessEnv) => unknown } = await import("node:http");
  node.setGlobalProxyFromEnv?.({ HTTP_PROXY: http, HTTPS_PROXY: https, NO_PROXY: not.join(",") });
  return node.setGlobalProxyFromEnv !== undefined;
}
