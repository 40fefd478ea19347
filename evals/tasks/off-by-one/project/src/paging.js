/** How many pages there are. */
export function pageCount(items, size) {
  return Math.floor(items.length / size) + 1;
}

/** The items of a page, the first page being 1. */
export function page(items, number, size) {
  const start = (number - 1) * size;
  return items.slice(start, start + size + 1);
}

/** The numbers shown below a list: the page itself and up to two on each side. */
export function neighbours(items, number, size) {
  const last = pageCount(items, size);
  const numbers = [];
  for (let n = Math.max(1, number - 2); n < Math.min(last, number + 2); n++) numbers.push(n);
  return numbers;
}
