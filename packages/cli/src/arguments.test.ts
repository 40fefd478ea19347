import { expect, test } from "vitest";
import { count, dollars, parseArguments, secondsInMs } from "./arguments.ts";
import { UsageError } from "./usage.ts";

const options = { dir: { type: "string", short: "C" }, json: { type: "boolean" } } as const;

test("options stand anywhere, and what follows -- is no option", () => {
  const { values, positionals } = parseArguments(
    "ask",
    ["where", "--json", "is", "-C", "lib", "it", "--", "--dir"],
    options,
  );
  expect([{ ...values }, positionals]).toEqual([{ json: true, dir: "lib" }, ["where", "is", "it", "--dir"]]);
});

test.each([[["--wat"]], [["-x"]]])("%j is no option, and those that there are are named", (args) => {
  expect(() => parseArguments("ask", args, options)).toThrow(
    expect.objectContaining({ code: "E_ARGUMENTS", remedy: "It takes --dir, --json. See croft ask --help." }),
  );
});

test("an option that is nearly one asks whether that is meant", () => {
  expect(() => parseArguments("ask", ["--jsno"], options)).toThrow(
    expect.objectContaining({ remedy: "Did you mean --json? See croft ask --help." }),
  );
});

test("a value that looks like an option is told in one line", () => {
  expect(() => parseArguments("ask", ["--dir", "-1"], options)).toThrow(
    expect.objectContaining({ message: "Option '--dir' argument is ambiguous.", remedy: "See croft ask --help." }),
  );
});

test.each([[["--dir"]], [["--json=1"]]])("%j is the person's mistake, and says where to look", (args) => {
  expect(() => parseArguments("ask", args, options)).toThrow(
    expect.objectContaining({ code: "E_ARGUMENTS", remedy: "See croft ask --help." }),
  );
});

test("limits are read", () => {
  expect([count("n", "12"), dollars("d", "0"), dollars("d", ".5"), secondsInMs("s", "1.5")]).toEqual([
    12, 0, 0.5, 1500,
  ]);
});

test("a limit that is not given is none", () => {
  expect([count("n", undefined), dollars("d", undefined), secondsInMs("s", undefined)]).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
});

test.each([
  [count, ["0", "-1", "1.5", "1e3", "", " 1", "ten", "9".repeat(20)]],
  [dollars, ["-1", "1e3", "", "$1", "Infinity", "0x10", "."]],
  [secondsInMs, ["0", "-1", "", "1 h", "NaN"]],
] as const)("what is no limit is refused", (read, texts) => {
  for (const text of texts) expect(() => read("limit", text), text).toThrow(UsageError);
});
