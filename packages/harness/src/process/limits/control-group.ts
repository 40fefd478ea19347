/**
 * A control group of the kernel for all that an enclosure runs. Version 1 has a tree for each controller, version 2 one
 * for all; in both a child can only be made where this process may.
 */

import { mkdirSync, readFileSync, rmdirSync, writeFileSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { dirname, join } from "node:path";
import type { Limits } from "./limits.ts";

export type ControlGroup = {
  /** Which limits it holds. */
  readonly limits: readonly Limited[];
  /** A process that writes its number to each of these is in the group, with all it starts. */
  readonly members: readonly string[];
  /** Once nothing runs in it any more. */
  remove(): Promise<void>;
};

export type Limited = "processes" | "memory";

type Knob = { limited: Limited; controller: string; file: string; value: (limits: Limits) => string };

const processes = { limited: "processes", controller: "pids", file: "pids.max" } as const;
const knobs: Readonly<Record<"v1" | "v2", readonly Knob[]>> = {
  v1: [
    { ...processes, value: (limits) => String(limits.processes) },
    {
      limited: "memory",
      controller: "memory",
      file: "memory.limit_in_bytes",
      value: (limits) => String(limits.memory),
    },
  ],
  v2: [
    { ...processes, value: (limits) => String(limits.processes) },
    { limited: "memory", controller: "memory", file: "memory.max", value: (limits) => String(limits.memory) },
  ],
};

/** Holds as many of the limits as this system lets us; none is no error. `name` must be free. */
export function makeControlGroup(name: string, limits: Limits): ControlGroup {
  const held = new Map<Limited, string>();
  const made = new Set<string>();
  for (const { version, controllers, folders } of hierarchies()) {
    for (const knob of knobs[version]) {
      if (held.has(knob.limited) || (version === "v1" && !controllers.includes(knob.controller))) continue;
      const folder = folders.map((parent) => join(parent, name)).find((child) => limit(child, knob, limits, made));
      if (folder !== undefined) held.set(knob.limited, folder);
    }
  }
  return {
    limits: [...held.keys()],
    members: [...new Set(held.values())].map((folder) => join(folder, "cgroup.procs")),
    remove: async () => {
      for (const folder of made) await removeFolder(folder);
    },
  };
}

function limit(folder: string, { file, value }: Knob, limits: Limits, made: Set<string>): boolean {
  try {
    if (!made.has(folder)) mkdirSync(folder);
    made.add(folder);
    // Opened for writing without making it: where the controller is not switched on, there is no such file.
    writeFileSync(join(folder, file), value(limits), { flag: "r+" });
    return true;
  } catch {
    return false;
  }
}

/** The ended count as members until the kernel has cleared them away. */
async function removeFolder(folder: string): Promise<void> {
  for (let attempt = 0; attempt < 50; attempt += 1) {
    try {
      rmdirSync(folder);
      return;
    } catch {
      await pause(20);
    }
  }
}

/** `folders`: where this process is, and, in version 2, the folder above: a group with members has no limited child. */
type Hierarchy = { version: "v1" | "v2"; controllers: readonly string[]; folders: readonly string[] };

function hierarchies(): Hierarchy[] {
  const own = readLines("/proc/self/cgroup").map((line) => {
    const [, controllers = "", ...path] = line.split(":");
    return { controllers: controllers.split(","), path: path.join(":") };
  });
  return readLines("/proc/self/mountinfo").flatMap((line): Hierarchy[] => {
    const [before = "", after = ""] = line.split(" - ");
    const [, , , mountedRoot = "/", mountPoint = ""] = before.split(" ");
    const [type, , options = ""] = after.split(" ");
    if (type !== "cgroup" && type !== "cgroup2") return [];
    const controllers = type === "cgroup" ? options.split(",") : [""];
    const member = own.find((group) => group.controllers.some((name) => controllers.includes(name)));
    if (member === undefined) return [];
    const within = member.path.startsWith(mountedRoot) ? member.path.slice(mountedRoot.length) : member.path;
    const folder = join(mountPoint, within);
    if (type === "cgroup") return [{ version: "v1", controllers, folders: [folder] }];
    return [{ version: "v2", controllers, folders: [folder, dirname(folder)] }];
  });
}

function readLines(file: string): string[] {
  try {
    return readFileSync(file, "utf8").split("\n").filter(Boolean);
  } catch {
    return [];
  }
}
