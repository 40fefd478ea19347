/** What it costs to run a command in the enclosure rather than plainly, and to look for what is protected. */

import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { policyFrom } from "@croft/harness";
// Not on the public surface: commands are started by the runner alone.
import { bubblewrap } from "../packages/harness/src/process/bubblewrap/bubblewrap.ts";
import { startJob } from "../packages/harness/src/process/job.ts";
import { probeProgram } from "../packages/harness/src/process/probe.ts";
import { createPipes } from "../packages/harness/src/process/system/pipe.ts";
import { guardProject } from "../packages/harness/src/workspace/guard/guard-project.ts";
import { timed, type Place, type Row } from "./measure.ts";

const rounds = 40;
const masks = 10;
const folders = 400;
const filesEach = 50;
/** Milliseconds in which a model says what comes next, and a pipe is made for it. */
const pauseMs = 40;
const searchPath = "/usr/local/bin:/usr/bin:/bin";
const signal = new AbortController().signal;

const policy = policyFrom([
  { name: "project files", globs: ["**"], access: ["read", "write"], decision: "allow" },
  { name: "secrets", globs: [".env*", "*.pem", "*.key", "id_rsa*", ".npmrc"], access: ["read"], decision: "ask" },
  { name: "what runs elsewhere", globs: [".vscode", ".github/workflows"], access: ["write"], decision: "ask" },
]);

export async function enclosing({ project, home }: Place): Promise<Row[]> {
  for (let n = 0; n < masks; n++) writeFile(join(project, `package-${n}`, ".env"));
  return [await commands(project, home), ...(await looking(join(home, "large"), home))];
}

/**
 * Both in turn; the least of each, as in measure.ts. The one in the enclosure as the runner starts it: its first process
 * waits for a word of croft, and tells at its end what it has left.
 */
async function commands(project: string, home: string): Promise<Row> {
  const guard = guardProject({ root: project, policy, quarantine: join(home, "kept") });
  const enclosure = bubblewrap({
    root: project,
    guard,
    home,
    searchPath,
    environment: {},
    cache: join(home, "cache"),
    programs: { bwrap: "/usr/bin/bwrap", prlimit: "/usr/bin/prlimit" },
  });
  const folder = join(home, "pipes");
  mkdirSync(folder);
  const pipes = createPipes(folder, searchPath);
  const plainly = (): Promise<unknown> => probeProgram(["/bin/true"], { cwd: project, env: {}, ms: 30_000 }, signal);
  const enclosed = async (): Promise<void> => {
    await using launch = await enclosure.launch({ argv: ["true"], cwd: ".", profile: "plain", hosts: [] }, signal);
    const said: Uint8Array[] = [];
    const job = await startJob({ launch, pipes, take: async (bytes) => void said.push(bytes) });
    const { code } = await job.done;
    if (code !== 0) throw new Error(Buffer.concat(said).toString());
  };
  const plain: number[] = [];
  const more: number[] = [];
  try {
    for (let round = 0; round < rounds; round++) {
      plain.push(await timed(async () => void (await plainly())));
      more.push(await timed(enclosed));
      await enclosure.inspect(signal);
      await sleep(pauseMs);
    }
  } finally {
    await pipes[Symbol.asyncDispose]();
    await enclosure.close();
  }
  const floor = Math.min(...plain);
  const value = Math.min(...more) - floor;
  const what = `a command in the enclosure, ${masks} secrets masked, over one without`;
  return { what, value, unit: "ms more", budget: 15, detail: `plainly ${floor.toFixed(1)} ms` };
}

/** The first look, and those after it, when nothing has changed. */
async function looking(root: string, home: string): Promise<Row[]> {
  for (let folder = 0; folder < folders; folder++) {
    for (let file = 0; file < filesEach; file++) writeFile(join(root, `folder-${folder}`, `file-${file}.ts`));
  }
  const guard = guardProject({ root, policy, quarantine: join(home, "kept") });
  const look = (): Promise<number> =>
    timed(async () => {
      using _ = await guard.watch("plain", signal);
    });
  const perFile = (ms: number): number => (ms * 1000) / (folders * filesEach);
  const first = await look();
  await new Promise((resolve) => setTimeout(resolve, 200));
  await look();
  const later = Math.min(await look(), await look(), await look());
  const detail = `${folders * filesEach} files`;
  return [
    { what: "looking for what is protected, at first", value: perFile(first), unit: "us a file", budget: 10, detail },
    { what: "looking again when nothing has changed", value: perFile(later), unit: "us a file", budget: 2, detail },
  ];
}

function writeFile(file: string): void {
  mkdirSync(join(file, ".."), { recursive: true });
  writeFileSync(file, "content\n");
}
