/** The toolset that only looks. */

import { askAssembly, openAsk } from "../ask.ts";
import { openReadOnly, readOnlyTools } from "../read-only.ts";
import { namesOf, type Toolset } from "../toolset.ts";

export const ask: Toolset = {
  files: () => namesOf(readOnlyTools),
  async openWork(options) {
    const { ask: run, ...rest } = openAsk(options);
    return { run, enclosed: undefined, verify: undefined, ...rest };
  },
  openTools: async (options) => openReadOnly(options),
  assembly: askAssembly,
};
