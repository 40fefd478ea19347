/** From the shell's Enter to the first thing that happens. */

import { say, startMessagesServer } from "@croft/harness/testing";
import { bareNode, croft, ended, median, run, versus, wallOf, type Command, type Place, type Row } from "./measure.ts";

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
  const http = await firstRequest({ project, home });
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
      value: http / offline.floor,
      unit: "x node",
      budget: 3.5,
      detail: `${http.toFixed(0)} ms against ${offline.floor.toFixed(0)}`,
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

/** Milliseconds from the start of the process until the request has arrived whole: the median. */
async function firstRequest({ project, home }: Place): Promise<number> {
  let began = 0;
  const times: number[] = [];
  const server = await startMessagesServer({
    apiKey: null,
    script: () => {
      times.push(performance.now() - began);
      return say("Hello.");
    },
  });
  const command = croft(["ask", "Hello?"], project, home, { ANTHROPIC_BASE_URL: server.url });
  for (let n = 0; n <= runs; n++) {
    began = performance.now();
    await ended(run(command), command);
  }
  await server.close();
  return median(times.slice(1));
}
