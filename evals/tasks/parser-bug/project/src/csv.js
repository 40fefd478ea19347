/** The rows of a CSV file, each a list of cells. Lines end with LF or CRLF. */
export function parseCsv(text) {
  const rows = [];
  for (const line of text.split(/\r?\n/)) {
    if (line === "") continue;
    rows.push(line.split(",").map(cellFrom));
  }
  return rows;
}

function cellFrom(raw) {
  return raw.startsWith('"') && raw.endsWith('"') ? raw.slice(1, -1) : raw;
}
