/** What a runner has to know of the project's files, through the fence: the folder to run in, the scripts to be run. */

import { createHash } from "node:crypto";
import type { AdmissionParts, ProgramFile } from "../process/admission.ts";
import type { Fence } from "../workspace/fence.ts";

/** Bytes of a file beyond which it is taken for data, not for a program. */
const largestProgram = 64_000_000;

/** For a runner on the project of this fence. */
export function programPlaces(fence: Fence): Pick<AdmissionParts, "enter" | "fileAt"> {
  return {
    enter(asked) {
      const pinned = fence.pin(asked, "list");
      try {
        return { path: pinned.path, directory: fence.cwd(pinned), [Symbol.dispose]: () => pinned[Symbol.dispose]() };
      } catch (thrown) {
        pinned[Symbol.dispose]();
        throw thrown;
      }
    },
    async fileAt(path, signal) {
      const own = path.startsWith(`${fence.root}/`) ? path.slice(fence.root.length + 1) : path;
      try {
        return await hashed(fence, own);
      } catch {
        signal.throwIfAborted();
        return undefined; // not there, not of the project, or not to be read: nothing that could be approved
      }
    },
  };
}

async function hashed(fence: Fence, path: string): Promise<ProgramFile | undefined> {
  using file = fence.pin(path, "read");
  if (file.kind !== "file" || file.size > largestProgram) return undefined;
  const hash = createHash("sha256");
  for await (const bytes of fence.bytes(file)) hash.update(bytes);
  return { path: file.path, hash: hash.digest("hex") };
}
