/**
 * All that is done with a place once it is held. The doors load it with the first call, because of what stands below:
 * `node:crypto`, for the hash of every file that is shown, would take four to six of the 40 ms up to the first request.
 */

export { holdFile } from "./held.ts";
export { look } from "./look.ts";
export { hitsIn } from "./search/hits.ts";
export { namesIn } from "./search/names.ts";
export { sha256 } from "./snapshot/objects.ts";
export { largeLines } from "./text/large.ts";
export { viewOf } from "./text/view.ts";
export { sourceOf } from "./source.ts";
