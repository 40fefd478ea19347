/** A glob for one path below the root and all that lies in it, whatever characters it has. */
export function exactly(path: string): string {
  return `/${path.replace(/[*?[\\]/g, String.raw`\$&`)}`;
}
