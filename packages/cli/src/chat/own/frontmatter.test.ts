import { expect, test } from "vitest";
import { readHeaded } from "./frontmatter.ts";

test.each<[string, string, Record<string, string>, string]>([
  ["no head", "Do it.\n", {}, "Do it.\n"],
  [
    "a head",
    "---\nDescription: Does it\nargument-hint: '[n]'\n---\nDo it.\n",
    { description: "Does it", "argument-hint": "[n]" },
    "Do it.\n",
  ],
  ["an empty one", "---\n---\nDo it.", {}, "Do it."],
  ["carriage returns and a BOM", "\uFEFF---\r\nname: a\r\n---\r\nDo it.\r\n", { name: "a" }, "Do it.\r\n"],
  [
    "lists and folded text",
    "---\nallowed-tools:\n  - Bash\n  - Read\ndescription: >\n  two\n  lines\n---\nx",
    { "allowed-tools": "Bash, Read", description: "two lines\n" },
    "x",
  ],
  ["a rule further down", "Do it.\n---\nname: a\n---\n", {}, "Do it.\n---\nname: a\n---\n"],
])("%s is read", async (_, text, data, body) => {
  expect(await readHeaded(text)).toEqual({ data: new Map(Object.entries(data)), body });
});

test.each([
  ["---\na: [\n---\n", "Its head is no YAML: "],
  ["---\n- a\n---\n", "Its head is no list of entries."],
  [`---\na: &a [x,x]\nb: &b [*a,*a,*a,*a,*a,*a]\nc: [*b,*b,*b,*b,*b,*b]\n---\n`, "Its head is no YAML: "],
])("%j is told as what it is", async (text, message) => {
  await expect(readHeaded(text)).rejects.toMatchObject({
    code: "E_FRONTMATTER",
    message: expect.stringContaining(message),
  });
});
