/** Kinds of definitions as a question calls them. */

/** Words for a kind, and the kinds of the language tables that come near. */
const near: Readonly<Record<string, RegExp>> = {
  function: /function|method|constructor/,
  method: /method|constructor|function/,
  class: /class|record|struct|type/,
  type: /class|interface|struct|enum|type|trait|record|typedef/,
  interface: /interface|trait|type/,
  struct: /struct|record|type/,
  trait: /trait|interface/,
  enum: /enum/,
  macro: /macro/,
  constant: /constant|variable|enumerator|enum/,
  variable: /variable|constant|field/,
  field: /field|property|attribute|member/,
  property: /property|field|attribute|member/,
  module: /module|namespace/,
  namespace: /namespace|module/,
};

const short: Readonly<Record<string, string>> = {
  func: "function",
  fn: "function",
  const: "constant",
  var: "variable",
};
const words = [...Object.keys(near), ...Object.keys(short)].join("|");

/** The kind a question gives to a name: `interface` of "the interface Page" and of "the Page interface". */
export function kindAsked(asked: string, name: string): string | undefined {
  const exactly = name.replace(/\W/g, "\\$&");
  const before = new RegExp(`\\b(${words})\\s+[\`'"]?(?:\\w+(?:\\.|::))*${exactly}(?![\\w$])`, "i").exec(asked)?.[1];
  const word = before ?? new RegExp(`(?<![\\w$])${exactly}[\`'"]?\\s+(${words})\\b`, "i").exec(asked)?.[1];
  return word && (short[word.toLowerCase()] ?? word.toLowerCase());
}

/** 0: that very kind, or any will do; 1: one that comes near; 2: another. */
export function kindDistance(asked: string | undefined, kind: string): 0 | 1 | 2 {
  if (asked === undefined || kind.split(" ").includes(asked)) return 0;
  return near[asked]?.test(kind) ? 1 : 2;
}
