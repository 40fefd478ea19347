/** What every enclosure has, whatever runs in it. */

/** Namespaces of its own, no way to make more, no capabilities, no terminal of ours, and an end with croft's own. */
export const isolation: readonly string[] = [
  "--unshare-all",
  "--unshare-user",
  "--disable-userns",
  "--cap-drop",
  "ALL",
  "--as-pid-1",
  "--new-session",
  "--die-with-parent",
  "--clearenv",
  "--hostname",
  "sandbox",
];

export function variables(environment: Readonly<Record<string, string>>): string[] {
  return Object.entries(environment).flatMap(([name, value]) => ["--setenv", name, value]);
}
