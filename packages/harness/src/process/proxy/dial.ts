/** Where a request may go: to a host that was named, looked up here, at an address that is public. */

import { lookup } from "node:dns/promises";
import { publicAddresses } from "./addresses.ts";
import { findHost, type Host } from "./hosts.ts";

/** All addresses of a name. */
export type Resolve = (name: string) => Promise<readonly string[]>;

/** The very address that was checked, or why there is none. */
export type Dialled = { address: string; host: Host } | { refused: string };
export type Dial = (name: string, port: number) => Promise<Dialled>;

/** What it gives throws what `resolve` throws. */
export function dialing(hosts: readonly Host[], resolve: Resolve = systemResolve): Dial {
  const isPublic = publicAddresses();
  return async (name, port) => {
    const host = findHost(hosts, name, port);
    if (host === undefined) return { refused: `${name}:${port} was not named.` };
    const addresses = host.local ? ["127.0.0.1"] : await resolve(host.name);
    const address = addresses.find((one) => host.local || isPublic(one));
    if (address === undefined) return { refused: `${name} leads to no public address.` };
    return { address, host };
  };
}

async function systemResolve(name: string): Promise<string[]> {
  return (await lookup(name, { all: true })).map(({ address }) => address);
}
