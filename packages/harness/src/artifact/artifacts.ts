/** What a session has open: each file under a short id that no other file of the session ever has. */

import { randomBytes } from "node:crypto";
import { Failure } from "../error.ts";
import type { HeldFile, Since } from "../workspace/held.ts";
import { showPath } from "../workspace/text/show-path.ts";
import { linesIn, type Lines } from "./lines.ts";
import { isOutput, type Outputs } from "./outputs.ts";

export type ArtifactKind = "text" | "json" | "json-lines" | "markdown";

/** A file that is open under an id. */
export type Artifact = {
  readonly id: string;
  readonly kind: ArtifactKind;
  readonly file: HeldFile;
  readonly lines: Lines;
  /** What people and models call it. */
  readonly name: string;
  /** Undefined where it is no file of the project: a kept output. */
  readonly path: string | undefined;
};

/** The files that a session has open. */
export interface Artifacts extends Disposable {
  /** Takes over a file. */
  add(file: HeldFile, kind: ArtifactKind): Artifact;
  /**
   * Asks the gate once more, and works with what an id stands for, an output of `outputs` too; it stays open meanwhile.
   * Throws E_REFUSED, E_NO_ARTIFACT, and E_STALE, after which the id stands for nothing.
   */
  use<Result>(id: string, work: (artifact: Artifact, since: Since) => Promise<Result>, given: Given): Promise<Result>;
}

type Given = { outputs?: Outputs | undefined; signal: AbortSignal };

/** Files that are open at a time; the one that was used longest ago is let go. */
const maxOpen = 64;

type Held = { readonly artifact: Artifact; users: number; isOver: boolean };

/** `tag`: tells the ids of this session from those of others, also where it is one gone on with. */
export function createArtifacts(tag: string = randomBytes(2).toString("hex")): Artifacts {
  /** The one used last is the last. */
  const open = new Map<string, Held>();
  let opened = 0;

  function keep(artifact: Artifact): Held {
    const held: Held = { artifact, users: 0, isOver: false };
    open.set(artifact.id, held);
    for (const [id, oldest] of open) {
      if (open.size <= maxOpen) break;
      if (id !== artifact.id) end(id, oldest);
    }
    return held;
  }

  /** A file in use is closed once it is no longer: another may get the number of its descriptor. */
  function end(id: string, held: Held): void {
    open.delete(id);
    held.isOver = true;
    if (held.users === 0) held.artifact.file[Symbol.dispose]();
  }

  async function find(id: string, outputs: Outputs | undefined): Promise<Held> {
    const known = open.get(id);
    if (known !== undefined) {
      open.delete(id);
      open.set(id, known);
      return known;
    }
    if (outputs === undefined || !isOutput(id)) throw notOpen(id, [...open.keys()]);
    const file = await outputs.open(id);
    const meanwhile = open.get(id);
    if (meanwhile === undefined) return keep(artifactOf(id, file, "text", undefined));
    file[Symbol.dispose]();
    return meanwhile;
  }

  return {
    add(file, kind) {
      opened += 1;
      return keep(artifactOf(`a${opened}-${tag}`, file, kind, file.path)).artifact;
    },
    async use(id, work, { outputs, signal }) {
      const held = await find(id, outputs);
      held.users += 1;
      try {
        const since = await held.artifact.file.again(signal).catch((thrown: unknown) => {
          if (thrown instanceof Failure && thrown.code === "E_STALE" && !held.isOver) end(id, held);
          throw thrown;
        });
        return await work(held.artifact, since);
      } finally {
        held.users -= 1;
        if (held.isOver && held.users === 0) held.artifact.file[Symbol.dispose]();
      }
    },
    [Symbol.dispose]() {
      for (const [id, held] of open) end(id, held);
    },
  };
}

function artifactOf(id: string, file: HeldFile, kind: ArtifactKind, path: string | undefined): Artifact {
  return { id, kind, file, lines: linesIn(file), name: path === undefined ? id : showPath(path), path };
}

function notOpen(id: string, ids: readonly string[]): Failure {
  const known = ids.length === 0 ? "Nothing is open." : `Open are: ${ids.slice(-10).join(", ")}.`;
  return new Failure("E_NO_ARTIFACT", `${JSON.stringify(id)} is not open, or no longer.`, {
    remedy: `${known} Open the file, and use the id that comes back.`,
  });
}
