const counted = new Map();

export function count(name) {
  counted.set(name, (counted.get(name) ?? 0) + 1);
}

export function counts() {
  return Object.fromEntries(counted);
}
