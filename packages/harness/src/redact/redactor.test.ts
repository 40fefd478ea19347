import fc from "fast-check";
import { expect, test } from "vitest";
import { Failure } from "../error.ts";
import { createRedactor } from "./redactor.ts";
import { inLine, keyBegin, keyEnd, samples } from "./samples.testing.ts";

const salt = Buffer.from("a salt of a session, for tests");
const password = "q7Vb2LxWm9RtZc4K";
const other = "Hn3Jd8Ws5Tg1Kp6Y";
const placeholder = createRedactor(salt).hide(`password="${password}"`).text.slice(10, -1);

/** Text with secrets here and there, ends of lines of every kind, and what looks like a placeholder. */
const pieces = fc.array(
  fc.oneof(
    fc
      .tuple(fc.constantFrom(...samples), fc.constantFrom(...inLine))
      .chain(([{ secret, around = ["", ""] }, line]) =>
        secret.map((word) => `${line[0]}${around[0]}${word}${around[1]}${line[1]}`),
      ),
    fc.string({ unit: "binary" }),
    fc.constantFrom(
      "\n",
      "\r\n",
      "\r",
      " ",
      String.raw`\xE9`,
      String.raw`\x5C`,
      placeholder,
      placeholder.slice(1, -3),
      "[secret:",
      password,
    ),
  ),
  { maxLength: 12 },
);
const texts = pieces.map((each) => each.join(""));
/** Apart from each other: beside a placeholder something may be a secret that was none within a longer word. */
const lines = pieces.map((each) => each.join("\n"));

function failureOf(run: () => unknown): unknown {
  try {
    return run();
  } catch (thrown) {
    return thrown instanceof Failure ? thrown.toJSON() : thrown;
  }
}

test("a secret is replaced by a placeholder in one line, which is the same for the same value", () => {
  const redactor = createRedactor(salt);
  const first = redactor.hide(`a\npassword = "${password}"\n`, "a.ini");
  expect(first).toEqual({ text: expect.stringMatching(/^a\npassword = "\[secret:value:[0-9a-f]{16}\]"\n$/), count: 1 });
  expect(redactor.hide(`DB_PASSWORD=${password}`)).toEqual({ text: `DB_PASSWORD=${placeholder}`, count: 1 });
  expect(redactor.hide(`DB_PASSWORD=${other}`).text).not.toContain(placeholder);
});

test("another session has other placeholders, a resumed one the same", () => {
  const text = `token: ${password}`;
  const [one, again, another] = [salt, salt, Buffer.from("of another session")].map((each) =>
    createRedactor(each).hide(text),
  );
  expect(again).toEqual(one);
  expect(another).not.toEqual(one);
});

test("a value that was found once is hidden wherever it stands, also before and where nothing tells what it is", () => {
  const redactor = createRedactor(salt);
  expect(redactor.hide(`${password}\npassword="${password}"\n`)).toEqual({
    text: `${placeholder}\npassword="${placeholder}"\n`,
    count: 2,
  });
  expect(redactor.hide(`it says ${password}!`)).toEqual({ text: `it says ${placeholder}!`, count: 1 });
});

test("a key of many lines counts as one secret and stays as many lines", () => {
  const lines = [keyBegin(), "q3Lk9xYw".repeat(8), "Zr8Tn2Vb".repeat(8), keyEnd(), ""];
  const hidden = createRedactor(salt).hide(lines.join("\n"));
  expect(hidden.count).toBe(1);
  expect(hidden.text.split("\n")).toEqual([
    lines[0],
    expect.stringMatching(/^\[secret:private-key:.*\]$/),
    expect.stringMatching(/^\[secret:private-key:.*\]$/),
    lines[3],
    "",
  ]);
});

test("hiding and revealing text of a file gives it back, and no line is won or lost", () => {
  fc.assert(
    fc.property(texts, (text) => {
      const redactor = createRedactor(salt);
      const hidden = redactor.hide(text, "a.txt").text;
      expect(redactor.reveal(hidden, "a.txt")).toBe(text);
      expect(hidden.split("\n").length).toBe(text.split("\n").length);
    }),
    { numRuns: 300 },
  );
});

