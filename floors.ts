/**
 * Who may import whom, as data: the one place where the layout of ARCHITECTURE.md is written down for the linter.
 * Imports go downwards only. Ports are the files an upper floor may name; adapters are named by assemblies alone.
 */

type Pattern = ({ regex: string } | { group: string[] }) & { message: string };
export type Floor = { files: readonly string[]; forbid: Pattern[] };

const source = "packages/harness/src";

/** Folders and root files of the harness from the ground up; a place may import its own floor and those below. */
const order: readonly (readonly string[])[] = [
  ["message.ts", "error.ts", "json.ts", "seal.ts", "slice.ts", "word-list.ts", "first-difference.ts", "never.ts"],
  ["policy", "gate", "model"],
  ["process"],
  ["workspace"],
  ["event.ts", "artifact", "edit", "redact"],
  ["tool", "check", "session"],
  ["agent"],
  ["preset", "testing", "testing.ts", "index.ts"],
];

/**
 * The folders within workspace/, likewise. Its ports are open to all of them; what tools hold stands beside these, on
 * top.
 */
const workspace: readonly (readonly string[])[] = [
  ["place"],
  ["text"],
  ["image"],
  ["walk"],
  ["fence", "guard"],
  ["search", "memory", "snapshot", "originals"],
];

/** On a shared floor these do not know each other. */
const strangers: readonly (readonly string[])[] = [
  ["tool", "check", "session"],
  ["policy", "model"],
  ["gate", "model"],
];

/** All that the loop may name of the folders below it. */
const ports = [
  "model/model.ts",
  "tool/tool.ts",
  "check/check.ts",
  "session/session.ts",
  "workspace/workspace.ts",
  "workspace/ledger.ts",
  "workspace/lines.ts",
];

/**
 * The only folders that may open these doors of the system, some of them only in part. Assemblies and test doubles hold
 * no door of their own.
 */
const doors: readonly { builtin: string; folders: readonly string[]; why: string }[] = [
  { builtin: "child_process|worker_threads|cluster", folders: ["process"], why: "process/ alone starts programs" },
  {
    builtin: "fs|fs/promises",
    folders: [
      "workspace",
      "session",
      "artifact",
      "process/bubblewrap",
      "process/limits",
      "process/output",
      "process/system",
    ],
    why: "workspace/ alone touches the project's files (session/ and artifact/ have state files of their own)",
  },
  {
    builtin: "net|http|https|http2|tls|dgram|dns|dns/promises",
    folders: ["model", "testing", "process/bubblewrap", "process/proxy", "process/system"],
    why: "model/ alone reaches the network (and the proxy of the enclosure)",
  },
  { builtin: "module|process", folders: [], why: "it leads round the other rules" },
];

/** Globals that reach the network, and where they may stand. */
export const networkGlobals: readonly string[] = ["fetch", "WebSocket", "EventSource", "XMLHttpRequest"];
export const networkFolders: readonly string[] = [`${source}/model/**`, `${source}/testing/**`];

const assemblies = new Set(["preset", "testing", "testing.ts", "index.ts"]);

/** Spellings that the rules below would not see through. */
const crooked: readonly Pattern[] = [
  { regex: "^\\./\\.\\.|[^./]/\\.\\.?/|/src/|^/|^file:", message: "Write the import as the shortest relative path." },
  { regex: "^@croft/", message: "A package does not import itself by name." },
];

function filesOf(name: string): string {
  return name.endsWith(".ts") ? `${source}/${name}` : `${source}/${name}/**`;
}

/** Matches a relative import that ends in one of the given places. */
function importOf(names: readonly string[]): string {
  const ends = names.map((name) => (name.endsWith(".ts") ? `${name.replace(".", "\\.")}$` : `${name}/`));
  return `^(\\./|(\\.\\./)+)(${ends.join("|")})`;
}

/** Matches relative imports from the given folders, from up to two levels below, that are none of `allowed`. */
function importOfAllBut(allowed: readonly string[], folders: readonly string[]): string[] {
  return ["../", "../../"].flatMap((up) => [
    ...folders.flatMap((folder) => [`${up}${folder}/*`, `${up}${folder}/*/**`]),
    ...allowed.map((port) => `!${up}${port}`),
  ]);
}

