/** What is used of highlight.js/lib/core; tsconfig.base.json says why it is not the package's own types. */

import type { Grammar } from "./engine.ts";

declare const engine: {
  newInstance(): {
    registerLanguage(name: string, grammar: Grammar): void;
    getLanguage(name: string): unknown;
    /** Throws for an unknown language, and where a grammar gives up. */
    highlight(code: string, options: { language: string; ignoreIllegals: boolean }): { value: string };
  };
};
export default engine;