test("hiding twice is hiding once, where it is not text of a file", () => {
  fc.assert(
    fc.property(lines, (text) => {
      const redactor = createRedactor(salt);
      const once = redactor.hide(text).text;
      expect(redactor.hide(once)).toEqual({ text: once, count: 0 });
    }),
    { numRuns: 300 },
  );
});

test("a placeholder is put back only in the file that the secret was seen in", () => {
  const redactor = createRedactor(salt);
  redactor.hide(`password="${password}"`, "config/a.ini");
  redactor.hide(`password="${password}"`, "b.ini");
  redactor.hide(`token="${other}"`, "c.ini");
  expect(redactor.reveal(`pw: ${placeholder}, ${placeholder}`, "config/a.ini")).toBe(`pw: ${password}, ${password}`);
  expect(redactor.reveal(placeholder, "b.ini")).toBe(password);
  expect(failureOf(() => redactor.reveal(`pw: ${placeholder}`, "c.ini"))).toEqual({
    code: "E_SECRET_ELSEWHERE",
    message: `${placeholder} stands for a secret of another file, so it is not written into c.ini.`,
    remedy: "Let the program read it from where it is, or from the environment.",
  });
});

test("text that is of no file allows no file to have the secret", () => {
  const redactor = createRedactor(salt);
  redactor.hide(`password="${password}"`);
  expect(failureOf(() => redactor.reveal(placeholder, "a.ini"))).toMatchObject({ code: "E_SECRET_ELSEWHERE" });
});

test.for([
  ["of a secret nobody has seen", placeholder],
  ["that lacks its end", placeholder.slice(0, -2)],
  ["that was changed", placeholder.replace("value", "the-value").replace("]", "0]")],
])("a placeholder is not written as it stands: one %s", ([, text]) => {
  expect(failureOf(() => createRedactor(salt).reveal(`a ${text} b`, "a.ini"))).toMatchObject({
    code: "E_SECRET_UNKNOWN",
  });
});

test("what looks like a placeholder of another session is text like any other", () => {
  const text = "[secret:value:0000000000000000] and [secret:]";
  const redactor = createRedactor(salt);
  expect(redactor.hide(text, "a.md")).toEqual({ text, count: 0 });
  expect(redactor.reveal(text, "a.md")).toBe(text);
});

test("a file that has the placeholder of a secret as text does not get the secret", () => {
  const redactor = createRedactor(salt);
  const text = `password="${password}" # is shown as ${placeholder}`;
  const hidden = redactor.hide(text, "a.ini");
  expect(hidden).toEqual({
    text: expect.stringMatching(
      /^password="\[secret:value:[0-9a-f]{16}\]" # is shown as \[secret:text:[0-9a-f]{16}\]$/,
    ),
    count: 1,
  });
  expect(redactor.reveal(hidden.text.replace("is shown as", "hides as"), "a.ini")).toBe(
    text.replace("is shown as", "hides as"),
  );
});

test("a text is told how many secrets it hides and where these were seen, a key of many lines being one", () => {
  const redactor = createRedactor(salt);
  const key = [keyBegin(), "q3Lk9xYw".repeat(8), "Zr8Tn2Vb".repeat(8), keyEnd()].join("\n");
  const hidden = redactor.hide(`password="${password}"\n${key}\n`, "a.ini").text;
  const again = redactor.hide(`it is ${password}`, "b.ini").text;
  expect(redactor.sightings(`1\t${hidden}\n${again}\n[secret:value:0000000000000000]`)).toEqual({
    count: 2,
    paths: new Set(["a.ini", "b.ini"]),
  });
  expect(redactor.sightings(hidden.split("\n")[3] ?? "")).toEqual({ count: 1, paths: new Set(["a.ini"]) });
  expect(redactor.sightings("none")).toEqual({ count: 0, paths: new Set() });
});

test("what is moved takes its secrets along: they are put back where they come from another file by name", () => {
  const redactor = createRedactor(salt);
  const { text } = redactor.hide(`password=${password}`, "old.ini");
  expect(redactor.reveal(text, "new.ini", ["old.ini"])).toBe(`password=${password}`);
  expect(failureOf(() => redactor.reveal(text, "new.ini", []))).toMatchObject({ code: "E_SECRET_ELSEWHERE" });
});