/** `place`: the part of it that is meant, where it has doors of its own. */
function forbidden(name: string, floor: number, place: string = name): Pattern[] {
  const patterns: Pattern[] = [...crooked];
  const above = order.slice(floor + 1).flat();
  if (above.length > 0) {
    patterns.push({ regex: importOf(above), message: `${name} is on a lower floor: imports go downwards only.` });
  }
  const unknown = strangers.filter((group) => group.includes(name)).flatMap((group) => group.filter((o) => o !== name));
  if (unknown.length > 0) {
    patterns.push({ regex: importOf(unknown), message: `${name} does not know its neighbours on the floor.` });
  }
  for (const door of doors) {
    if (door.folders.includes(name) || door.folders.includes(place)) continue;
    patterns.push({ regex: `^(node:)?(${door.builtin})$`, message: `Not from here: ${door.why}.` });
  }
  if (name === "agent") {
    const folders = order
      .slice(0, floor)
      .flat()
      .filter((place) => !place.endsWith(".ts"));
    patterns.push({ group: importOfAllBut(ports, folders), message: "agent/ imports ports, never an adapter." });
  } else if (name !== "model" && !assemblies.has(name)) {
    const message = "Only assemblies name a concrete model.";
    patterns.push({ group: importOfAllBut(["model/model.ts"], ["model"]), message });
  }
  return patterns;
}

/** What holds for a folder within workspace/. */
function forbiddenWithin(name: string, step: number): Pattern[] {
  const above = workspace.slice(step + 1).flat();
  const whole = forbidden(
    "workspace",
    order.findIndex((names) => names.includes("workspace")),
  );
  if (above.length === 0) return whole;
  const message = `${name} lies lower within workspace/: imports go downwards only.`;
  return [...whole, { regex: importOf(above), message }];
}

/** Parts of folders that have a door which the rest of the folder has not. */
function partsWithDoors(): Floor[] {
  const parts = new Set(doors.flatMap(({ folders }) => folders.filter((folder) => folder.includes("/"))));
  return [...parts].map((part) => {
    const [name = ""] = part.split("/");
    const floor = order.findIndex((names) => names.includes(name));
    return { files: [filesOf(part)], forbid: forbidden(name, floor, part) };
  });
}

/** What holds for all of the CLI: it uses the harness from outside, and the doors are the harness's. */
const cli: readonly Pattern[] = [
  { regex: "harness/(src|dist)", message: "The CLI uses the public surface of @croft/harness." },
  ...doors
    .filter(({ folders }) => folders.includes("process") || folders.includes("model"))
    .map(({ builtin, why }) => ({ regex: `^(node:)?(${builtin})$`, message: `Not from here: ${why}.` })),
];

export const floors: readonly Floor[] = [
  ...order.flatMap((names, floor) => names.map((name) => ({ files: [filesOf(name)], forbid: forbidden(name, floor) }))),
  ...workspace.flatMap((names, step) =>
    names.map((name) => ({ files: [filesOf(`workspace/${name}`)], forbid: forbiddenWithin(name, step) })),
  ),
  ...partsWithDoors(),
  { files: ["packages/cli/src/**"], forbid: [...cli] },
  {
    files: ["packages/cli/src/session/**"],
    forbid: [...cli, { regex: "^(\\.\\./)+(command|chat)/", message: "session/ is what commands and a chat open." }],
  },
  {
    files: ["packages/cli/src/chat/**"],
    forbid: [...cli, { regex: "^(\\.\\./)+command/", message: "A chat is no command: what both need stands below." }],
  },
  {
    files: ["packages/cli/src/ui/**"],
    forbid: [
      ...cli,
      { regex: "^(\\.\\./)+(command|config|session|serve)/", message: "ui/ draws what it is given." },
      { regex: "^(node:)?(fs|fs/promises)$", message: "ui/ touches no files." },
    ],
  },
];
