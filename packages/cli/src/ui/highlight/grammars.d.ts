declare module "highlight.js/lib/languages/*" {
  const grammar: import("./engine.ts").Grammar;
  export default grammar;
}
