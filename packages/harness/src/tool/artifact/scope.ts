/** What the tools that look all over the project share. */

import type { z } from "zod";
import type { Listing } from "../../artifact/listing.ts";
import type { Shown } from "../../workspace/ledger.ts";
import type { Scope, SearchDone } from "../../workspace/search.ts";
import { textResult, type ToolResult } from "../tool.ts";
import { flag } from "../code/input.ts";
import { atLeastOne, strict } from "./define.ts";
import type { ArtifactToolParts } from "./parts.ts";

/** Which files are looked at, as a tool takes it. */
export const where: {
  max_depth: z.ZodOptional<z.ZodInt>;
  hidden: z.ZodDefault<z.ZodBoolean>;
  no_ignore: z.ZodDefault<z.ZodBoolean>;
} = {
  max_depth: atLeastOne(),
  hidden: flag().default(false),
  no_ignore: flag().default(false),
};

type Followable<Shape extends z.core.$ZodLooseShape> =
  | z.ZodObject<Shape, z.core.$strict>
  | z.ZodObject<Shape & { follow: z.ZodOptional<z.ZodBoolean> }, z.core.$strict>;

/** `follow` is a field only where links can be followed. */
export function followable<Shape extends z.core.$ZodLooseShape>(
  shape: Shape,
  { supportsFollow }: ArtifactToolParts["backend"],
  refused: Readonly<Record<string, string>> = {},
): Followable<Shape> {
  if (supportsFollow) return strict({ ...shape, follow: flag().optional() }, refused);
  return strict(shape, { follow: "links are not followed here", ...refused });
}

type Asked = {
  glob?: string | undefined;
  iglob?: string | undefined;
  max_depth?: number | undefined;
  hidden: boolean;
  no_ignore: boolean;
  follow?: boolean | undefined;
};

/** The same as a search takes it. */
export function scopeOf({ max_depth: depth, no_ignore: ignored, ...same }: Asked): Scope {
  return { ...same, depth, ignored };
}

/** `none`: what is said where there is nothing. */
type Summary = { limit?: number | undefined; shown?: readonly Shown[] | undefined; none: string };

/** The result at the end of a search. */
export async function found(listing: Listing, done: SearchDone, { limit, shown, none }: Summary): Promise<ToolResult> {
  if (listing.count === 0) await listing.add(none);
  const notes = [
    ...(done.stopped ? [`result-limited: the first ${limit ?? listing.count}; there are more`] : []),
    ...(done.skipped === undefined ? [] : [`skipped: ${done.skipped}`]),
  ];
  return textResult(await listing.end(notes), shown);
}
