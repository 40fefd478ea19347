/** Names of this machine, as hosts of URLs have them. */
export const here: readonly string[] = ["localhost", "127.0.0.1", "0.0.0.0", "[::1]", "::1"];

/** Whether a URL leads to this machine. */
export function isHere(url: string): boolean {
  return here.includes(URL.parse(url)?.hostname ?? "");
}
