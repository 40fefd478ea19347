/** `!cmd`: the person's own command, in their own shell; the model is told of it with their next message. */

import { openUserShell, userRunText, type UserShell } from "@croft/harness";
import { commandPlaces } from "../config/command-places.ts";
import { printer } from "./printer.ts";
import type { Talk } from "./talk.ts";

export interface OwnShell {
  /** Throws UsageError E_STATE, and Failure E_NOT_STARTED. */
  run(talk: Talk, command: string, signal: AbortSignal): Promise<void>;
  close(): Promise<void>;
}

/** Nothing is opened before the first command. */
export function ownShell(): OwnShell {
  let shell: UserShell | undefined;
  return {
    async run(talk, command, signal) {
      const { io, root, screen } = talk;
      const { environment } = io;
      shell ??= openUserShell({
        root,
        environment: environment.all(),
        folder: commandPlaces(environment, root).outputs,
      });
      const printing = printer(screen);
      const ran = await shell.run(command, (text) => printing.add(text), signal).finally(() => printing.end());
      const end = ran.cancelled ? "Cancelled" : ran.code === null ? `Ended by ${ran.signal}` : `Exit code ${ran.code}`;
      screen.tell(`${end}. The model is told with your next message.`);
      talk.tellModel(userRunText(ran));
    },
    close: async () => shell?.close(),
  };
}
