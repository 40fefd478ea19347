/** What the model is told of a command that the user has run themselves. */

import type { UserRan } from "../process/user-shell.ts";
import type { AttachedText } from "./attachments.ts";

/**
 * A text to go with the user's next message. Secrets are hidden where it is attached, in the command as in its output.
 */
export function userRunText({ command, output, code, signal, cancelled }: UserRan): AttachedText {
  const end = cancelled
    ? "ended by the user"
    : code === null
      ? `ended by ${signal ?? "nobody knows what"}`
      : `exit code ${code}`;
  const body = output === "" ? "(no output)" : output.replace(/\n$/, "");
  return { name: "a command that the user ran in a shell of their own", text: `$ ${command}\n${body}\n(${end})\n` };
}
