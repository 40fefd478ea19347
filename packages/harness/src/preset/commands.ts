/** Commands of a session on a project: the sandbox, the rules, and the runner that tools hold. */

import { keptOutputs, type Outputs } from "../artifact/outputs.ts";
import { commandPolicy, type CommandRules } from "../gate/command-rules.ts";
import type { Event } from "../event.ts";
import type { Policy } from "../policy/policy.ts";
import { createRunner } from "../process/create-runner.ts";
import { commandEnvironment } from "../process/environment.ts";
import type { Command, Runner } from "../process/runner.ts";
import type { BeforeImages } from "../workspace/change.ts";
import { claimOutputs } from "../session/outputs.ts";
import { covering, suspecting } from "./covering.ts";
import type { RunnerParts } from "./doors.ts";
import { programPlaces } from "./program-places.ts";
import { openSandbox, type Sandbox, type SandboxOptions } from "./sandbox.ts";
import type { TurnKeeper } from "./undoing.ts";

export type CommandOptions = Pick<SandboxOptions, "user" | "home" | "cache" | "quarantine" | "signal"> & {
  /** The user's, over the defaults. */
  rules?: CommandRules | undefined;
  /** A folder that nobody else may enter, for the whole of long outputs; it is kept within bounds. */
  outputs: string;
  /** False: commands run without one, though there may be one. Whether they are asked about is the gate's to say. */
  sandbox: boolean;
  /** Whether commands may change nothing of the project, asked about each anew. */
  readOnly?: (() => boolean) | undefined;
};

export type Commands = {
  /** Whether a sandbox holds them. */
  readonly enclosed: boolean;
  /** For people: why there is no sandbox. */
  readonly notices: readonly Event[];
  /** What long outputs are read on with. */
  readonly outputs: Outputs;
  /** The same, so that what is written with approval is not taken for a command's doing. */
  expecting(before: BeforeImages | undefined): BeforeImages | undefined;
  /** The runner; its gate is asked about every command. Closing it closes the sandbox too. */
  open: (parts: RunnerParts) => Runner;
};

/** The project whose commands they are: its real path, its policy, and what keeps what they change. */
export type CommandedProject = {
  root: string;
  policy: Policy;
  keeper: TurnKeeper | undefined;
  /** Hears that a command changed something, or may have. */
  onChange?: (() => void) | undefined;
};

/** What commands run in is tried at once, by running one. Throws E_BAD_RULE. */
export async function openCommands(
  options: CommandOptions,
  { root, policy, keeper, onChange = () => undefined }: CommandedProject,
): Promise<Commands> {
  const rules = commandPolicy(options.rules);
  const user = withoutPrograms(options.user, root);
  const sandbox = options.sandbox ? await openSandbox({ ...options, user, root, policy }) : undefined;
  const held = sandbox?.held;
  return {
    enclosed: held !== undefined,
    notices: noticesOf(sandbox),
    outputs: keptOutputs({ folder: options.outputs, searchPath: user["PATH"] }),
    expecting(before) {
      if (held === undefined) return before;
      return {
        keep(files) {
          for (const { path } of files) held.guard.expect(path);
          return before?.keep(files) ?? { landed: () => undefined, dropped: () => undefined };
        },
      };
    },
    open({ fence, gate, strict, filter }) {
      const claim = claimOutputs(options.outputs);
      const cover = keeper?.cover(policy);
      const runner = createRunner({
        gate,
        strict,
        policy: rules,
        ...programPlaces(fence),
        enclosure: held?.enclosure,
        env: commandEnvironment(user, { outside: true }),
        folder: options.outputs,
        filter,
        around:
          keeper === undefined || cover === undefined ? suspecting(onChange) : covering(cover, keeper.turn, onChange),
      });
      const bound = <Asked extends Command>(command: Asked): Asked =>
        options.readOnly?.() === true ? { ...command, readOnly: true } : command;
      return {
        ...runner,
        run: (command, onOutput, signal) => runner.run(bound(command), onOutput, signal),
        start(asked, signal) {
          const command = bound(asked);
          if (command.readOnly !== true) onChange(); // nobody looks at what a server changes
          return runner.start(command, signal);
        },
        async close() {
          await runner.close();
          cover?.close();
          await sandbox?.close();
          claim[Symbol.dispose]();
        },
      };
    },
  };
}

/** The user's environment, its PATH without folders of the project: there a bare name could mean anything. */
function withoutPrograms(user: CommandOptions["user"], root: string): CommandOptions["user"] {
  const folders = (user["PATH"] ?? "").split(":");
  const kept = folders.filter((folder) => folder !== root && !folder.startsWith(`${root}/`));
  return { ...user, PATH: kept.join(":") };
}

function noticesOf(sandbox: Sandbox | undefined): Event[] {
  if (sandbox === undefined) return [notice(withoutAsIntended)];
  const { state } = sandbox;
  if (state.state === "ready") return [];
  return [notice(`Commands run without a sandbox, so each is a question: ${state.reason} ${state.remedy}`)];
}

const withoutAsIntended = "Commands run without a sandbox, as you asked: they can read and change all that you can.";

function notice(text: string): Event {
  return { type: "notice", code: "no_sandbox", text };
}
