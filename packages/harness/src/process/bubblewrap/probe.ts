/**
 * Whether the enclosure holds on this system: a command is run in it that tries what must not work. Missing, too old
 * and blocked each have a remedy of their own.
 */

import { statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { asFailure } from "../../error.ts";
import type { Confined, EnclosureState, Launch } from "../enclosure.ts";
import { probeProgram, type ProbeResult } from "../probe.ts";
import { openListener } from "../system/listener.ts";
import type { Session } from "./session.ts";

export type Probed = {
  bwrap: string | undefined;
  prlimit: string | undefined;
  /** The project. */
  root: string;
  /** Opens it, if it is not. */
  session: () => Pick<Session, "files" | "group">;
  launch: (command: Confined, signal: AbortSignal) => Promise<Launch>;
};

/** The first that can keep what it runs from making namespaces of its own. */
const oldest = [0, 8] as const;

/** Milliseconds. */
const patience = 30_000;

const install = "Install it: apt install bubblewrap, dnf install bubblewrap, pacman -S bubblewrap.";
const allow =
  "Allow unprivileged user namespaces: sysctl kernel.apparmor_restrict_unprivileged_userns=0 where AppArmor blocks " +
  "them, kernel.unprivileged_userns_clone=1 where the kernel does; in a container, give it leave to make them.";
const othersProject = "the project is another user's, and root inside may not write to it";
const asOwner = "Run croft as the user that the project belongs to.";

/**
 * Each line tries one thing and says its name if it works. What it writes to is opened and not changed. `$1`: a file
 * outside; `$2`: a port that somebody outside listens on. Where even the file outside can be read, nothing else is
 * tried: this may be no sandbox at all, and what is tried would be done to the system. A mount that works covers an
 * empty folder of its own.
 */
const attempts = `
PATH=/usr/sbin:/usr/bin:/sbin:/bin
try() { name=$1; shift; if ( "$@" ) >/dev/null 2>&1; then echo "$name"; fi; }
opens() { : >> "$1"; }
makes() { : > "$1" && rm "$1"; }
mounts() { folder=$(mktemp -d) && mount -t tmpfs none "$folder" && umount -l "$folder"; }
status() { grep -q "$1" /proc/self/status; }
if cat "$1" >/dev/null 2>&1; then echo "reading a file outside"; echo done; exit; fi
try "writing to /usr" makes /usr/croft-probe
try "writing to /etc" makes /etc/croft-probe
try "writing to the kernel's settings" opens /proc/sys/kernel/core_pattern
try "writing to the kernel's trigger" opens /proc/sysrq-trigger
try "mounting" mounts
try "a namespace of its own" unshare --user --map-root-user true
try "a shared network" grep -qvE "^ *(Inter-|face|lo)" /proc/net/dev
try "a connection" bash -c ': < "/dev/tcp/127.0.0.1/$0"' "$2"
status "^Seccomp:[[:space:]]*2" || echo "system calls without a filter"
status "^NoNewPrivs:[[:space:]]*1" || echo "gaining privileges"
status "^CapEff:[[:space:]]*0*$" || echo "capabilities"
echo done
`;

export async function probe(probed: Probed, signal: AbortSignal): Promise<EnclosureState> {
  const { bwrap } = probed;
  if (bwrap === undefined) return { state: "missing", reason: "bubblewrap is not installed.", remedy: install };
  try {
    const said = await probeProgram([bwrap, "--version"], { cwd: "/", env: {}, ms: patience }, signal);
    const version = /bubblewrap (\d+)\.(\d+)/.exec(said.output);
    if (version === null) return blocked(`${bwrap} does not say its version: ${firstLine(said.errors)}`);
    if (isOlder(Number(version[1]), Number(version[2]))) {
      const remedy = `Update it to ${oldest.join(".")} or newer.`;
      return { state: "too old", reason: `${said.output.trim()} is too old.`, remedy };
    }
    const { code, output, errors } = await attempt(probed, signal);
    const holes = output.split("\n").filter((line) => line !== "");
    if (code !== 0 || holes.pop() !== "done") return blocked(firstLine(errors) || "it ran nothing and did not say why");
    if (!isOwn(probed.root)) return blocked(othersProject, asOwner);
    if (holes.length > 0) return blocked(`it does not hold against ${holes.join(", ")}`);
    return { state: "ready", unlimited: unlimited(probed) };
  } catch (thrown) {
    signal.throwIfAborted();
    const { message, remedy = allow } = asFailure(thrown);
    return { state: "blocked", reason: message, remedy };
  }
}

async function attempt({ launch, session }: Probed, signal: AbortSignal): Promise<ProbeResult> {
  const outside = join(session().files.folder, "outside");
  writeFileSync(outside, "outside\n");
  using listener = await openListener();
  const argv: Confined["argv"] = ["/bin/sh", "-c", attempts, "sh", outside, String(listener.port)];
  await using started = await launch({ argv, cwd: ".", profile: "plain", hosts: [] }, signal);
  return await probeProgram(started.argv, { ...started, ms: patience }, signal);
}

function unlimited({ prlimit, session }: Probed): string[] {
  const held = session().group.limits;
  const asRoot = process.getuid?.() === 0;
  const told: string[] = [];
  if (!held.includes("processes") && (asRoot || prlimit === undefined)) {
    told.push(`processes, since ${asRoot ? "croft runs as root" : "prlimit is missing"} without a control group`);
  }
  if (!held.includes("memory")) told.push("memory of all processes together, since croft may make no control group");
  if (prlimit === undefined) told.push("the size of a file, since prlimit (util-linux) is missing");
  return told;
}

/** Root inside has no power over files of others. */
function isOwn(root: string): boolean {
  return process.getuid?.() !== 0 || statSync(root).uid === 0;
}

function blocked(reason: string, remedy: string = allow): EnclosureState {
  return { state: "blocked", reason: `bubblewrap is blocked: ${reason}.`, remedy };
}

function isOlder(major: number, minor: number): boolean {
  return major < oldest[0] || (major === oldest[0] && minor < oldest[1]);
}

function firstLine(text: string): string {
  return (text.trim().split("\n", 1)[0] ?? "").replace(/\.$/, "");
}
