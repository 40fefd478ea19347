import { parseCsv } from "./csv.js";

/** The rows of a CSV file as objects, by the names in its first row. */
export function parseTable(text) {
  const [names = [], ...rows] = parseCsv(text);
  return rows.map((cells) => Object.fromEntries(names.map((name, n) => [name, cells[n] ?? ""])));
}
