/** What is used of highlight.js/lib/core; tsconfig.base.json says why it is not the package's own types. */

declare const engine: {
  newInstance(): {
    registerLanguage(name: string, grammar: (engine: unknown) => object): void;
    getLanguage(name: string): unknown;
    /** Throws for an unknown language, and where a grammar gives up. */
    highlight(code: string, options: { language: string; ignoreIllegals: boolean }): { value: string };
  };
};
// oxlint-disable-next-line import/no-default-export -- as the package has it
export default engine;
