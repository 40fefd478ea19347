/** Milliseconds until a request is given up; undefined: never. */
export function deadline({ timeout }) {
  return (timeout || 30) * 1000;
}
