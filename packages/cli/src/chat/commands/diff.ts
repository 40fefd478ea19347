import { withoutSecrets } from "@croft/harness";
import { undoOf } from "../../session/open-undo.ts";
import { code, fenced } from "../markdown.ts";
import type { Command } from "../talk.ts";

export const diff: Command = {
  name: "diff",
  help: "what is different since this session began to change files",
  anytime: true,
  async run({ io, root, screen, current }) {
    const files = await undoOf(root, io).undo.since(current.session.id);
    const diffs = await withoutSecrets(files.map(({ diff }) => diff ?? "").join(""));
    const large = files
      .filter(({ diff }) => diff === undefined)
      .map(({ path }) => `${code(path)}: too large to compare`);
    const lines = [...(diffs === "" ? [] : [fenced(diffs, "diff")]), ...large];
    screen.tell(lines.length === 0 ? "This session has changed nothing." : lines.join("\n"));
  },
};
