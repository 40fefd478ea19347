/** Commands and skills that are files: of the user, and of the project, where they are data and no more. */

export type Own = {
  /** Typed behind the slash: `review`, `frontend:test`. */
  name: string;
  kind: "command" | "skill";
  /** Whose it is: a project's holds no more trust than any of its files. */
  of: "user" | "project";
  /** As people and, of a project, the model know it. */
  path: string;
  description: string;
  /** What stands behind the name. */
  takes: string | undefined;
  /** What its head asks for and does not get. */
  refused: readonly string[];
  body: string;
};

/** A file that was found and cannot be used. */
export type Unusable = { path: string; reason: string };
export type OwnFiles = { own: readonly Own[]; unusable: readonly Unusable[] };
