/** From the shell's Enter to the first thing that happens. */

import { say, startMessagesServer } from "@croft/harness/testing";
import { bareNode, croft, ended, run, versus, wallOf, type Command, type Place, type Row } from "./measure.ts";

const runs = 15;

export async function startUp({ project, home }: Place): Promise<Row[]> {
  const node = bareNode(project);
  const version = await versus(wallOf, croft(["--version"], project, home), node, runs);
  const offline = await versus(
    untilFirstWords,
    croft(["ask", "--model", "offline", "--json", "Hello?"], project, home),
    node,
    runs,
  );
  const http = await firstRequest({ project, home }, node);
  return [
    {
      what: "croft --version",
      value: version.ratio,
      unit: "x node",
      budget: 1.3,
      detail: `${version.measured.toFixed(0)} ms against ${version.floor.toFixed(0)}`,
    },
    {
      what: "croft ask up to the first request, model in process",
      value: offline.ratio,
      unit: "x node",
      budget: 2,
      detail: `${offline.measured.toFixed(0)} ms against ${offline.floor.toFixed(0)}`,
    },
    {
      what: "croft ask up to the first request, over HTTP",
      value: http.ratio,
      unit: "x node",
      budget: 3.5,
      detail: `${http.measured.toFixed(0)} ms against ${http.floor.toFixed(0)}`,
    },
  ];
}

/** Milliseconds until the first event, told just before the model is asked. `node -e 0` says nothing: until its end. */
async function untilFirstWords(command: Command): Promise<number> {
  const began = performance.now();
  let spoke: number | undefined;
  const child = run(command);
  child.stdout?.on("data", () => (spoke ??= performance.now()));
  await ended(child, command);
  return (spoke ?? performance.now()) - began;
}

/** Until the request has arrived whole. */
async function firstRequest({ project, home }: Place, node: Command): ReturnType<typeof versus> {
  let arrived: number | undefined;
  const server = await startMessagesServer({
    apiKey: null,
    script: () => {
      arrived = performance.now();
      return say("Hello.");
    },
  });
  const command = croft(["ask", "Hello?"], project, home, { ANTHROPIC_BASE_URL: server.url });
  const untilRequest = async (measured: Command): Promise<number> => {
    arrived = undefined;
    const began = performance.now();
    await ended(run(measured), measured);
    return (arrived ?? performance.now()) - began;
  };
  const times = await versus(untilRequest, command, node, runs);
  await server.close();
  return times;
}
