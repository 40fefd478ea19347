/** A project in a temporary folder, a home and things outside, and commands run in a real enclosure around it. */

import { existsSync, mkdirSync, mkdtempSync, realpathSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { removeTree } from "../../../../../test/support/remove-tree.ts";
import { policyFrom, type Rule } from "../../policy/rules.ts";
import { guardProject } from "./guard-project.ts";
import type { Enclosure, Profile } from "../../process/enclosure.ts";
import type { Guard } from "../../process/guard.ts";
import type { Limits } from "../../process/limits/limits.ts";
import { probeProgram, type ProbeResult } from "../../process/probe.ts";
import { bubblewrap } from "../../process/bubblewrap/bubblewrap.ts";

export type Setting = {
  files?: Readonly<Record<string, string>>;
  rules?: readonly Rule[];
  limits?: Partial<Limits>;
  bwrap?: string | undefined;
  /** Where the project lies below the temporary folder. */
  at?: string;
  /** Folders of the project that the PATH names. */
  path?: readonly string[];
};
export type Running = { profile?: Profile; hosts?: readonly string[]; ms?: number; cwd?: string };

export type Enclosed = AsyncDisposable & {
  readonly root: string;
  /** Beside the project. */
  readonly outside: string;
  readonly home: string;
  readonly guard: Guard;
  readonly enclosure: Enclosure;
  sh(script: string, running?: Running): Promise<ProbeResult>;
  inspect(): Promise<readonly string[]>;
};

export const never: AbortSignal = new AbortController().signal;

/** Everything may be read and written, but for a few places of each kind. */
export const someRules: readonly Rule[] = [
  { name: "project files", globs: ["**"], access: ["read", "write"], decision: "allow" },
  { name: "secrets", globs: [".env*", "*.pem", ".ssh"], access: ["read", "write"], decision: "ask" },
  { name: "examples", globs: [".env.example"], access: ["read", "write"], decision: "allow" },
  {
    name: "what runs elsewhere",
    globs: [".vscode", ".github/workflows", "AGENTS.md"],
    access: ["write"],
    decision: "ask",
  },
  { name: "croft's own settings", globs: [".croft.json"], access: ["write"], decision: "deny" },
];

export async function encloseProject({
  files = {},
  rules = someRules,
  at = "project",
  path = [],
  ...rest
}: Setting = {}): Promise<Enclosed> {
  const base = mkdtempSync(join(realpathSync(tmpdir()), "croft-test-"));
  const place = (folder: string, content: Readonly<Record<string, string>>): string => {
    mkdirSync(join(base, folder), { recursive: true });
    for (const [name, text] of Object.entries(content)) {
      const file = join(base, folder, name);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, text);
    }
    return join(base, folder);
  };
  const home = place("home", {
    ".bashrc": "# mine\n",
    ".ssh/id_ed25519": "canary\n",
    ".cargo/credentials.toml": "canary\n",
  });
  const outside = place("outside", { "canary.txt": "canary\n" });
  const root = place(at, files);
  const own = path.map((folder) => join(root, folder));
  const searchPath = [...own, dirname(process.execPath), "/usr/local/bin", "/usr/bin", "/bin"].join(delimiter);
  const guard = guardProject({ root, policy: policyFrom(rules), quarantine: join(base, "kept") });
  const enclosure = bubblewrap({
    root,
    guard,
    home,
    searchPath,
    environment: { LANG: "C.UTF-8", TERM: "dumb" },
    cache: join(base, "cache"),
    programs: {
      bwrap: "bwrap" in rest ? rest.bwrap : programIn(searchPath, "bwrap"),
      prlimit: programIn(searchPath, "prlimit"),
    },
    limits: rest.limits,
    resolve: async () => ["127.0.0.1"],
  });
  return {
    root,
    outside,
    home,
    guard,
    enclosure,
    async sh(script, { profile = "plain", hosts = [], ms = 30_000, cwd = "." } = {}) {
      const argv = ["bash", "-c", script] as const;
      await using launch = await enclosure.launch({ argv, cwd, profile, hosts }, never);
      return await probeProgram(launch.argv, { ...launch, ms }, never);
    },
    inspect: () => enclosure.inspect(never),
    [Symbol.asyncDispose]: async () => {
      await enclosure.close();
      removeTree(base);
    },
  };
}

function programIn(searchPath: string, name: string): string | undefined {
  return searchPath
    .split(delimiter)
    .map((folder) => join(folder, name))
    .find((file) => existsSync(file));
}
