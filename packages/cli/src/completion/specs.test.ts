import { expect, test } from "vitest";
import { commandSpecs } from "./specs.ts";

test("what follows an option or a command is told by its placeholder", () => {
  const help = `croft copy <id> [options]
croft copy all|none [options]      everything, or nothing
croft copy forget <name>

Copies a session: all of it. More words.

  -C, --dir <dir>       the project (default: as croft ask)
      --into <file>     a file; what is there is lost
      --as <name>, --quiet   as croft other
`;
  const other =
    "croft other\n\nDoes it.\n\n  -a, --as <model>  the model's name\n      --quiet       say nothing, a sentence that is far too long to be shown beside an option\n";
  expect(
    commandSpecs(
      new Map([
        ["copy", help],
        ["other", other],
      ]),
    )[0],
  ).toEqual({
    name: "copy",
    says: "Copies a session",
    options: [
      { long: "dir", short: "C", value: "folder", says: "the project" },
      { long: "into", short: undefined, value: "file", says: "a file" },
      { long: "as", short: "a", value: "model", says: "the model's name" },
      {
        long: "quiet",
        short: undefined,
        value: undefined,
        says: "say nothing, a sentence that is far too long to be shown beside an option",
      },
    ],
    words: ["all", "none", "forget"],
    values: ["session"],
  });
});
