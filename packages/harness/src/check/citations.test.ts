import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { growth, linear } from "../../../../test/support/growth.ts";
import type { Event } from "../event.ts";
import type { Ledger } from "../workspace/ledger.ts";
import type { Turn } from "./check.ts";
import { citations } from "./citations.ts";

const files: Readonly<Record<string, string>> = {
  "src/agent/loop.ts": numbered(20, { 5: "export function runTurn() {", 12: "  await askModel(view);" }),
  "src/agent/index.ts": numbered(4, {}),
  "src/tool/index.ts": numbered(9, {}),
  "docs/my file.md": numbered(3, {}),
  Makefile: numbered(4, { 3: "build: all" }),
  app: numbered(5, {}),
  "empty.ts": "",
};

function numbered(count: number, special: Readonly<Record<number, string>>): string {
  return Array.from({ length: count }, (_, at) => special[at + 1] ?? `// line ${at + 1}`).join("\n");
}

/** Everything was shown, but for the lines named (`path:line`) and the files named. */
function turnThatSays(text: string, unseen: readonly string[] = []): Turn {
  const hidden = new Set(unseen);
  const ledger: Ledger = {
    has: (path, line) => !hidden.has(path) && !hidden.has(`${path}:${line}`),
    paths: () => Object.keys(files).filter((path) => !hidden.has(path)),
    seen: () => "current",
  };
  return {
    answer: text,
    ledger,
    async lines(path, from, to) {
      const inside = path.replace(/^\/root\//, "");
      const text = Object.hasOwn(files, inside) ? files[inside] : undefined;
      if (text === undefined) return undefined;
      const all = text === "" ? [] : text.split("\n");
      return { path: inside, lines: all.slice(from - 1, to), total: all.length };
    },
  };
}

async function run(turn: Turn): Promise<{ events: Event[]; result: unknown }> {
  const events: Event[] = [];
  const result = await citations().run(turn, (event) => events.push(event), new AbortController().signal);
  return { events, result };
}

/** `ref state`, with the reason where there is one. */
async function verdicts(text: string, unseen?: readonly string[]): Promise<string[]> {
  const { events } = await run(turnThatSays(text, unseen));
  return events.map((event) => {
    if (event.type !== "citation") return event.type;
    return `${event.ref} ${event.state}${event.reason === undefined ? "" : `: ${event.reason}`}`;
  });
}

describe("each citation", () => {
  test.each([
    ["src/agent/loop.ts:12", "src/agent/loop.ts:12 verified"],
    ["./src/agent/loop.ts:12", "src/agent/loop.ts:12 verified"],
    ["src/agent/loop.ts#L3-L9", "src/agent/loop.ts:3-9 verified"],
    ["/root/src/agent/loop.ts:20", "/root/src/agent/loop.ts:20 verified"],
    ["src/agent/loop.ts:21", "src/agent/loop.ts:21 broken: the file has only 20 lines"],
    ["src/agent/loop.ts:18-21", "src/agent/loop.ts:18-21 broken: the file has only 20 lines"],
    ["src/agent/loop.ts:0", "src/agent/loop.ts:0 broken: lines are counted from 1"],
    ["src/agent/loop.ts:9-3", "src/agent/loop.ts:9-3 broken: the range runs backwards"],
    ["empty.ts:1", "empty.ts:1 broken: the file has only 0 lines"],
    ["src/gone.ts:1", "src/gone.ts:1 broken: there is no such file to read"],
    ["gone.ts:1", "gone.ts:1 broken: there is no such file to read"],
    ["/etc/x.conf:1", "/etc/x.conf:1 broken: there is no such file to read"],
    ["loop.ts:12", "loop.ts:12 verified"],
    ["agent/loop.ts:12", "agent/loop.ts:12 verified"],
    ["op.ts:12", "op.ts:12 broken: there is no such file to read"],
    ["index.ts:3", "index.ts:3 broken: it may mean src/agent/index.ts, src/tool/index.ts: write the whole path"],
    ["`docs/my file.md:3`", "docs/my file.md:3 verified"],
    ["in docs/my file.md:3", "file.md:3 verified"],
    ["[notes](docs/my%20file.md#L3)", "docs/my file.md:3 verified"],
    ["在src/agent/loop.ts:3中", "src/agent/loop.ts:3 verified"],
    ["Makefile:3", "Makefile:3 verified"],
    ["Makefile:30", "Makefile:30 broken: the file has only 4 lines"],
    ["app:5", "app:5 verified"],
  ])("%s", async (text, verdict) => {
    expect(await verdicts(text)).toEqual([verdict]);
  });

  test.each(["app:3000", "Rakefile:3", "localhost:3000", "console.log:3", "constructor:1", "no citation"])(
    "%s is none",
    async (text) => {
      expect(await verdicts(text)).toEqual([]);
    },
  );

  test("a line never shown is unseen, alone and in a range", async () => {
    expect(await verdicts("Makefile:3 and src/agent/loop.ts:2-9.", ["Makefile:3", "src/agent/loop.ts:7"])).toEqual([
      "Makefile:3 unseen: never shown to the model",
      "src/agent/loop.ts:2-9 unseen: line 7 was never shown to the model",
    ]);
  });

  test("a short name means only what was shown, and of several the one shown at that line", async () => {
    expect(await verdicts("loop.ts:12", ["src/agent/loop.ts"])).toEqual([
      "loop.ts:12 broken: there is no such file to read",
    ]);
    expect(await verdicts("index.ts:3", ["src/agent/index.ts:3"])).toEqual(["index.ts:3 verified"]);
    expect(await verdicts("index.ts:3", ["src/agent/index.ts"])).toEqual(["index.ts:3 verified"]);
  });

  test("each place is told once, in order of appearance, however it is written", async () => {
    expect(
      await verdicts(
        "Makefile:3, then loop.ts:12; `src/agent/loop.ts:12`, [x](src/agent/loop.ts#L12), Makefile:3-4, Makefile:3.",
      ),
    ).toEqual(["Makefile:3 verified", "loop.ts:12 verified", "Makefile:3-4 verified"]);
  });
});

describe("the names in a sentence", () => {
  test.each([
    ["`runTurn` is at src/agent/loop.ts:5.", "verified"],
    ["`runTurn` is at src/agent/loop.ts:8.", "verified"],
    ["`runTurn()` is at src/agent/loop.ts:2.", "verified"],
    ["`runTurn` is at src/agent/loop.ts:9-20.", "mismatch: runTurn not within 3 lines"],
    ["`runTurn` is at src/agent/loop.ts:8-20.", "verified"],
    ["`Loop.runTurn` is at src/agent/loop.ts:5.", "verified"],
    ["`runTurn.call` is at src/agent/loop.ts:5.", "verified"],
    ["`Loop.run` is at src/agent/loop.ts:5.", "mismatch: Loop.run not within 3 lines"],
    ["`run` is at src/agent/loop.ts:5.", "mismatch: run not within 3 lines"],
    ["`gone` calls `runTurn` at src/agent/loop.ts:5.", "verified"],
    ["`gone` and `lost(x)` are at src/agent/loop.ts:5.", "mismatch: gone, lost(x) not within 3 lines"],
    ["`gone` is `await askModel` (src/agent/loop.ts:12).", "verified"],
    ["`gone` is elsewhere. Here is src/agent/loop.ts:5.", "verified"],
    ["`gone` goes on\nin the next line: src/agent/loop.ts:5", "mismatch: gone not within 3 lines"],
    ["`gone` (e.g. in src/agent/loop.ts:5)", "mismatch: gone not within 3 lines"],
    ["`gone` (e.g. Line five, src/agent/loop.ts:5)", "mismatch: gone not within 3 lines"],
    ["| `gone` | src/agent/loop.ts:5 |", "mismatch: gone not within 3 lines"],
    ["- `gone`\n- src/agent/loop.ts:5", "verified"],
    ["It returns `true` (src/agent/loop.ts:5).", "verified"],
    ["Run `npm test` (src/agent/loop.ts:5).", "verified"],
    ["`gone` is in `loop.ts` (src/agent/loop.ts:5).", "mismatch: gone not within 3 lines"],
    ["`gone` is in `src/agent/loop.ts:5`.", "mismatch: gone not within 3 lines"],
    ["`function` and `gone` (src/agent/loop.ts:5).", "mismatch: gone not within 3 lines"],
    ["In `src/agent/loop.ts` at `src/agent/loop.ts:5`.", "verified"],
    ["With `--flag` or `3` or `a-b` (src/agent/loop.ts:5).", "verified"],
  ])("%j", async (text, verdict) => {
    expect((await verdicts(text)).map((line) => line.replace(/^\S+ /, ""))).toEqual([verdict]);
  });

  test("one name near one of several cited lines vouches for the sentence", async () => {
    expect(await verdicts("`runTurn` is at Makefile:1 or src/agent/loop.ts:5.")).toEqual([
      "Makefile:1 verified",
      "src/agent/loop.ts:5 verified",
    ]);
  });

  test("what is broken or unseen says so rather than mismatch", async () => {
    expect(await verdicts("`gone` is at Makefile:3, Makefile:4 and src/gone.ts:1.", ["Makefile:3"])).toEqual([
      "Makefile:3 unseen: never shown to the model",
      "Makefile:4 mismatch: gone not within 3 lines",
      "src/gone.ts:1 broken: there is no such file to read",
    ]);
  });

  test("cited in two sentences, the worse claim is told in the first place", async () => {
    expect(await verdicts("src/agent/loop.ts:5 and Makefile:1. `gone` is at src/agent/loop.ts:5.")).toEqual([
      "src/agent/loop.ts:5 mismatch: gone not within 3 lines",
      "Makefile:1 verified",
    ]);
  });
});

describe("the result", () => {
  test("passes where nothing is broken, unseen and mismatch notwithstanding", async () => {
    const { result } = await run(turnThatSays("`gone` is at Makefile:3. src/agent/loop.ts:5", ["src/agent/loop.ts"]));
    expect(result).toEqual({ pass: true });
  });

  test("fails with a report that names each broken one, its reason and the next step", async () => {
    const { result } = await run(turnThatSays("Makefile:3, Makefile:9, src/$&.ts:1 and src/gone.ts:1-2."));
    expect(result).toEqual({
      pass: false,
      report: [
        "These citations in your answer do not hold:",
        "",
        "- Makefile:9: the file has only 4 lines",
        "- src/gone.ts:1-2: there is no such file to read",
        "",
        "Give the whole answer again, corrected. Look up the right lines and cite those, or leave out what you cannot show. " +
          "Do not mention this message.",
      ].join("\n"),
    });
  });

  test("the report stays small however many are broken", async () => {
    const text = Array.from({ length: 1_000 }, (_, at) => `src/gone${at}.ts:1`).join(" ");
    const { result } = await run(turnThatSays(text));
    expect(result).toMatchObject({ pass: false, report: expect.stringContaining("- and 960 more") });
    expect(JSON.stringify(result).length).toBeLessThan(4_000);
  });

  test("an aborted check neither passes nor fails", async () => {
    const events: Event[] = [];
    const turn = turnThatSays("src/gone.ts:3");
    const run = citations().run(turn, (event) => events.push(event), AbortSignal.abort(new Error("enough")));
    await expect(run).rejects.toThrow("enough");
    expect(events).toEqual([]);
  });

  test("the same lines are read once", async () => {
    const turn = turnThatSays("Makefile:3. Again Makefile:3, and Makefile:2-4.");
    const read: string[] = [];
    const lines: Turn["lines"] = (path, from, to) => {
      read.push(`${path} ${from}-${to}`);
      return turn.lines(path, from, to);
    };
    await run({ ...turn, lines });
    expect(read).toEqual(["Makefile 1-6", "Makefile 1-7"]);
  });

  test.each(["`gone` Makefile:3 ", "`a b` Makefile:3, ", "`((((` ", "`<` Makefile:1 "])(
    "time is linear in an endless sentence of %j",
    async (unit) => {
      expect(await growth((scale) => run(turnThatSays(unit.repeat(1_000 * scale))))).toBeLessThan(linear);
    },
  );

  test("time is linear in one endless code span", async () => {
    const text = (scale: number): string => `\`${"(".repeat(10_000 * scale)}\` Makefile:3`;
    expect(await growth((scale) => run(turnThatSays(text(scale))))).toBeLessThan(linear);
  });

  test("whatever the text: nothing is thrown, two runs agree, and it fails exactly where something is broken", async () => {
    const part = fc.constantFrom(
      ..."src/agent/loop.ts loop.ts Makefile src/gone.ts `runTurn` ` : :3 :99 -2 #L4 . , ( ) [ ]( \ud800 é".split(" "),
      "```\n",
      "\n",
      " ",
    );
    await fc.assert(
      fc.asyncProperty(fc.array(part, { maxLength: 30 }), async (parts) => {
        const { events, result } = await run(turnThatSays(parts.join("")));
        expect(await run(turnThatSays(parts.join("")))).toEqual({ events, result });
        const broken = events.some((event) => event.type === "citation" && event.state === "broken");
        expect(result).toEqual(broken ? { pass: false, report: expect.any(String) } : { pass: true });
      }),
      { numRuns: 500 },
    );
  });
});

describe("of an answer that cites without end, the first places are checked and the rest is counted", () => {
  const numbers = Array.from({ length: 150_000 }, (_, at) => at + 1);

  test.each([
    ["in code", `\`${numbers.map((line) => `app.ts:${line}`).join(" ")}\``],
    ["line after line of one file", `app.ts:${numbers.join(",")}`],
  ])("%s", async (_, text) => {
    const { events } = await run(turnThatSays(text));
    const places = events.filter(({ type }) => type === "citation");
    expect([places.length, events.at(-1)]).toEqual([
      1_000,
      {
        type: "notice",
        code: "citations_unchecked",
        text: "The answer cites more than is looked up: 149000 of its places were not checked.",
      },
    ]);
  });

  test("with more text than anybody looks at", async () => {
    const turn = turnThatSays(Array.from({ length: 30 }, (_, at) => `big.ts:1-${at + 1}`).join(" "));
    const line = "x".repeat(2_000_000);
    const lines: Turn["lines"] = async (path, from, to) => {
      return { path, lines: Array.from({ length: to - from + 1 }, () => line), total: 99 };
    };
    const { events } = await run({ ...turn, lines });
    expect(events.map((event) => (event.type === "citation" ? event.ref : event.type))).toEqual([
      "big.ts:1",
      "big.ts:1-2",
      "big.ts:1-3",
      "notice",
    ]);
  });
});
