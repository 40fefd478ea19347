/** The port of the policy: rules in, a verdict for a path out. Pure and synchronous. */

export type Access = "read" | "list" | "write";
export type Decision = "allow" | "ask" | "deny";

/** `rule` names the rule that decided, for logs and for people: never for a model that must not learn what exists. */
export type PathVerdict = { decision: Decision; rule: string };

/** Which paths may be read, listed and written. Pure: it looks at no disk. */
export interface Policy {
  /** `path`: relative to the root, posix separators, as resolved (never as asked). "" or "." is the root itself. */
  judge(path: string, access: Access): PathVerdict;
}
