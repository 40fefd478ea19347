/**
 * Every way a run can be broken off, at every moment: whatever happened, the session goes on from its log, and the next
 * request is one that a strict server takes.
 */

import { copyFileSync, existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { codeGate } from "../gate/code.ts";
import { call, say, think } from "../model/scripted.ts";
import { codePolicy } from "../policy/presets.ts";
import { openLog } from "../session/log.ts";
import { readPast } from "../session/past.ts";
import { readFile } from "../tool/code/read_file.ts";
import { createLedger } from "../workspace/ledger.ts";
import { editFile } from "../tool/code/edit_file.ts";
import { codeBudget } from "../preset/work.ts";
import { openDoors } from "../preset/doors.ts";
import {
  fine,
  oddTools,
  serveApi,
  slowCheck,
  slowPerson,
  slowTool,
  streamStages,
  type Api,
  type Said,
  type Service,
  type StreamStage,
  type Trap,
} from "./interruptions.testing.ts";
import { openTurns } from "../preset/turns.ts";

const loopStages = [
  "a tool that reads runs",
  "a tool that writes runs",
  "a tool that executes runs",
  "a question is pending",
  "a check runs",
  "between turns",
] as const;
type Stage = StreamStage | (typeof loopStages)[number];

const outside = ["Ctrl+C", "timeout", "kill -9"] as const;
const faults = [
  "cut stream",
  "refusal",
  "max_tokens in a call",
  "unparseable input",
  "unknown tool",
  "oversized result",
  "lone surrogates",
  "400 for a block",
] as const;
type Interruption = (typeof outside)[number] | (typeof faults)[number];

const read = call("read_file", { path: "a.ts" });

/** What a reply holds up to a stage. */
const upTo: Readonly<Record<StreamStage, Said["parts"]>> = {
  "before the request": [],
  "before the first event": [],
  "in thinking": [think("Hm.")],
  "in text": [think("Hm."), say("I look.")],
  "in the input of a call": [think("Hm."), say("I look."), read],
  "between a call and the end of the message": [think("Hm."), say("I look."), read],
};
const whole: Said = { parts: [think("Hm."), say("I look."), read] };

const replies: Readonly<Record<(typeof faults)[number], (before: Said["parts"]) => readonly Said[]>> = {
  "cut stream": () => [whole],
  refusal: (parts) => [{ parts: [...parts, say("No.")], stop: "refusal" }],
  "max_tokens in a call": (parts) => [
    { parts: [...parts, { type: "raw_call", name: "read_file", json: '{"path":"a.t' }], stop: "max_tokens" },
  ],
  "unparseable input": (parts) => [{ parts: [...parts, { type: "raw_call", name: "read_file", json: '{"a":1,}' }] }],
  "unknown tool": (parts) => [{ parts: [...parts, call("no such tool!", {})] }],
  "oversized result": (parts) => [{ parts: [...parts, call("huge", {})] }],
  "lone surrogates": (parts) => [{ parts: [...parts, call("halves", {}), call("read_file", { path: "a\ud800" })] }],
  "400 for a block": (parts) => [{ parts: [...parts, read] }, { parts: [], refused: true }],
};

const called: Readonly<Record<(typeof loopStages)[number], Said["parts"]>> = {
  "a tool that reads runs": [read, call("slow_read", {})],
  "a tool that writes runs": [read, call("slow_write", {}), call("slow_write", {})],
  "a tool that executes runs": [call("slow_execute", {}), read],
  "a question is pending": [read, call("edit_file", { path: "a.ts", old_string: "1", new_string: "2" })],
  "a check runs": [say("It is 1.")],
  "between turns": [say("It is 1.")],
};

const isStream = (stage: Stage): stage is StreamStage => streamStages.some((one) => one === stage);
const isOutside = (one: Interruption): one is (typeof outside)[number] => outside.some((other) => other === one);

/** One session in one folder: turns are taken one by one, each by a croft of its own that goes on from the log. */
type Session = {
  service: Service;
  /** What the service says next; when there is no more, it says that all is fine. */
  script: Said[];
  trap: Trap | undefined;
  turn: (signal: AbortSignal, ms?: number) => Promise<string>;
  /** What is done once a stage is reached, once. */
  onReached: () => void;
  /** Goes on from what was on the disk when this was called. */
  kill: () => void;
  reached: boolean;
};

async function open(api: Api, stage: Stage): Promise<Session> {
  const folder = mkdtempSync(join(tmpdir(), "croft-interrupt-"));
  const root = join(folder, "project");
  onTestFinished(() => rmSync(folder, { recursive: true }));
  mkdirSync(root);
  writeFileSync(join(root, "a.ts"), "export const a = 1;\n");
  const file = join(folder, "session.jsonl");
  const killed = join(folder, "killed.jsonl");
  let turns = 0;
  const reached = (): void => {
    if (session.reached) return;
    session.reached = true;
    session.onReached();
  };
  const take = (): Trap | undefined => {
    const { trap } = session;
    session.trap = undefined;
    return trap;
  };
  const service = await serveApi(api, () => session.script.shift() ?? fine, take, reached);
  onTestFinished(service.close);
  const tools = [
    readFile,
    editFile,
    ...(["read", "write", "execute"] as const).map((effect) => slowTool(effect, reached)),
    ...oddTools,
  ];
  const session: Session = {
    service,
    script: [],
    trap: undefined,
    onReached: () => {},
    reached: false,
    kill() {
      copyFileSync(file, killed);
    },
    async turn(signal, ms = 60_000) {
      const past = turns === 0 ? undefined : await readPast(file);
      turns += 1;
      const log = openLog({ id: "test", file, earlier: past });
      const checks = stage === "a check runs" && turns === 1 ? [slowCheck(reached)] : [];
      const kind = {
        assembly: { system: [{ type: "text" as const, text: "Be brief." }], tools, checks },
        budget: codeBudget,
        maxTokens: 4_000,
      };
      const taken = openTurns(
        {
          root,
          gate: codeGate({ ask: slowPerson(reached), yes: false }),
          model: service.model,
          session: log,
          past,
          budget: { ms },
          retry: { baseMs: 1 },
          emit: () => {},
        },
        kind,
        (options) => openDoors(options, { policy: codePolicy([], root), tools, ledger: createLedger() }),
      );
      try {
        return (await taken.take("Go on \udfff.", signal)).status;
      } finally {
        await taken.close();
        log.close();
        if (existsSync(killed)) renameSync(killed, file);
      }
    },
  };
  return session;
}

/** Whether the run is held at the stage before it is broken off; the clock may strike earlier. */
function isHeld(stage: Stage, how: Interruption): boolean {
  return how !== "timeout" && (isOutside(how) || how === "cut stream" || !isStream(stage));
}

const never = new AbortController().signal;

/** The first turn is broken off. */
async function broken(session: Session, stage: Stage, how: (typeof outside)[number]): Promise<string> {
  const controller = new AbortController();
  session.onReached = () => {
    if (how === "kill -9") session.kill();
    if (how !== "timeout") controller.abort();
  };
  if (isStream(stage)) session.trap = { stage, act: "hang" };
  session.script.push(...(isStream(stage) ? [whole] : [{ parts: called[stage] }]));
  if (stage !== "between turns") {
    const status = await session.turn(controller.signal, how === "timeout" ? 100 : undefined);
    session.script.length = 0; // where the time was up before anything was asked
    session.trap = undefined;
    return status;
  }
  await session.turn(never);
  session.reached = true;
  session.onReached();
  return session.turn(controller.signal);
}

/** A reply is not what it should be; where that is no matter of a stream, the turn before it was cancelled. */
async function spoiled(session: Session, stage: Stage, how: (typeof faults)[number]): Promise<void> {
  if (!isStream(stage)) await broken(session, stage, "Ctrl+C");
  const cut = isStream(stage) ? stage : "in text";
  if (how === "cut stream") session.trap = { stage: cut, act: "cut" };
  session.script.push(...replies[how](isStream(stage) ? upTo[stage] : []));
  await session.turn(never);
}

const apis: readonly Api[] = ["messages", "chat"];
const stages: readonly Stage[] = [...streamStages, ...loopStages];

describe.each(apis)("over the API of %s", (api) => {
  describe.each(stages)("%s:", (stage) => {
    test.each([...outside, ...faults])("%s", async (interruption) => {
      const session = await open(api, stage);
      if (isOutside(interruption)) await broken(session, stage, interruption);
      else await spoiled(session, stage, interruption);
      const { reached, service } = session;
      const statuses = [await session.turn(never), await session.turn(never)];
      expect({ reached, statuses, rejections: service.rejections }).toEqual({
        reached: isHeld(stage, interruption) ? true : expect.any(Boolean),
        statuses: ["done", "done"],
        rejections: [],
      });
    });
  });
});
