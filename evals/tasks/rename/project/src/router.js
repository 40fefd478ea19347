import * as users from "./users.js";

const handlers = new Map(Object.entries(users));

/** Path -> the name of the function that answers it. */
const routes = { "/user": "fetchUser", "/settings": "fetchUserSettings" };

export function answer(path, id) {
  const name = routes[path];
  if (name === undefined) return { status: 404 };
  return { status: 200, body: handlers.get(name)(id) };
}
