import { dirname, join } from "node:path";
import { Failure, forkSession } from "@croft/harness";
import { count } from "../../arguments.ts";
import { newRunId } from "../../config/trace.ts";
import { plural } from "../../ui/plural.ts";
import type { Command } from "../talk.ts";

export const fork: Command = {
  name: "fork",
  takes: "[turn]",
  help: "go on in a copy of this session, up to a turn; files stay as they are",
  async run(talk, rest) {
    const { file, spent } = talk.current.session;
    if (file === undefined || spent.turns === 0) {
      throw new Failure("E_NO_TURN", "There is nothing to copy yet.", { remedy: "Say something first." });
    }
    const copy = join(dirname(file), `${newRunId(new Date())}.jsonl`);
    const turns = await forkSession(file, copy, count("/fork", rest === "" ? undefined : rest));
    await talk.begin({ kind: "resume", file: copy });
    talk.screen.tell(`A copy, with ${plural(turns, "turn")}. The other one is kept, see /resume.`);
  },
};
