/** Whether this system can fence in commands. Questions run none, so what is wrong here is a warning. */

import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { asFailure, codePolicy, openSandbox } from "@croft/harness";
import type { Io } from "../io.ts";
import { ok, warn, type Check } from "./check.ts";

const name = "sandbox";

const untested =
  "That is what a few attempts say. croft's use of it is written against its documentation and has never been tested on macOS.";

/** Tries the sandbox just as a session does, around an empty project. */
export async function checkSandbox(io: Io): Promise<Check> {
  let folder: string | undefined;
  try {
    folder = mkdtempSync(join(realpathSync(tmpdir()), "croft-doctor-"));
    const sandbox = await openSandbox({
      root: mkdtempSync(join(folder, "project-")),
      policy: codePolicy(),
      user: io.environment.all(),
      home: io.environment.home ?? "/",
      cache: join(folder, "cache"),
      quarantine: join(folder, "quarantine"),
    });
    await sandbox.close();
    const { state } = sandbox;
    if (state.state !== "ready") return warn(name, `${state.reason} So every command is a question.`, state.remedy);
    const without = state.unlimited.length === 0 ? "." : `, without a limit on ${state.unlimited.join("; ")}.`;
    const holds = `holds the commands that are run in it${without}`;
    if (process.platform === "darwin") return warn(name, `Seatbelt ${holds}`, untested);
    return ok(name, `bubblewrap ${holds}`);
  } catch (error) {
    return warn(name, asFailure(error).message, "Questions are answered without it; commands are asked about.");
  } finally {
    if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
  }
}
