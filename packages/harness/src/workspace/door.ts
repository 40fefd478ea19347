/**
 * The gate in front of the fence: nothing is entered that was not asked about, and what is asked about is what is held.
 */

import type { Gate } from "../gate/gate.ts";
import { passGate, veiled } from "../gate/pass.ts";
import type { Fence, Pinned } from "./fence.ts";

/** An action on one place, before anything about it is known. */
export type DoorAction = { kind: "read" | "list"; asked: string } | { kind: "search"; asked: string; pattern: string };

export type DoorParts = { fence: Fence; gate: Gate; strict: boolean };

export type Enter = (action: DoorAction, signal: AbortSignal) => Promise<Pinned>;

/**
 * Asks, pins, asks about what is pinned, and hands it over still held: it must be disposed. Throws E_REFUSED with what
 * the gate has to say, what the fence throws, and the signal's reason. `strict` makes one failure of all that come
 * after the first question, so that a path that leads nowhere cannot be told from one that leads to what is denied.
 */
export function createDoor({ fence, gate, strict }: DoorParts): Enter {
  return async (action, signal) => {
    await passGate(gate, action, signal);
    return await veiled({ strict, signal }, () => enter(fence, gate, action, signal));
  };
}

async function enter(fence: Fence, gate: Gate, action: DoorAction, signal: AbortSignal): Promise<Pinned> {
  const place = fence.pin(action.asked, action.kind === "list" ? "list" : "read");
  try {
    await passGate(gate, { ...action, path: place.path, verdict: place.verdict }, signal);
    return place;
  } catch (thrown) {
    place[Symbol.dispose]();
    throw thrown;
  }
}
