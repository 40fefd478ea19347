/** What a command finds in its file system, as data, and as arguments of bwrap. */

/** All paths absolute. What is "bound" is this system's own; `source` may be a link, `target` must not be below one. */
export type Mount =
  | { readonly kind: "read-only" | "writable"; readonly source: string; readonly target: string }
  /** Memory of its own, gone with the command; so many bytes fit. */
  | { readonly kind: "scratch"; readonly target: string; readonly bytes: number; readonly mode: string }
  /** A folder that can be passed through but not listed, where nothing can be written. */
  | { readonly kind: "unreadable"; readonly target: string }
  | { readonly kind: "link"; readonly target: string; readonly to: string }
  | { readonly kind: "devices" | "processes"; readonly target: string };

/** Passing through is needed for what a policy opens below. */
const passOnly = "0111";

const toArguments: { readonly [Kind in Mount["kind"]]: (mount: Extract<Mount, { kind: Kind }>) => string[] } = {
  "read-only": ({ source, target }) => ["--ro-bind", source, target],
  writable: ({ source, target }) => ["--bind", source, target],
  scratch: ({ target, bytes, mode }) => ["--size", String(bytes), "--perms", mode, "--tmpfs", target],
  unreadable: ({ target }) => ["--size", "4096", "--perms", passOnly, "--tmpfs", target],
  link: ({ target, to }) => ["--symlink", to, target],
  devices: ({ target }) => ["--dev", target],
  processes: ({ target }) => ["--proc", target],
};

/**
 * The outer before the inner, so that the most specific decides whatever the order they are given in; of two for one
 * place the later one. What lies in memory is closed for writing only once all that lies below has its place.
 */
export function mountArguments(mounts: readonly Mount[]): string[] {
  const last = new Map(mounts.map((mount) => [mount.target, mount]));
  const outerFirst = [...last.values()].toSorted((one, other) => depth(one.target) - depth(other.target));
  const needed = withoutNeedless(outerFirst);
  const closed = needed.filter(({ kind }) => kind === "unreadable" || kind === "devices");
  return [
    ...needed.flatMap(argumentsOf),
    ...closed.flatMap(({ target }) => ["--remount-ro", target]),
    "--remount-ro",
    "/",
  ];
}

/** What is read-only at its own path within what is that too is so without a mount, and mounts take their time. */
function withoutNeedless(outerFirst: readonly Mount[]): Mount[] {
  const made = new Map<string, Mount>();
  for (const mount of outerFirst) {
    const around = enclosing(mount.target, made);
    if (!(isOwnPath(mount) && around !== undefined && isOwnPath(around))) made.set(mount.target, mount);
  }
  return [...made.values()];
}

function isOwnPath(mount: Mount): boolean {
  return mount.kind === "read-only" && mount.source === mount.target;
}

function enclosing(target: string, made: ReadonlyMap<string, Mount>): Mount | undefined {
  for (let at = target.lastIndexOf("/"); at > 0; at = target.lastIndexOf("/", at - 1)) {
    const mount = made.get(target.slice(0, at));
    if (mount !== undefined) return mount;
  }
  return undefined;
}

function argumentsOf<Kind extends Mount["kind"]>(mount: Extract<Mount, { kind: Kind }>): string[] {
  const make: (mount: Extract<Mount, { kind: Kind }>) => string[] = toArguments[mount.kind];
  return make(mount);
}

function depth(path: string): number {
  return path.split("/").length;
}
