/** Many steps of reading against a model that answers at once: time a step, memory, and how both and the disk grow. */

import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { mkdirSync, readdirSync, statSync } from "node:fs";
import { IncomingMessage } from "node:http";
import { join } from "node:path";
import { call, say, startChatServer, startMessagesServer } from "@croft/harness/testing";
import { bareNode, croft, ended, median, peakOf, run, versus, type Command, type Place, type Row } from "./measure.ts";

const few = 50;
const many = 200;

/** `ms`: from the answer of a step to the arrival of the next request, whole; `bytes`: of that request. */
type Step = { ms: number; bytes: number };
/** The clock runs from `answered` to the arrival of the next request. */
type Watch = { answered: () => void; start: () => void; stop: () => Step[] };
type Provider = {
  name: string;
  watch: Watch;
  command: (limit: number, home: string) => Command;
  close(): Promise<void>;
};

export async function fiftySteps({ project, home }: Place): Promise<Row[]> {
  const rows: Row[] = [];
  for (const open of [messages, chat]) {
    const provider = await open(project);
    const command = provider.command(few, home);
    const steps = await bestOf(3, () => stepsOf(provider, command));
    const peak = await versus(peakOf, command, bareNode(project), 3);
    await provider.close();
    rows.push(
      {
        what: `time a step, ${few} reads over ${provider.name}`,
        value: msOf(steps),
        unit: "ms",
        budget: 5,
        detail: `median of the best run of 3; slowest ${Math.max(...steps.map(({ ms }) => ms)).toFixed(1)} ms`,
      },
      {
        what: `peak memory of ${few} steps over ${provider.name}`,
        value: peak.ratio,
        unit: "x node",
        budget: 2.8,
        detail: mib(peak),
      },
    );
  }
  const offline = croft(["ask", "--model", "offline", "Where is `value1` defined?"], project, home);
  const inProcess = await versus(peakOf, offline, bareNode(project), 3);
  rows.push({
    what: "peak memory of a run, model in process",
    value: inProcess.ratio,
    unit: "x node",
    budget: 2.2,
    detail: mib(inProcess),
  });
  return rows;
}

/**
 * What a step costs is bounded by the size of its request, and what is kept on disk grows with the steps and no faster.
 */
export async function growth({ project, home }: Place): Promise<Row[]> {
  const provider = await messages(project);
  const traceOf = async (limit: number): Promise<{ bytes: number; steps: Step[] }> => {
    const own = join(home, `of-${limit}`);
    mkdirSync(own);
    const steps = await stepsOf(provider, provider.command(limit, own));
    const traces = join(own, ".local", "state", "croft", "traces");
    return { bytes: readdirSync(traces).reduce((sum, name) => sum + statSync(join(traces, name)).size, 0), steps };
  };
  const short = await traceOf(few);
  const long = await traceOf(many);
  await provider.close();
  const middle = long.steps.slice(many / 4, many / 2);
  const last = long.steps.slice(-many / 4);
  return [
    {
      what: `growth of a step's time against that of its request, ${many} steps`,
      value: msOf(last) / msOf(middle) / (bytesOf(last) / bytesOf(middle)),
      unit: "x request",
      budget: 1,
      detail: `${msOf(middle).toFixed(1)} ms at ${kib(bytesOf(middle))}, ${msOf(last).toFixed(1)} ms at ${kib(bytesOf(last))}`,
    },
    {
      what: `disk of ${many} steps against ${many / few} times that of ${few}`,
      value: long.bytes / short.bytes / (many / few),
      unit: "x linear",
      budget: 1.1,
      detail: `${kib(long.bytes)} against ${kib(short.bytes)}`,
    },
  ];
}

const question = "Read it.";

/** Another file at each step: a call that is repeated too often would end the turn. */
const nextCall = (step: number): ReturnType<typeof call> =>
  call("read_file", { path: `src/file-${step}.ts`, limit: 20 });

function reads(steps: number, { project, home }: Place, model: string, env: Record<string, string>): Command {
  const args = ["ask", question, "--model", model, "--max-turns", String(steps + 1), "--max-tokens", "100000000"];
  return croft(args, project, home, env);
}

async function messages(project: string): Promise<Provider> {
  let limit = 0;
  const watch = watchSteps();
  const server = await startMessagesServer({
    apiKey: null,
    script: ({ messages: said }) => {
      const step = (said.length + 1) / 2;
      watch.answered();
      return step > limit ? say("Read.") : nextCall(step);
    },
  });
  return {
    name: "Messages",
    watch,
    command(steps, home) {
      limit = steps;
      return reads(steps, { project, home }, "anthropic/claude-opus-5-5", { ANTHROPIC_BASE_URL: server.url });
    },
    close: () => server.close(),
  };
}

async function chat(project: string): Promise<Provider> {
  let limit = 0;
  const watch = watchSteps();
  const server = await startChatServer({
    apiKey: null,
    script: ({ messages: said }) => {
      const step = said.filter(({ role }) => role === "assistant").length + 1;
      watch.answered();
      return step > limit ? say("Read.") : nextCall(step);
    },
  });
  return {
    name: "Chat Completions",
    watch,
    command(steps, home) {
      limit = steps;
      return reads(steps, { project, home }, "openai/test", { OPENAI_BASE_URL: server.url });
    },
    close: () => server.close(),
  };
}

async function stepsOf({ watch }: Provider, command: Command): Promise<Step[]> {
  watch.start();
  await ended(run(command), command);
  return watch.stop();
}

async function bestOf(runs: number, steps: () => Promise<Step[]>): Promise<Step[]> {
  let best = await steps();
  for (let n = 1; n < runs; n++) {
    const more = await steps();
    if (msOf(more) < msOf(best)) best = more;
  }
  return best;
}

function msOf(steps: readonly Step[]): number {
  return median(steps.map(({ ms }) => ms));
}

function bytesOf(steps: readonly Step[]): number {
  return median(steps.map(({ bytes }) => bytes));
}

/** The clock stands still while the server, which has no harness in it, reads and judges a request. */
function watchSteps(): Watch {
  let steps: Step[] = [];
  let answeredAt: number | undefined;
  const started = (message: unknown): void => {
    const request = requestIn(message);
    request?.once("end", () => {
      const bytes = Number(request.headers["content-length"]);
      if (answeredAt !== undefined) steps.push({ ms: performance.now() - answeredAt, bytes });
    });
  };
  return {
    answered: () => (answeredAt = performance.now()),
    start() {
      steps = [];
      answeredAt = undefined;
      subscribe("http.server.request.start", started);
    },
    stop() {
      unsubscribe("http.server.request.start", started);
      return steps;
    },
  };
}

function requestIn(message: unknown): IncomingMessage | undefined {
  if (typeof message !== "object" || message === null || !("request" in message)) return undefined;
  return message.request instanceof IncomingMessage ? message.request : undefined;
}

function mib({ measured, floor }: { measured: number; floor: number }): string {
  return `${measured.toFixed(0)} MiB against ${floor.toFixed(0)}`;
}

function kib(bytes: number): string {
  return `${(bytes / 1024).toFixed(0)} KiB`;
}
