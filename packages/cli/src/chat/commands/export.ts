import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { Failure } from "@croft/harness";
import { currentFolder } from "../../config/root.ts";
import { code } from "../markdown.ts";
import type { Command } from "../talk.ts";

export const exportSession: Command = {
  name: "export",
  takes: "[file]",
  help: "write this session to a file, as Markdown",
  anytime: true,
  async run({ current, screen }, rest, signal) {
    const { id, file, spent } = current.session;
    if (file === undefined || spent.turns === 0) {
      throw new Failure("E_NO_TURN", "There is nothing to write yet.", { remedy: "Say something first." });
    }
    const out = resolve(currentFolder(), rest === "" ? `croft-${id}.md` : rest);
    // A file under the name of this very session was written before; another one is somebody's.
    if (rest !== "" && existsSync(out)) {
      throw new Failure("E_EXISTS", `${out} is there already.`, { remedy: "Name a file that is not." });
    }
    const { writeTranscriptTo } = await import("../../trace/write-transcript.ts"); // reads Markdown: it takes longer than Node itself
    if (await writeTranscriptTo(out, file, signal)) screen.tell(`Written to ${code(out)}.`);
  },
};
