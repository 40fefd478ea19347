import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { Event } from "../event.ts";
import { codeGate } from "../gate/code.ts";
import { policyGate } from "../gate/rules.ts";
import { textOf, type Message } from "../message.ts";
import { call, say, scripted, type Script } from "../model/scripted.ts";
import { openLog } from "../session/log.ts";
import { readTrace } from "../session/trace.ts";
import { openUndo } from "../workspace/snapshot/undo.ts";
import { openArtifactWork, type ArtifactWork, type ArtifactWorkOptions } from "./artifact.ts";
import { artifactRig } from "./artifact-rig.testing.ts";
import { openArtifactTools } from "./artifact-tools.ts";
import { replay } from "./replay.ts";

let base: string;
let root: string;
beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), "croft-artifact-"));
  root = join(base, "project");
  mkdirSync(root);
  writeFileSync(join(root, "a.txt"), "one\ntwo\n");
  git("init", "-q");
  git("add", ".");
  git("-c", "user.name=T", "-c", "user.email=t@example.com", "commit", "-qm", "start");
});
afterEach(() => rmSync(base, { recursive: true }));

function git(...args: string[]): string {
  return execFileSync("git", args, { cwd: root, encoding: "utf8" });
}

type Played = { work: ArtifactWork; events: Event[]; requests: (readonly Message[])[]; trace: string };

/** The work with a scripted model, until `act` is done. */
async function play(
  script: Script,
  act: (played: Played) => Promise<void>,
  options: Partial<ArtifactWorkOptions> = {},
): Promise<Played> {
  const events: Event[] = [];
  const requests: (readonly Message[])[] = [];
  const model = scripted(script);
  const listening: typeof model = {
    ...model,
    respond(request, sink, signal) {
      requests.push(request.messages);
      return model.respond(request, sink, signal);
    },
  };
  const trace = join(base, "trace.jsonl");
  const session = openLog({ id: "test", file: trace });
  const work = await openArtifactWork({
    root,
    gate: codeGate({ yes: true }),
    model: listening,
    session,
    emit: (event) => events.push(event),
    ...options,
  });
  const played = { work, events, requests, trace };
  try {
    await act(played);
  } finally {
    await work.close();
    session.close();
  }
  return played;
}

const never = new AbortController().signal;

/** The id that the last result begins with. */
function lastId(messages: readonly Message[]): string {
  return /"([am]\d+-[0-9a-f]{4}): /.exec(JSON.stringify(messages.at(-1)))?.[1] ?? "none";
}

