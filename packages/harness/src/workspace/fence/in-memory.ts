/**
 * A fence in memory, true to the port, for tests of what stands on one. It has files and folders, no links and no cwd.
 */

import { Failure } from "../../error.ts";
import type { Policy } from "../../policy/policy.ts";
import { createFence } from "./create-fence.ts";
import type { Fence } from "../fence.ts";
import { pathIn, type FolderWriter, type NewFile, type Place, type Reader, type Root } from "../place/place.ts";

type Folder = Map<string, Node>;
/** Never changed, only replaced: two looks at one file find the same object. */
type File = { readonly bytes: Uint8Array; readonly mode: number };
type Node = Folder | File;

const fileMode = 0o644;

/**
 * `files`: paths relative to the root, as in "src/a.ts", and what is in them; folders are made as needed, and a path
 * that ends in a slash is an empty one. The root is called "/memory". Throws E_BAD_PATH for a file that is also a
 * folder.
 */
export function openMemoryFence(files: Readonly<Record<string, string | Uint8Array>>, policy: Policy): Fence {
  const tree = plant(files);
  const root: Root = {
    path: "/memory",
    top: placeOf(tree, "."),
    resolve: (path) => walk(tree, path),
    release() {},
  };
  return createFence({ root, policy, project: { top: root.top, within: [], release() {} }, dialect: "posix" });
}

function plant(files: Readonly<Record<string, string | Uint8Array>>): Folder {
  const tree: Folder = new Map();
  for (const [path, content] of Object.entries(files)) {
    const names = path.split("/");
    const last = names.pop() ?? "";
    let folder = tree;
    for (const name of names) {
      const below = folder.get(name) ?? new Map();
      if (!isFolder(below)) throw new Failure("E_BAD_PATH", `${path} lies in what is a file.`);
      folder.set(name, below);
      folder = below;
    }
    if (last === "") continue;
    if (folder.has(last)) throw new Failure("E_BAD_PATH", `${path} is a folder too.`);
    folder.set(last, {
      bytes: typeof content === "string" ? new TextEncoder().encode(content) : content,
      mode: fileMode,
    });
  }
  return tree;
}

/**
 * As a system would: every name but the last must be a folder, so must what `..`, `.` or a final slash stands behind.
 */
function walk(tree: Folder, path: string): Place | undefined {
  const folders: Folder[] = [tree];
  const names: string[] = [];
  let file: File | undefined;
  for (const name of path.split("/")) {
    if (file !== undefined) return undefined;
    if (name === "" || name === ".") continue;
    if (name === "..") {
      names.pop();
      if (folders.length > 1) folders.pop();
      continue;
    }
    const node = folders.at(-1)?.get(name);
    if (node === undefined) return undefined;
    names.push(name);
    if (isFolder(node)) folders.push(node);
    else file = node;
  }
  return placeOf(file ?? folders.at(-1) ?? tree, names.join("/") || ".");
}

function placeOf(node: Node, path: string): Place {
  let released = false;
  const held = (): Node => {
    if (released) throw new Failure("E_RELEASED", "This place is no longer held.");
    return node;
  };
  return {
    path,
    kind: kindOf(node),
    size: sizeOf(node),
    owner: undefined,
    group: undefined,
    mode: isFolder(node) ? 0o755 : node.mode,
    identity: held,
    child(name) {
      const below = folderOf(held()).get(name);
      return below === undefined ? undefined : placeOf(below, pathIn(path, name));
    },
    entries: () => [...folderOf(held())].map(([name, below]) => ({ name, kind: kindOf(below) })),
    open: () => readerOf(held()),
    now: () => ({ size: sizeOf(held()), modified: 0n, changed: 0n, links: 1 }),
    writer: () => writerOf(folderOf(held())),
    systemPath() {
      throw new Failure("E_IN_MEMORY", "A folder in memory has no path for a program to run in.");
    },
    release() {
      released = true;
    },
  };
}

function isFolder(node: Node): node is Folder {
  return node instanceof Map;
}

function sizeOf(node: Node): number {
  return isFolder(node) ? 0 : node.bytes.length;
}

function kindOf(node: Node): "file" | "directory" {
  return isFolder(node) ? "directory" : "file";
}

function folderOf(node: Node): Folder {
  return isFolder(node) ? node : new Map();
}

function readerOf(node: Node): Reader {
  const bytes = isFolder(node) ? new Uint8Array() : node.bytes;
  const readSync = (into: Uint8Array, position: number): number => {
    const found = bytes.subarray(position, position + into.length);
    into.set(found);
    return found.length;
  };
  return { readSync, read: async (into, position) => readSync(into, position), close() {} };
}

/** Errors as of a system. */
function writerOf(folder: Folder): FolderWriter {
  const add = (name: string, node: Node): void => {
    if (folder.has(name)) throw systemError("EEXIST");
    folder.set(name, node);
  };
  const take = (name: string): Node => {
    const node = folder.get(name);
    if (node === undefined) throw systemError("ENOENT");
    return node;
  };
  return {
    makeFolder: (name) => add(name, new Map()),
    removeFolder(name) {
      if (folderOf(take(name)).size > 0) throw systemError("ENOTEMPTY");
      folder.delete(name);
    },
    create: (name, { bytes, mode = fileMode }: NewFile) => add(name, { bytes, mode }),
    place(from, to) {
      add(to, take(from));
      folder.delete(from);
    },
    replace(from, to) {
      folder.set(to, take(from));
      folder.delete(from);
    },
    remove(name) {
      take(name);
      folder.delete(name);
    },
    sync() {},
  };
}

function systemError(code: string): Error {
  return Object.assign(new Error(`${code}: as a file system would say`), { code });
}
