/** How secrets in text are hidden: the key that their placeholders are made with, kept apart from all traces. */

import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { TurnOptions } from "@croft/harness";
import type { Environment } from "./environment.ts";
import type { Settings } from "./settings.ts";

const keyBytes = 32;

/** For a session: a session that goes on, or is run again, has the same placeholders. */
export function secretsOf(
  { secrets }: Pick<Settings, "secrets">,
  session: string,
  { stateHome }: Pick<Environment, "stateHome">,
): TurnOptions["secrets"] {
  if (!secrets.value) return false;
  return {
    salt() {
      const key = stateHome === undefined ? undefined : keyIn(join(stateHome, "croft", "secrets.key"));
      return key && Buffer.concat([key, Buffer.from(session)]);
    },
  };
}

/** The user's key, made where there is none; undefined where it cannot be read or kept: then each run has its own. */
function keyIn(file: string): Uint8Array | undefined {
  try {
    const key = readFileSync(file);
    return key.length === keyBytes ? key : undefined; // another run may be writing it just now
  } catch {
    return makeKey(file);
  }
}

function makeKey(file: string): Uint8Array | undefined {
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    const key = crypto.getRandomValues(new Uint8Array(keyBytes));
    writeFileSync(file, key, { flag: "wx", mode: 0o600 });
    return key;
  } catch {
    return undefined;
  }
}
