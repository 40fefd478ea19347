/**
 * Who may import whom, as data: the one place where the layout of ARCHITECTURE.md is written down for the linter.
 * Imports go downwards only. Ports are the files an upper floor may name; adapters are named by assemblies alone.
 */

type Pattern = ({ regex: string } | { group: string[] }) & { message: string };
export type Floor = { files: readonly string[]; forbid: Pattern[] };

const source = "packages/harness/src";

/** Folders and root files of the harness from the ground up; a place may import its own floor and those below. */
const order: readonly (readonly string[])[] = [
  ["message.ts", "error.ts"],
  ["policy", "gate", "model"],
  ["process"],
  ["workspace"],
  ["event.ts", "artifact", "edit", "redact"],
  ["tool", "check", "session"],
  ["agent"],
  ["preset", "testing", "testing.ts", "index.ts"],
];

/** On a shared floor these do not know each other. */
const strangers: readonly (readonly string[])[] = [
  ["tool", "check", "session"],
  ["policy", "model"],
  ["gate", "model"],
];

/** The only folders that may open these doors of the system. Assemblies and test doubles hold no door of their own. */
const doors: readonly { builtin: string; folders: readonly string[]; why: string }[] = [
  { builtin: "child_process|worker_threads|cluster", folders: ["process"], why: "process/ alone starts programs" },
  {
    builtin: "fs|fs/promises",
    folders: ["workspace", "session", "artifact"],
    why: "workspace/ alone touches the project's files (session/ and artifact/ have state files of their own)",
  },
  {
    builtin: "net|http|https|http2|tls|dgram|dns|dns/promises",
    folders: ["model", "testing"],
    why: "model/ alone reaches the network",
  },
];

const assemblies = new Set(["preset", "testing", "testing.ts", "index.ts"]);

function place(name: string): { glob: string; folder: string } {
  return { glob: name.endsWith(".ts") ? `${source}/${name}` : `${source}/${name}/**`, folder: name };
}

/** Matches a relative import that ends in one of the given places. */
function importOf(names: readonly string[]): string {
  const ends = names.map((name) => (name.endsWith(".ts") ? name.replace(".", "\\.") + "$" : `${name}/`));
  return `^(\\./|(\\.\\./)+)(${ends.join("|")})`;
}

function forbidden(name: string, floor: number): Pattern[] {
  const patterns: Pattern[] = [];
  const above = order.slice(floor + 1).flat();
  if (above.length > 0) {
    patterns.push({ regex: importOf(above), message: `${name} is on a lower floor: imports go downwards only.` });
  }
  const unknown = strangers.filter((group) => group.includes(name)).flatMap((group) => group.filter((o) => o !== name));
  if (unknown.length > 0) {
    patterns.push({ regex: importOf(unknown), message: `${name} does not know its neighbours on the floor.` });
  }
  for (const door of doors) {
    if (door.folders.includes(name)) continue;
    patterns.push({ regex: `^(node:)?(${door.builtin})$`, message: `Not from here: ${door.why}.` });
  }
  if (name === "agent") {
    patterns.push({
      group: [
        ...["model", "tool", "check", "session"].flatMap((port) => [
          `../${port}/*`,
          `../${port}/*/**`,
          `!../${port}/${port}.ts`,
        ]),
        "../gate/*",
        "../policy/*",
        "../process/*",
      ],
      message: "agent/ imports ports, never an adapter.",
    });
  }
  if (!assemblies.has(name)) {
    patterns.push({
      regex: "/model/(anthropic|chat-completions|scripted|recorded|retry|budget)\\.ts$",
      message: "Only assemblies name a concrete model.",
    });
  }
  return patterns;
}

export const floors: readonly Floor[] = [
  ...order.flatMap((names, floor) =>
    names.map((name) => ({ files: [place(name).glob], forbid: forbidden(name, floor) })),
  ),
  {
    files: ["packages/cli/src/**"],
    forbid: [
      { regex: "harness/src", message: "The CLI uses the public surface of @croft/harness." },
      { regex: "^(node:)?child_process$", message: "The harness alone starts programs." },
    ],
  },
  {
    files: ["packages/cli/src/ui/**"],
    forbid: [
      { regex: "^\\.\\./(command|config|serve)/", message: "ui/ draws what it is given." },
      { regex: "^(node:)?(fs|fs/promises|child_process)$", message: "ui/ touches no files and starts nothing." },
    ],
  },
];
