/** A language as highlight.js takes it. What it makes of its engine is its own affair; names are other ones it goes by. */
export type Grammar = (engine: unknown) => { aliases?: string[] };
