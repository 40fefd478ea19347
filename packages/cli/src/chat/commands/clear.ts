import type { Command } from "../talk.ts";

export const clear: Command = {
  name: "clear",
  help: "a new session; this one is kept, see /resume",
  run: (talk) => talk.begin({ kind: "new" }),
};
