/** The project's files for the chat's own needs, through the very fence and rules that a model has. Nobody is asked. */

import { openReadOnly, policyGate, type Rule, type Workspace } from "@croft/harness";

type Place = { root: string; rules: readonly Rule[] };

/** Opens the project for reading as long as `use` takes. Throws what `use` throws. */
export async function withProject<T>({ root, rules }: Place, use: (workspace: Workspace) => Promise<T>): Promise<T> {
  const doors = openReadOnly({ root, rules, gate: policyGate(), secrets: false });
  try {
    return await use(doors.workspace);
  } finally {
    await doors.close();
  }
}

/**
 * Paths below a folder, folders with a slash at their end, ignored files left out. What is found by the time the signal
 * fires is what there is; so it is where the folder cannot be listed.
 */
export async function pathsIn(
  workspace: Workspace,
  { folder, depth, most }: { folder: string; depth: number | undefined; most: number },
  signal: AbortSignal,
): Promise<string[]> {
  const paths: string[] = [];
  try {
    for await (const entry of workspace.list(folder, { depth }, signal)) {
      if ("done" in entry || paths.length >= most) break;
      paths.push(entry.kind === "directory" ? `${entry.path}/` : entry.path);
    }
  } catch {
    // no folder, or no time left
  }
  return paths;
}
