/** A session played through its schedule, each sitting by a croft of its own that goes on from the log. */

import { z } from "zod";
import { citations } from "../../check/citations.ts";
import type { Event, Status } from "../../event.ts";
import { codeGate } from "../../gate/code.ts";
import { codePolicy } from "../../policy/presets.ts";
import { openDoors } from "../../preset/doors.ts";
import { openTurns } from "../../preset/turns.ts";
import { openLog } from "../../session/log.ts";
import { readPast, type Past } from "../../session/past.ts";
import { explore } from "../../tool/code/explore.ts";
import { editFile } from "../../tool/code/edit_file.ts";
import { readFile } from "../../tool/code/read_file.ts";
import { writeFile } from "../../tool/code/write_file.ts";
import { defineTool, textResult, type Tool } from "../../tool/tool.ts";
import { createLedger } from "../../workspace/ledger.ts";
import { oddTools } from "../interruptions.testing.ts";
import type { Schedule, Sitting } from "./schedule.testing.ts";
import { serveFaults, type FaultyService } from "./service.testing.ts";

export type Outcome = {
  /** One for each task that was taken up. */
  statuses: readonly Status[];
  /** How the session, resumed once more against a service that is well again, ended. */
  resumed: Status;
  rejections: readonly string[];
  passed: readonly string[];
  /** What was amiss in the log. */
  repairs: readonly string[];
  /** Turns that did not end with their stop, and with no other. */
  unended: number;
};

export type Place = { root: string; file: string };

const calm: Sitting = {
  ceiling: undefined,
  price: { input: 4, cacheRead: 0.2, cacheWrite: 5, output: 20 },
  steps: 20,
  tokens: 50_000_000,
  ms: 60_000,
  context: 1_000_000,
  tasks: ["Go on."],
  cancel: undefined,
};

export async function play(schedule: Schedule, place: Place): Promise<Outcome> {
  const heard = { request: (): void => undefined };
  const service = await serveFaults(schedule, () => heard.request());
  const idleMs = schedule.boasts ? 60_000 : 40;
  try {
    const statuses: Status[] = [];
    let unended = 0;
    let past: Past | undefined;
    const sit = async (sitting: Sitting, silenceMs: number): Promise<readonly Status[]> => {
      const taken = await takeAll(sitting, { service, place, past, heard, idleMs: silenceMs });
      unended += taken.unended;
      past = await readPast(place.file);
      return taken.statuses;
    };
    for (const sitting of schedule.sittings) statuses.push(...(await sit(sitting, idleMs)));
    const { repairs = [] } = past ?? {};
    service.recover();
    const [resumed = "error"] = await sit(calm, 60_000);
    const { rejections, till } = service;
    return { statuses, resumed, rejections, passed: till.passed, repairs, unended };
  } finally {
    await service.close();
  }
}

type Session = {
  service: FaultyService;
  place: Place;
  past: Past | undefined;
  /** Whom the service tells of requests. */
  heard: { request: () => void };
  idleMs: number;
};

async function takeAll(
  sitting: Sitting,
  { service, place, past, heard, idleMs }: Session,
): Promise<{ statuses: readonly Status[]; unended: number }> {
  const { ceiling, price, steps, tokens, ms, context, tasks, cancel } = sitting;
  service.till.open(ceiling, price);
  const control = new AbortController();
  let requests = 0;
  heard.request = () => {
    requests += 1;
    if (requests !== cancel?.request) return;
    if (cancel.afterMs === 0) control.abort();
    else setTimeout(() => control.abort(), cancel.afterMs);
  };
  let stops = 0;
  const log = openLog({ id: "test", file: place.file, earlier: past });
  const tools = [
    readFile,
    editFile,
    writeFile,
    explore,
    ...oddTools,
    stoppingTool(cancel === undefined ? undefined : control),
  ];
  const turns = openTurns(
    {
      root: place.root,
      gate: codeGate({ yes: true }),
      model: service.model(context, idleMs),
      price,
      session: log,
      past,
      budget: { dollars: ceiling, steps, tokens, ms },
      retry: { attempts: 4, sleep: async (_, signal) => signal.throwIfAborted() },
      emit: (event: Event) => (stops += event.type === "stop" ? 1 : 0),
    },
    {
      assembly: { system: [{ type: "text", text: "Be brief." }], checks: [] },
      budget: { steps, tokens, ms },
      maxTokens: 4_000,
      exploring: {
        assembly: { system: [{ type: "text", text: "Look." }], tools: [readFile, ...oddTools], checks: [citations()] },
        budget: { steps: 4, tokens: 100_000, ms: 60_000 },
        maxTokens: 2_000,
      },
    },
    (options) => openDoors(options, { policy: codePolicy([], place.root), tools, ledger: createLedger() }),
  );
  const statuses: Status[] = [];
  try {
    for (const task of tasks) {
      const { status } = await turns.take(task, control.signal);
      statuses.push(status);
      if (status === "cancelled" || status === "timeout") break;
    }
  } finally {
    await turns.close();
    log.close();
  }
  return { statuses, unended: statuses.length - stops };
}

/** During which the person cancels, if they do. */
function stoppingTool(control: AbortController | undefined): Tool {
  return defineTool({
    name: "stopping",
    description: "Stops.",
    input: z.object({}),
    effect: "execute",
    async run(_, { signal }) {
      control?.abort();
      signal.throwIfAborted();
      return textResult("Nobody stopped it.");
    },
  });
}
