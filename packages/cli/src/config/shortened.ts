/** A path as people know it: `~/…` below the home folder. */
export function shortened(path: string, home: string | undefined): string {
  return home !== undefined && path.startsWith(`${home}/`) ? `~${path.slice(home.length)}` : path;
}
