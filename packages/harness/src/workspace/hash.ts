import type { Hash } from "./fence.ts";

/** The hash of raw bytes. `node:crypto` takes as long to load as a small program, so the first file to be read loads it. */
export async function hashOf(bytes: Uint8Array): Promise<Hash> {
  const { hash } = await import("node:crypto");
  return hash("sha256", bytes);
}
