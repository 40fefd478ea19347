/** Numbers as people read them. */

/** `1.2 s`, `340 ms`, `2 min 5 s`. */
export function duration(ms: number): string {
  if (ms < 1_000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${(ms / 1_000).toFixed(1)} s`;
  const seconds = Math.round(ms / 1_000);
  const minutes = Math.floor(seconds / 60);
  return minutes < 60 ? `${minutes} min ${seconds % 60} s` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/** `$0.0123`, `$12.30`. */
export function money(dollars: number | undefined): string {
  return dollars === undefined ? "no price" : `$${dollars.toFixed(dollars < 1 ? 4 : 2)}`;
}

/** 1,234,567. `toLocaleString` would load the tables of all languages, which takes half as long as node itself. */
export function grouped(count: number): string {
  return String(count).replaceAll(/\B(?=(\d{3})+$)/g, ",");
}

/** `2026-01-31 09:05`, as clocks show it in UTC. `at`: milliseconds since 1970. */
export function minute(at: number): string {
  return new Date(at).toISOString().replace("T", " ").slice(0, 16);
}

/** `1.2 MB`. */
export function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(1)} MB`;
}
