/**
 * Texts that are too long to be shown, kept whole in a folder of the session's own: what programs printed, and what tools
 * found. Read back they are held files like those of a project, so there is one way to look into both.
 */

import { asFailure, Failure } from "../error.ts";
import type { Gate } from "../gate/gate.ts";
import { policyFrom } from "../policy/rules.ts";
import { outputId, type KeptText } from "../process/outputs.ts";
import { openSpool } from "../process/output/spool.ts";
import { openFence } from "../workspace/fence/on-disk.ts";
import { holdFile, type HeldFile } from "../workspace/held.ts";
import { ripgrep } from "../workspace/search/ripgrep.ts";

/** Where long texts of a session are kept whole. */
export interface Outputs {
  /** Begins a text. Undefined where nothing can be kept. */
  begin(): Promise<KeptText | undefined>;
  /** Keeps a text that is there already. The id, or undefined where it cannot be kept. */
  keep(text: string): Promise<string | undefined>;
  /** Throws E_NO_OUTPUT. */
  open(id: string): Promise<HeldFile>;
  /** How a model reads on, as the end of a sentence. */
  readOn(id: string): string;
}

export type OutputOptions = {
  /** A folder that nobody else may enter. */
  folder: string;
  /** In the form of PATH, for a ripgrep. */
  searchPath?: string | undefined;
  /** Default: with read_output. */
  readOn?: Outputs["readOn"] | undefined;
};

/** No id leads out of the folder. */
const idShape = /^output-[0-9a-f-]{36}$/;

/** Whether an id is that of an output, there or not. */
export function isOutput(id: string): boolean {
  return idShape.test(id);
}

/** Bytes of a text that are kept. */
const keptBytes = 100_000_000;

const all = policyFrom([{ name: "kept outputs", globs: ["*"], access: ["read"], decision: "allow" }]);
/** What a program printed was asked about when it ran. */
const open: Gate = async () => ({ allowed: true, by: "rule" });

/** Those that `openSpool` has kept in a folder, and new ones. */
export function keptOutputs({ folder, searchPath = "", readOn = withReadOutput }: OutputOptions): Outputs {
  return {
    begin: () => begin(folder),
    async keep(text) {
      const kept = await begin(folder);
      await kept?.write(text);
      await kept?.end();
      return kept?.id;
    },
    async open(id) {
      if (!isOutput(id)) throw noOutput(id);
      try {
        return await held(folder, `${id}.txt`, searchPath);
      } catch (thrown) {
        throw noOutput(id, asFailure(thrown));
      }
    },
    readOn,
  };
}

async function begin(folder: string): Promise<KeptText | undefined> {
  const spool = await openSpool(folder, keptBytes).catch(() => undefined);
  if (spool === undefined) return undefined;
  return {
    id: outputId(spool.file),
    write: (text) => spool.write(text),
    async end() {
      await spool.close();
      return spool.lost;
    },
  };
}

function withReadOutput(id: string): string {
  return `read on with read_output, id ${id}`;
}

async function held(folder: string, name: string, searchPath: string): Promise<HeldFile> {
  const fence = openFence(folder, all);
  try {
    const pinned = fence.pin(name, "read");
    if (pinned.path !== name) {
      pinned[Symbol.dispose]();
      throw new Failure("E_IS_LINK", `${name} is a link.`);
    }
    const file = await holdFile(pinned, { fence, gate: open, backend: ripgrep(searchPath) });
    return {
      ...file,
      [Symbol.dispose]() {
        file[Symbol.dispose]();
        fence.close();
      },
    };
  } catch (thrown) {
    fence.close();
    throw thrown;
  }
}

function noOutput(id: string, cause?: unknown): Failure {
  return new Failure("E_NO_OUTPUT", `There is no kept output ${JSON.stringify(id)}.`, {
    remedy: "Use the id that the result of the command names, or run the command again.",
    cause,
  });
}
