/** What is about to be done: all a person needs to judge it. */

import type { PathVerdict } from "../policy/policy.ts";
import type { CommandLine, CommandVerdict } from "./command.ts";

/** `path` and `verdict` are absent while nothing has been resolved: only a strict gate cares to be asked then. */
export type Place = { asked: string; path?: string | undefined; verdict?: PathVerdict | undefined };

/** `diff` is made from the bytes that are there and those that will land; empty while nothing has been resolved. */
export type PlaceToWrite = Place & { change?: "create" | "update" | "delete" | undefined; diff: string };

/**
 * What is about to be done, with all that somebody needs to judge it: real paths, diffs of the bytes that will land,
 * whole commands.
 */
export type Action =
  | ({ kind: "read" | "list" } & Place)
  | ({ kind: "search"; pattern: string } & Place)
  | { kind: "write"; changes: readonly PlaceToWrite[] }
  | {
      kind: "run";
      command: CommandLine;
      /** Relative to the root. */
      cwd: string;
      verdict: CommandVerdict;
      /** Whether an OS sandbox will hold it. */
      enclosed: boolean;
      /** The sandbox lets it change nothing of the project. */
      readOnly?: true | undefined;
      /** It is a line of a shell in which names may mean something else: as such it is approved once, never for always. */
      changedShell?: true | undefined;
      /** Why it must leave the sandbox, where it asks for that. */
      outside?: string | undefined;
      /** Hosts it may reach; none if empty. */
      hosts: readonly string[];
      /** Files of the project that it runs, with the hash of what was approved. */
      programs: readonly { path: string; hash: string }[];
    };
