/** Whether this system can fence in commands. Questions run none, so what is wrong here is a warning. */

import { asFailure, findProgram } from "@croft/harness";
import type { Io } from "../io.ts";
import { ok, warn, type Check } from "./check.ts";
import { firstLine, run } from "./programs.ts";

const name = "sandbox";
/** The first bubblewrap that can keep what it runs from making namespaces of its own. */
const oldest = [0, 8] as const;

type Look = (io: Io) => Promise<Check>;

const bySystem: ReadonlyMap<string, Look> = new Map<string, Look>([
  ["linux", checkBubblewrap],
  ["darwin", checkSeatbelt],
]);

export async function checkSandbox(io: Io): Promise<Check> {
  const look = bySystem.get(process.platform);
  if (look === undefined)
    return warn(name, `There is none for ${process.platform}.`, "Use croft in WSL2, Linux or macOS.");
  try {
    return await look(io);
  } catch (error) {
    return warn(name, asFailure(error).message, "Questions are answered without it.");
  }
}

/**
 * Missing, too old and blocked each have a remedy of their own, so they are told apart by a command that is really run.
 */
async function checkBubblewrap(io: Io): Promise<Check> {
  const file = findProgram("bwrap", io.environment.path ?? "");
  if (file === undefined) {
    return warn(
      name,
      "bubblewrap is not installed.",
      "Install it: apt install bubblewrap, dnf install bubblewrap, pacman -S bubblewrap.",
    );
  }
  const version = firstLine((await run([file, "--version"], io)).output);
  if (isOlder(version)) {
    return warn(name, `${version} is too old.`, `Update it to ${oldest.join(".")} or newer.`);
  }
  const inside = ["--unshare-all", "--die-with-parent", "--ro-bind", "/", "/", "--", "/bin/sh", "-c", "echo inside"];
  const { code, output, errors } = await run([file, ...inside], io);
  if (code === 0 && output === "inside") return ok(name, `${version} runs a command inside (${file}).`);
  return warn(
    name,
    `${version} is blocked: ${firstLine(errors) || "it ran nothing and did not say why"}.`,
    "Allow unprivileged user namespaces: sysctl kernel.apparmor_restrict_unprivileged_userns=0 where AppArmor blocks them, " +
      "kernel.unprivileged_userns_clone=1 where the kernel does; in a container, give it leave to make them.",
  );
}

function isOlder(version: string): boolean {
  const [, major, minor] = /(\d+)\.(\d+)/.exec(version)?.map(Number) ?? [];
  if (major === undefined || minor === undefined) return false;
  return major < oldest[0] || (major === oldest[0] && minor < oldest[1]);
}

async function checkSeatbelt(io: Io): Promise<Check> {
  const { code, errors } = await run(
    ["/usr/bin/sandbox-exec", "-p", "(version 1)(allow default)", "/usr/bin/true"],
    io,
  );
  if (code === 0) return ok(name, "Seatbelt runs a command inside.");
  return warn(
    name,
    `Seatbelt is blocked: ${firstLine(errors)}.`,
    "A sandbox inside a sandbox is refused: start croft outside of one.",
  );
}
