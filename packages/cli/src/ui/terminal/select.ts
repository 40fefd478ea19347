/** A list of which one is taken: with the arrows, with a key of its own, or found by typing. */

import { span, type Row } from "./look.ts";
import { clipped } from "./wrap.ts";

export type Item = { value: string; label: string; note?: string | undefined; key?: string | undefined };
/** `words`: what was typed to find one; undefined where items have keys of their own. */
export type Select = { items: readonly Item[]; selected: number; words: string | undefined };
export type Chosen = { select: Select; value?: string | undefined };

/** What a key does; `value`: it was taken. Undefined: the key means nothing here. */
export function chosen(select: Select, key: string): Chosen | undefined {
  const shown = matching(select);
  const count = Math.max(1, shown.length);
  const to = (selected: number): Chosen => ({ select: { ...select, selected } });
  if (key === "up" || key === "ctrl+p") return to((select.selected - 1 + count) % count);
  if (key === "down" || key === "ctrl+n") return to((select.selected + 1) % count);
  if (key === "pageUp") return to(Math.max(0, select.selected - 10));
  if (key === "pageDown") return to(Math.min(count - 1, select.selected + 10));
  if (key === "enter") return { select, value: shown[select.selected]?.value };
  if (key === "backspace" && select.words !== undefined) return sought(select, select.words.slice(0, -1));
  return undefined;
}

/** What typed text does. */
export function chosenBy(select: Select, text: string): Chosen | undefined {
  if (select.words !== undefined) return sought(select, select.words + text);
  const item = select.items.find(({ key }) => key === text.toLowerCase());
  return item === undefined ? undefined : { select, value: item.value };
}

/** At most `most` rows, around what is selected. */
export function selectRows(select: Select, width: number, most: number): Row[] {
  const items = matching(select);
  const room = Math.max(1, most - (select.words === undefined ? 0 : 1));
  const first = Math.max(0, Math.min(select.selected - Math.floor(room / 2), items.length - room));
  const rows = items.slice(first, first + room).map((item, index) => {
    const here = first + index === select.selected;
    const key = item.key === undefined ? "" : `(${item.key}) `;
    const row = [
      span(here ? "❯ " : "  ", { colour: "cyan", bold: true }),
      span(`${key}${item.label}`, here ? { bold: true } : {}),
      ...(item.note === undefined ? [] : [span(`  ${item.note}`, { dim: true })]),
    ];
    return clipped(row, width);
  });
  if (select.words === undefined) return rows;
  const count = `${items.length === 0 ? 0 : select.selected + 1}/${items.length}`;
  return [...rows, clipped([span(`  ${count}  type to narrow: ${select.words}`, { dim: true })], width)];
}

function sought(select: Select, words: string): Chosen {
  return { select: { ...select, words, selected: 0 } };
}

function matching({ items, words }: Select): readonly Item[] {
  const sought = (words ?? "").toLowerCase();
  return items.filter(({ label, note }) => `${label} ${note ?? ""}`.toLowerCase().includes(sought));
}
