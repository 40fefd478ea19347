import { count } from "./metrics.js";

const users = new Map([
  [1, { id: 1, name: "Ada" }],
  [2, { id: 2, name: "Grace" }],
]);

export function fetchUser(id) {
  count("fetchUser");
  const user = users.get(id);
  if (user === undefined) throw new Error(`fetchUser: there is no user ${id}`);
  return user;
}

export function fetchUserSettings(id) {
  count("fetchUserSettings");
  return { theme: "dark", greeting: `Hello ${fetchUser(id).name}` };
}
