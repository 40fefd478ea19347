declare module "highlight.js/lib/languages/*" {
  const grammar: (engine: unknown) => { aliases?: string[] };
  // oxlint-disable-next-line import/no-default-export -- as the package has it
  export default grammar;
}
