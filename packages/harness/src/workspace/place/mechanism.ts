/** The mechanism by which places are held on this system. */

import { hasBeneath, openBeneath } from "./beneath.ts";
import { openChecked } from "./checked.ts";
import type { Root } from "./place.ts";

/** Throws the system's error if the folder cannot be held. */
export type Mechanism = (folder: string) => Root;

/** Race-free on Linux; elsewhere see checked.ts. */
export function mechanismHere(): Mechanism {
  return hasBeneath() ? openBeneath : openChecked;
}

/** Holds a folder until it is disposed. Throws the system's error if it cannot be held. */
export function holdRoot(folder: string): Root & Disposable {
  const root = mechanismHere()(folder);
  return { ...root, [Symbol.dispose]: () => root.release() };
}
