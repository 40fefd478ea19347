/** The sandbox that the commands of a session run in: made for this system, and tried before anything relies on it. */

import { asFailure } from "../error.ts";
import { neverAborted } from "../never.ts";
import type { Policy } from "../policy/policy.ts";
import type { Enclosure, EnclosureState } from "../process/enclosure.ts";
import { commandEnvironment } from "../process/environment.ts";
import { gitIdentity } from "../process/git-identity.ts";
import type { Guard } from "../process/guard.ts";
import type { SeatbeltOptions } from "../process/seatbelt/seatbelt.ts";
import { findProgram } from "../workspace/search/program.ts";

export type SandboxOptions = {
  /** The project: absolute, links resolved. */
  root: string;
  policy: Policy;
  /** The user's environment; of it, commands get what tables name. */
  user: Readonly<Record<string, string | undefined>>;
  /** The user's home folder, empty inside. */
  home: string;
  /** Where tools inside keep downloads and build results, for this project alone. */
  cache: string;
  /** Where what a command left in protected places is moved to. */
  quarantine: string;
  /** Once it fires, nothing is tried any more, and the sandbox is not ready. */
  signal?: AbortSignal | undefined;
};

export type Sandbox = {
  readonly state: EnclosureState;
  /** Undefined where it is not ready. */
  readonly held: { readonly enclosure: Enclosure; readonly guard: Guard } | undefined;
  close(): Promise<void>;
};

/** Runs a real command in it that tries the known holes. Never throws. */
export async function openSandbox(options: SandboxOptions): Promise<Sandbox> {
  const open = adapters[process.platform];
  if (open === undefined) return closed(none);
  try {
    const held = await open(options);
    const state = await tried(held, options.signal ?? neverAborted());
    if (state.state === "ready") return { state, held, close: () => held.enclosure.close() };
    await held.enclosure.close();
    return closed(state);
  } catch (thrown) {
    const { message, remedy = "See croft doctor." } = asFailure(thrown);
    return closed({ state: "blocked", reason: message, remedy });
  }
}

async function tried({ enclosure }: Held, signal: AbortSignal): Promise<EnclosureState> {
  try {
    return await enclosure.probe(signal);
  } catch (thrown) {
    await enclosure.close();
    throw thrown;
  }
}

const none: EnclosureState = {
  state: "missing",
  reason: `There is no sandbox for ${process.platform}.`,
  remedy: "Work on Linux, or in WSL2, to have one.",
};

type Held = NonNullable<Sandbox["held"]>;

const adapters: Partial<Record<NodeJS.Platform, (options: SandboxOptions) => Promise<Held>>> = {
  linux: bubblewrapFor,
  darwin: seatbeltFor,
};

function closed(state: EnclosureState): Sandbox {
  return { state, held: undefined, close: async () => undefined };
}

/** Adapters are loaded when they are needed: most sessions run nothing before the model has answered. */
async function bubblewrapFor(options: SandboxOptions): Promise<Held> {
  const [{ bubblewrap }, given] = await Promise.all([import("../process/bubblewrap/bubblewrap.ts"), givenTo(options)]);
  const { searchPath, guard } = given;
  const programs = { bwrap: findProgram("bwrap", searchPath), prlimit: findProgram("prlimit", searchPath) };
  return { guard, enclosure: bubblewrap({ ...given, programs }) };
}

/** Has never run on macOS. */
async function seatbeltFor(options: SandboxOptions): Promise<Held> {
  const [{ seatbelt }, given] = await Promise.all([import("../process/seatbelt/seatbelt.ts"), givenTo(options)]);
  return { guard: given.guard, enclosure: seatbelt(given) };
}

/** What each of them has to know. */
async function givenTo({ root, policy, user, home, cache, quarantine }: SandboxOptions): Promise<SeatbeltOptions> {
  const { guardProject } = await import("../workspace/guard/guard-project.ts");
  const environment = commandEnvironment(user);
  const searchPath = environment["PATH"] ?? "";
  const identity = await gitIdentity(findProgram("git", searchPath), environment);
  const homeFiles = identity === undefined ? {} : { ".gitconfig": identity };
  return { root, guard: guardProject({ root, policy, quarantine }), home, homeFiles, searchPath, environment, cache };
}
