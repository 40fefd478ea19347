/** Egress, where hosts are named: a proxy here, its socket file inside, and a forwarder in front of the command. */

import { realpathSync } from "node:fs";
import { forwarder, proxyVariables, socketInside } from "../proxy/forwarder.ts";
import type { Host } from "../proxy/hosts.ts";
import { startProxy } from "../proxy/proxy.ts";
import type { Resolve } from "../proxy/dial.ts";
import type { Mount } from "./mount.ts";

export type Egress = AsyncDisposable & {
  readonly mounts: readonly Mount[];
  /** Goes before the command. */
  readonly argv: readonly string[];
  readonly variables: Readonly<Record<string, string>>;
};

/** `socketFile` must be free; it is gone once this is disposed. Throws the system's error. */
export async function openEgress(
  hosts: readonly Host[],
  socketFile: string,
  resolve: Resolve | undefined,
): Promise<Egress> {
  if (hosts.length === 0) return { mounts: [], argv: [], variables: {}, async [Symbol.asyncDispose]() {} };
  const proxy = await startProxy(socketFile, hosts, resolve);
  const node = realpathSync(process.execPath);
  return {
    mounts: [
      { kind: "read-only", source: socketFile, target: socketInside },
      { kind: "read-only", source: node, target: node },
    ],
    argv: forwarder(node),
    variables: proxyVariables(hosts.some(({ local }) => local)),
    [Symbol.asyncDispose]: () => proxy.close(),
  };
}
