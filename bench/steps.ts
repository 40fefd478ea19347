/** Fifty steps of reading against a model that answers at once: the time between its answer and the next request, and memory. */

import { call, say, startMessagesServer } from "@croft/harness/testing";
import { bareNode, croft, ended, median, peakOf, run, versus, type Place, type Row } from "./measure.ts";

const steps = 50;
const limits = ["--max-turns", String(steps + 1), "--max-tokens", "100000000"];

export async function fiftySteps({ project, home }: Place): Promise<Row[]> {
  let answered = 0;
  let gaps: number[] = [];
  const server = await startMessagesServer({
    apiKey: null,
    script: ({ messages }) => {
      const n = (messages.length + 1) / 2;
      if (n > 1) gaps.push(performance.now() - answered);
      answered = performance.now();
      return n > steps ? say("Read.") : call("read_file", { path: "src/file-1.ts", offset: n, limit: 20 });
    },
  });
  const command = croft(["ask", "Read it.", ...limits], project, home, { ANTHROPIC_BASE_URL: server.url });
  await ended(run(command), command);
  gaps = [];
  await ended(run(command), command);
  const measured = [...gaps]; // the runs that follow measure memory
  const http = await versus(peakOf, command, bareNode(project), 3);
  await server.close();

  const offline = croft(["ask", "--model", "offline", "Where is `value1` defined?"], project, home);
  const inProcess = await versus(peakOf, offline, bareNode(project), 3);
  const mib = ({ measured, floor }: { measured: number; floor: number }): string =>
    `${measured.toFixed(0)} MiB against ${floor.toFixed(0)}`;
  return [
    {
      what: `time per step over ${measured.length} steps over HTTP, the server's own included`,
      value: median(measured),
      unit: "ms",
      budget: 5,
      detail: `median; slowest ${Math.max(...measured).toFixed(1)} ms`,
    },
    {
      what: "peak memory of a run, model in process",
      value: inProcess.ratio,
      unit: "x node",
      budget: 2.2,
      detail: mib(inProcess),
    },
    {
      what: `peak memory of ${steps} steps over HTTP`,
      value: http.ratio,
      unit: "x node",
      budget: 2.8,
      detail: mib(http),
    },
  ];
}
