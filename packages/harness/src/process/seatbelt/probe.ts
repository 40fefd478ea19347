/** Whether the sandbox of macOS holds here: a command is run in it that tries what must not work. */

import { asFailure } from "../../error.ts";
import type { Confined, EnclosureState, Launch } from "../enclosure.ts";
import { probeProgram } from "../probe.ts";
import { openListener } from "../system/listener.ts";

type Start = (command: Confined, signal: AbortSignal) => Promise<Launch>;

/** Milliseconds. */
const patience = 30_000;

/** Each line says what works and must not. `$1`: the home folder; `$2`: a port that somebody outside listens on. */
const attempts = `
if ls "$1" >/dev/null 2>&1; then echo "reading the home folder"; fi
if ( : > "$1/.croft-probe" ) 2>/dev/null; then rm "$1/.croft-probe"; echo "writing to the home folder"; fi
if ( : > /private/tmp/croft-probe ) 2>/dev/null; then rm /private/tmp/croft-probe; echo "writing to /tmp"; fi
if bash -c ': < "/dev/tcp/127.0.0.1/$0"' "$2" 2>/dev/null; then echo "a connection"; fi
echo done
`;

/** What it cannot hold, whatever the system: Seatbelt has no means for it. */
const unlimited = ["processes", "memory", "the size of a file", "what is seen of other processes"];

export async function probe(home: string, launch: Start, signal: AbortSignal): Promise<EnclosureState> {
  try {
    const holes = await attempt(home, launch, signal);
    if (holes.length === 0) return { state: "ready", unlimited };
    return blocked(`The sandbox of macOS does not hold against ${holes.join(", ")}.`);
  } catch (thrown) {
    signal.throwIfAborted();
    const { code, message, remedy } = asFailure(thrown);
    if (code === "E_NO_ENCLOSURE") return { state: "missing", reason: message, remedy: remedy ?? "See croft doctor." };
    return blocked(message, remedy);
  }
}

async function attempt(home: string, launch: Start, signal: AbortSignal): Promise<string[]> {
  using listener = await openListener();
  const argv: Confined["argv"] = ["/bin/sh", "-c", attempts, "sh", home, String(listener.port)];
  await using started = await launch({ argv, cwd: ".", profile: "plain", hosts: [] }, signal);
  const { output, errors } = await probeProgram(started.argv, { ...started, ms: patience }, signal);
  const lines = output.split("\n");
  return lines.pop() === "done" ? lines : [`being run at all (${errors.split("\n", 1)[0] ?? ""})`];
}

function blocked(reason: string, remedy = "Commands are asked about; see croft doctor."): EnclosureState {
  return { state: "blocked", reason, remedy };
}