/** The ids that the first results begin with. */
function idsIn(messages: readonly Message[]): string[] {
  return Array.from(JSON.stringify(messages[2]).matchAll(/"([am]\d+-[0-9a-f]{4}): /g), ([, id = ""]) => id);
}

/** Stages and patches a.txt, then says what it is told to. */
const forgetful: Extract<Script, (...given: never[]) => unknown> = ({ messages }) => {
  if (messages.length === 1) return call("stage_file", { path: "a.txt" });
  if (messages.length === 3) {
    return call("apply_patch", { media_id: lastId(messages), patch: { find: "two", replace: "2" } });
  }
  return say("Done.");
};

const told = (events: readonly Event[]): string[] =>
  events.flatMap((event) => {
    if (event.type === "check" && event.name === "unsaved") return [event.result.pass ? "passed" : "sent back"];
    if (event.type === "notice") return [event.text];
    return event.type === "stop" ? [`stop: ${event.status}`] : [];
  });

test("what is patched and not saved leaves the project as it was, and the turn says so: to the model once, then to people", async () => {
  const { events, requests, work } = await play(forgetful, async ({ work: { run } }) => {
    expect((await run("Change two to 2.", never)).status).toBe("done");
    expect(git("status", "--porcelain")).toBe("");
    expect((await run("And now?", never)).status).toBe("done");
  });
  expect(readFileSync(join(root, "a.txt"), "utf8")).toBe("one\ntwo\n");
  const [media] = work.staging.unsaved();
  const notice = `Staged and not saved: ${media?.id} (a.txt)`;
  expect(told(events)).toEqual(["sent back", notice, "passed", "stop: done", notice, "passed", "stop: done"]);
  const reports = (requests.at(-1) ?? []).filter(
    (message) => message.role === "user" && textOf(message).includes("Not saved"),
  );
  expect(reports.map(textOf)).toEqual([
    `[harness] Not saved, and so in no file of the project: ${media?.id} (a.txt). Save each with save_media, or, if it is not wanted, say so in your answer.`,
  ]);
});

test("a model that is reminded saves, and the change can be taken back", async () => {
  const undo = openUndo({ root, store: join(base, "undo") });
  const script: Script = (request, step) => {
    const { messages } = request;
    if (messages.length < 6) return forgetful(request, step);
    const id = /Not saved[^m]*(m\d+-[0-9a-f]{4})/.exec(JSON.stringify(messages))?.[1];
    return messages.length === 7 ? call("save_media", { media_id: id, path: "a.txt" }) : say("Saved.");
  };
  const { events } = await play(
    script,
    async ({ work }) => {
      expect((await work.run("Change two to 2.", never)).answer).toBe("Saved.");
    },
    { undo },
  );
  expect(told(events)).toEqual(["sent back", "passed", "stop: done"]);
  expect(git("status", "--porcelain")).toBe(" M a.txt\n");
  expect(readFileSync(join(root, "a.txt"), "utf8")).toBe("one\n2\n");
  await undo.undo(never);
  expect(readFileSync(join(root, "a.txt"), "utf8")).toBe("one\ntwo\n");
});

/** Goes on looking about once a.txt is patched; `cancel` is called before the last of these replies. */
function wandering(cancel: () => void): typeof forgetful {
  return (request, step) => {
    if (request.messages.length <= 4) return forgetful(request, step);
    if (step === 4) cancel();
    return call("list_directory", { path: `x${step}` });
  };
}

test.each([
  ["max_turns", { steps: 3 }],
  ["cancelled", {}],
] as const)("a turn that ends as %s says it too, before it stops, and again in its replay", async (status, budget) => {
  const user = new AbortController();
  const { events, trace } = await play(
    wandering(() => user.abort()),
    async ({ work }) => {
      expect((await work.run("Change two to 2.", user.signal)).status).toBe(status);
    },
    { budget },
  );
  expect(told(events)).toEqual([
    expect.stringMatching(/^Staged and not saved: m2-....\s\(a\.txt\)$/),
    `stop: ${status}`,
  ]);
  const again: Event[] = [];
  const replayed = await replay(await readTrace(trace), { emit: (event) => again.push(event) }, never);
  expect(replayed).toMatchObject({ same: true, differences: [], turns: 1 });
  expect(told(again)).toEqual(told(events));
});

test("a run with these tools is replayed from its trace", async () => {
  const { trace, events } = await play(forgetful, async ({ work: { run } }) => {
    await run("Change two to 2.", never);
    await run("And now?", never);
  });
  const again: Event[] = [];
  const replayed = await replay(await readTrace(trace), { emit: (event) => again.push(event) }, never);
  expect(replayed).toMatchObject({ same: true, differences: [], turns: 2 });
  expect(told(again)).toEqual(told(events));
});

test("calls that only look are made again, ids and all, and what is another is told", async () => {
  const script: Script = ({ messages }, step) => {
    if (step === 1) return [call("open_file", { path: "a.txt" }), call("stage_file", { path: "a.txt" })];
    const [artifact, media] = idsIn(messages);
    if (step === 2) {
      return [
        call("artifact_head", { artifact_id: artifact }),
        call("apply_patch", { media_id: media, patch: { find: "two", replace: "2" } }),
      ];
    }
    if (step === 3) return call("save_media", { media_id: lastId(messages), path: "a.txt" });
    return step === 4 ? call("artifact_tail", { artifact_id: artifact, lines: 1 }) : say("Done.");
  };
  const { trace } = await play(script, async ({ work: { run } }) => void (await run("Change two to 2.", never)));
  const recorded = await readTrace(trace);
  const again = async (): Promise<[calls: number, differences: (readonly [string, string, string])[]]> => {
    const live = await openArtifactTools({ root, gate: policyGate() });
    const { calls, differences } = await replay(recorded, { emit: () => undefined, live }, never);
    await live.close();
    return [calls, differences.map(({ what, recorded, now }) => [what.slice(0, what.indexOf("(")), recorded, now])];
  };
  git("checkout", "-q", "a.txt");
  // By then the file had been replaced, which is told there alone.
  const replaced = ["artifact_tail", expect.stringContaining("replaced since"), expect.any(String)];
  expect(await again()).toEqual([5, [replaced]]);
  writeFileSync(join(root, "a.txt"), "one\nTWO\n");
  expect(await again()).toEqual([
    5,
    [
      ["artifact_head", expect.stringMatching(/two"$/), expect.stringMatching(/TWO"$/)],
      ["apply_patch", expect.stringContaining("(+1 -1)"), expect.stringContaining("find is not there")],
      replaced,
    ],
  ]);
});

test("the static part of a request, system prompt and tools, is 12 KB at most", async () => {
  const { events } = await play(
    () => say("Yes."),
    async ({ work }) => void (await work.run("What?", never)),
  );
  const setup = events.flatMap((event) => (event.type === "start" ? [event.setup] : []))[0];
  expect(Buffer.byteLength(JSON.stringify({ system: setup?.system, tools: setup?.tools }))).toBeLessThanOrEqual(
    12 * 1024,
  );
});

test("the tools are these, in this order", async () => {
  const { doors } = await artifactRig({});
  expect(doors.tools.map(({ name, effect }) => `${name} ${effect}`)).toEqual([
    "open_file read",
    "open_json_file read",
    "open_markdown_file read",
    "stage_file read",
    "apply_patch write",
    "save_media write",
    "list_directory read",
    "search_files read",
    "find_files read",
    "artifact_head read",
    "artifact_tail read",
    "artifact_grep read",
    "artifact_cat read",
    "artifact_line_count read",
    "artifact_json_get read",
    "artifact_json_keys read",
    "artifact_json_filter read",
    "artifact_md_headings read",
    "artifact_md_sections read",
  ]);
});

test("the tools that write say first that nothing is written before it is saved", async () => {
  const { doors } = await artifactRig({});
  const said = (name: string): string => doors.tools.find((tool) => tool.name === name)?.description ?? "";
  for (const name of ["stage_file", "apply_patch"]) expect(said(name)).toMatch(/^Nothing is written until save_media/);
});

test("what other tools there are changes descriptions, and nothing else", async () => {
  const [all, few] = [await artifactRig({}), await artifactRig({}, { registered: ["artifact_grep"] })];
  const pairs = all.doors.tools.map((tool, index) => [tool, few.doors.tools[index]] as const);
  expect(pairs.map(([one]) => [one.name, one.schema])).toEqual(pairs.map(([, few]) => [few?.name, few?.schema]));
  expect(few.doors.tools[0]?.description).toContain("Look into it with artifact_grep.");
  expect(all.doors.tools[0]?.description).toContain("Look into it with artifact_head, artifact_tail, artifact_grep,");
});

test("there are no tools without a gate, whatever the caller's types say", async () => {
  const careless: object = { root, gate: undefined };
  await expect(artifactRig({}, careless)).rejects.toMatchObject({ code: "E_NO_GATE" });
  await expect(
    play(
      () => say("Yes."),
      async () => undefined,
      careless,
    ),
  ).rejects.toMatchObject({ code: "E_NO_GATE" });
});
