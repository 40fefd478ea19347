/** Hosts that may be reached, by name. Nothing is matched by pattern, and nothing that names an address. */

import { Failure } from "../../error.ts";

/** `local`: it is this very machine that was named. */
export type Host = { readonly name: string; readonly ports: readonly number[]; readonly local: boolean };

/** Letters, digits, hyphens and dots, as the DNS has them; other scripts only in their ASCII form. */
const hostName = /^(?=.{1,253}$)[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)*$/;
/** The last part of a name is never a number, in any of the ways that an address can be written. */
const endsInNumber = /(?:^|\.)(?:\d+|0x[0-9a-f]*)$/;
const withPort = /^(.*?)(?::(\d{1,5}))?$/s;
const webPorts = [80, 443];
const localNames: ReadonlySet<string> = new Set(["localhost", "127.0.0.1"]);

/**
 * `example.com` is that host on ports 80 and 443, `example.com:8443` on that port alone. A server on this machine is
 * named with its port, `localhost:4873`, and no other name leads to it. Throws E_BAD_HOST.
 */
export function parseHost(text: string): Host {
  const [, name = "", port] = withPort.exec(text.toLowerCase()) ?? [];
  const local = localNames.has(name);
  const number = port === undefined ? undefined : Number(port);
  const possible = number === undefined ? !local : number > 0 && number < 65_536;
  if (possible && (local || (hostName.test(name) && !endsInNumber.test(name)))) {
    return { name, ports: number === undefined ? webPorts : [number], local };
  }
  throw new Failure("E_BAD_HOST", `${JSON.stringify(text)} does not name a host that commands could reach.`, {
    remedy: "Name it exactly, as registry.npmjs.org or example.com:8443; a server of this machine as localhost:4873.",
  });
}

/** The one that a request names, letter by letter. */
export function findHost(hosts: readonly Host[], name: string, port: number): Host | undefined {
  const asked = name.toLowerCase();
  return hosts.find((host) => host.name === asked && host.ports.includes(port));
}
