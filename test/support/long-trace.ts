/** A trace as a session of days leaves it, of any size, written by the log itself. */

import { openLog, type Event, type Usage } from "@croft/harness";

const words =
  "the parser keeps each token until its line is done so that errors can name both ends of what was meant".split(" ");
const price = { input: 4e-6, cacheRead: 0.2e-6, cacheWrite: 5e-6, output: 20e-6 };

export type LongTrace = { steps: number; turns: number };

/** Writes turns of a coding session until there are so many bytes. What it holds. */
export function writeLongTrace(file: string, bytes: number, stepsOfTurn: number = 12): LongTrace {
  let now = 0;
  let written = 0;
  const log = openLog({ id: "20261130T170024Z-3f9a1c", file, now: () => now });
  const made: LongTrace = { steps: 0, turns: 0 };
  const random = createRandom();

  function add(event: Event, ms: number = 1): void {
    now += ms;
    written += JSON.stringify(event).length;
    log.append(event);
  }

  while (written < bytes) {
    made.turns += 1;
    add({
      type: "start",
      session: log.id,
      root: "/home/ada/parser",
      model: "anthropic/claude-opus-5-5",
      task: `Make error ${made.turns} name the token, not the line.`,
    });
    add({
      type: "message",
      message: {
        role: "user",
        content: [{ type: "text", text: `Make error ${made.turns} name the token, not the line.` }],
      },
    });
    let context = 3_000;
    const whole: Usage = { input: 0, cacheRead: 0, cacheWrite: 0, output: 0 };
    for (let step = 1; step <= stepsOfTurn; step++) {
      made.steps += 1;
      const isLast = step === stepsOfTurn;
      const usage = { input: 2, cacheRead: context, cacheWrite: 400 + random(4_000), output: 100 + random(900) };
      context += usage.cacheWrite + usage.output;
      for (const counter of ["input", "cacheRead", "cacheWrite", "output"] as const) whole[counter] += usage[counter];
      add(
        { type: "step", step, usage, dollars: dollarsOf(usage), stop: isLast ? "end_turn" : "tool_use" },
        1_500 + random(9_000),
      );
      if (isLast) break;
      for (const event of stepOf(made.steps, random))
        add(event, event.type === "tool_result" || event.type === "decision" ? random(1_200) : 1);
    }
    const answer = `The error now names the token (\`src/error.ts:12\`).\n\n- \`describe\` is at src/error.ts:12\n- it is **called** by src/parse.ts:40`;
    add({ type: "message", message: { role: "assistant", content: [{ type: "text", text: answer }], origin } });
    add({ type: "check", name: "verify", result: { pass: true, note: "`npm test` passed" } }, 4_000 + random(9_000));
    add({
      type: "lines",
      path: "src/error.ts",
      from: 9,
      to: 15,
      found: { path: "src/error.ts", lines: ["export function describe(token: Token): string {"], total: 40 },
    });
    add({ type: "citation", ref: "src/error.ts:12", state: "verified" });
    add({
      type: "citation",
      ref: "src/parse.ts:40",
      state: made.turns % 3 === 0 ? "broken" : "verified",
      ...(made.turns % 3 === 0 && { reason: "the file has only 38 lines" }),
    });
    add({ type: "check", name: "citations", result: { pass: true } });
    add({
      type: "stop",
      status: made.turns % 5 === 4 ? "max_turns" : "done",
      steps: stepsOfTurn,
      usage: whole,
      dollars: dollarsOf(whole),
      answer,
    });
  }
  log.close();
  return made;
}

const origin = { provider: "anthropic", model: "claude-opus-5-5" };

function dollarsOf(usage: Usage): number {
  return (
    usage.input * price.input +
    usage.cacheRead * price.cacheRead +
    usage.cacheWrite * price.cacheWrite +
    usage.output * price.output
  );
}

/** One reply with its calls, each kind in its turn. */
function stepOf(step: number, random: (most: number) => number): Event[] {
  const id = `toolu_${step}`;
  const path = `src/part-${random(60)}.ts`;
  const text = Array.from({ length: 60 + random(200) }, (_, line) => `${line + 1}\t${sentence(random)}`).join("\n");
  const kind = step % 4;
  const [name, input, decision, ok] = (
    [
      ["search", { pattern: "describe\\(", path: "src" }, reading(path), true],
      ["read_file", { path }, reading(path), step % 13 !== 0],
      ["edit_file", { path, old_string: "line.number", new_string: "token.text" }, writing(path), true],
      ["run_command", { argv: ["npm", "test", "--", path] }, running(path), true],
    ] as const
  )[kind] ?? ["search", {}, reading(path), true];
  const preview = ok ? `${path}: lines 1-200 of 200` : `${path} has only 38 lines. Use an offset of 1 to 38.`;
  const result = ok ? text : preview;
  const details =
    kind === 3 ? { timedOut: false, code: step % 8 === 3 ? 1 : 0, signal: null, left: 0, notices: [] } : undefined;
  const landed =
    kind === 2 ? [{ path, before: "a", after: "b", hunks: [{ from: 12, removed: 1, to: 12, added: 2 }] }] : undefined;
  return [
    {
      type: "message",
      message: {
        role: "assistant",
        content: [
          {
            type: "opaque",
            raw: { type: "thinking", thinking: `${sentence(random)}. ${sentence(random)}.`, signature: "c2ln" },
          },
          ...(step % 3 === 0
            ? [{ type: "text" as const, text: `I look at \`${path}\` next: ${sentence(random)}.` }]
            : []),
          { type: "tool_use", id, name, input },
        ],
        origin,
      },
    },
    { type: "tool_call", id, name, input },
    decision,
    { type: "tool_result", id, name, ok, chars: result.length, preview, landed, details },
    {
      type: "message",
      message: {
        role: "user",
        content: [{ type: "tool_result", toolUseId: id, content: [{ type: "text", text: result }], isError: !ok }],
      },
    },
  ];
}

type Decision = Extract<Event, { type: "decision" }>;
const verdict = { decision: "allow", rule: "project files" } as const;

function reading(path: string): Decision {
  return {
    type: "decision",
    action: { kind: "read", asked: path, path, verdict },
    verdict: { allowed: true, by: "rule" },
  };
}

function writing(path: string): Decision {
  const diff = `--- a/${path}\n+++ b/${path}\n@@ -10,5 +10,6 @@\n   const before = read(tokens);\n   if (before === undefined) return;\n-  throw new Error(\`line \${line.number}\`);\n+  throw new Error(\`token \${token.text}\`);\n+  // and where it ends\n }\n \n`;
  return {
    type: "decision",
    action: { kind: "write", changes: [{ asked: path, path, verdict, change: "update", diff }] },
    verdict: { allowed: true, by: "person" },
  };
}

function running(path: string): Decision {
  const rule = { decision: "allow", rule: "`npm test`: the rule `npm test` (allow)", profile: "plain" } as const;
  return {
    type: "decision",
    action: {
      kind: "run",
      command: ["npm", "test", "--", path],
      cwd: ".",
      verdict: rule,
      enclosed: true,
      hosts: [],
      programs: [],
    },
    verdict: { allowed: true, by: "rule" },
  };
}

function sentence(random: (most: number) => number): string {
  return Array.from({ length: 6 + random(9) }, () => words[random(words.length)]).join(" ");
}

/** The same numbers every time: whole ones below `most`. */
function createRandom(): (most: number) => number {
  let state = 42;
  return (most) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * most);
  };
}
