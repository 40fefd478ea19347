/** The tools that only look. */

import { askAssembly, openAsk } from "../ask.ts";
import { openReadOnly, readOnlyTools } from "../read-only.ts";
import { namesOf, type Toolset } from "./toolset.ts";

export const askToolset: Toolset = {
  files: () => namesOf(readOnlyTools),
  async openWork(options) {
    const { ask, ...rest } = openAsk(options);
    return { run: ask, enclosed: undefined, verify: undefined, ...rest };
  },
  openTools: async (options) => openReadOnly(options),
  assembly: askAssembly,
};
