/** Services of this system that listen in the project: a network of its own keeps no command from their socket files. */

import { readFileSync } from "node:fs";
import type { Place } from "../place/place.ts";
import { ifReachable } from "../place/system.ts";
import { withEntry } from "./quarantine.ts";
import type { Border } from "./scan.ts";

/** Eighth of the fields of a line; what commands themselves listen on is not listed, since they have another network. */
const boundTo = /^(?:\S+ +){7}(\/.+)$/;

/** Neither read nor written by a command: to write to such a file is to speak to a service outside. */
export function serviceSockets(root: string, top: Place): Border[] {
  const list = ifReachable(() => readFileSync("/proc/net/unix", "utf8")) ?? "";
  const paths = list.split("\n").flatMap((line) => {
    const path = boundTo.exec(line)?.[1];
    return path?.startsWith(`${root}/`) === true ? [path.slice(root.length + 1)] : [];
  });
  return [...new Set(paths)]
    .filter((path) => withEntry(top, path, ({ entry }) => entry.kind === "other") === true)
    .map((path) => ({ path, kind: "other", read: false, write: false }));
}
