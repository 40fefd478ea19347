/** `croft tool`: the very tools a model gets, behind the same doors, rules and gate, for people and programs. */

import { isUtf8 } from "node:buffer";
import { asFailure, messageOf, type ImageBlock, type Doors, type TextBlock } from "@croft/harness";
import { parseArguments } from "../arguments.ts";
import { chooseRoot, currentFolder } from "../config/root.ts";
import { exitCodes, exitError } from "../exit.ts";
import type { Io } from "../io.ts";
import { linesOf } from "../lines.ts";
import { escapeLine, escapeText } from "../ui/escape.ts";
import { jsonLine } from "../ui/json.ts";
import { UsageError } from "../usage.ts";
import { codingOptions, grantsOf } from "../session/coding.ts";
import { openCodingTools } from "./open-tools.ts";
import { toolsNamed } from "./turn.ts";

/** Single calls are not verified. */
const { verify: _verify, "no-verify": _noVerify, ...leaving } = codingOptions;
const options = {
  dir: { type: "string", short: "C" },
  json: { type: "boolean" },
  ...leaving,
  "no-project-config": { type: "boolean" },
} as const;

/** Bytes of a line that holds a call. */
const longestCall = 1_000_000;

type Answer = Awaited<ReturnType<Doors["call"]>>;
/** `input`: JSON. */
type Call = { name: string; input: string };
type Format = { json: boolean };

/** Lists the tools (no name), serves calls from stdin (`-`), or makes one call. The exit code. Throws UsageError. */
export async function tool(args: readonly string[], io: Io): Promise<number> {
  const { values, positionals } = parseArguments("tool", args, options);
  const [name, input = "{}", ...more] = positionals;
  const json = values.json === true;
  if (more.length > 0) throw new UsageError("E_ARGUMENTS", "There are too many arguments.", "Put the input in quotes.");
  const root = chooseRoot({ asked: values.dir, cwd: currentFolder(), home: io.environment.home });
  const tools = await openCodingTools(
    {
      root,
      project: values["no-project-config"] !== true,
      grants: grantsOf(values),
      tools: toolsNamed(values.tools),
      name: name === "-" ? undefined : name,
      trusting: name !== "-",
      task: `croft tool ${name ?? ""}`,
    },
    io,
  );
  try {
    if (name === undefined) return list(tools, { json }, io);
    if (name === "-") return await serve(tools, io);
    return await callOne(tools, { name, input, json }, io);
  } finally {
    await tools.close();
  }
}

function list({ tools }: Doors, { json }: Format, io: Io): number {
  for (const { name, description, schema } of tools) {
    io.out.write(json ? jsonLine({ name, description, schema }) : `${name}: ${description.split("\n", 1)[0] ?? ""}\n`);
  }
  return 0;
}

async function callOne(tools: Doors, { name, input, json }: Call & Format, io: Io): Promise<number> {
  const answer = await tools.call(name, parseInput(input), io.signal);
  io.out.write(json ? jsonLine(answer) : `${escapeText(textOf(answer))}\n`);
  if (io.signal.aborted) return exitCodes.cancelled;
  return answer.ok ? 0 : exitError;
}

/**
 * One line of JSON in, one out, in order, in one session. A bad line is answered like a failed call, and the next one
 * read.
 */
async function serve(tools: Doors, io: Io): Promise<number> {
  const stdin = io.stdin();
  const stop = (): unknown => stdin.destroy();
  io.signal.addEventListener("abort", stop);
  try {
    for await (const line of linesOf(stdin, longestCall)) {
      if (line?.toString().trim() === "") continue;
      io.out.write(jsonLine(await answerLine(tools, line, io.signal)));
      await io.out.flushed();
    }
  } catch (error) {
    if (!io.signal.aborted) throw error;
  } finally {
    stdin.destroy();
  }
  return io.signal.aborted ? exitCodes.cancelled : 0;
}

async function answerLine(tools: Doors, line: Buffer | undefined, signal: AbortSignal): Promise<Answer> {
  if (line === undefined) return failed(`The line is longer than ${longestCall} bytes.`);
  if (!isUtf8(line)) return failed("The line is not UTF-8.");
  try {
    const call: unknown = JSON.parse(line.toString());
    if (typeof call !== "object" || call === null || !("name" in call) || typeof call.name !== "string") {
      return failed('A line must be an object like {"name":"read_file","input":{"path":"README.md"}}.');
    }
    return await tools.call(call.name, "input" in call ? call.input : {}, signal);
  } catch (error) {
    return failed(error instanceof SyntaxError ? `The line is not JSON: ${error.message}` : asFailure(error).narration);
  }
}

function failed(text: string): Answer {
  return { ok: false, content: [{ type: "text", text }] };
}

function parseInput(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    const reason = messageOf(cause);
    const example = `Write it like this: croft tool read_file '{"path":"README.md"}'`;
    throw new UsageError("E_NOT_JSON", `The input is not JSON: ${reason}.`, example, cause);
  }
}

function textOf({ content }: Answer): string {
  return content.map((block: TextBlock | ImageBlock) => (block.type === "text" ? block.text : image(block))).join("\n");
}

function image({ mediaType, base64 }: ImageBlock): string {
  return `[${escapeLine(mediaType)}, ${base64.length} characters of base64]`;
}
