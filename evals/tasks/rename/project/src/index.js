export { fetchUser, fetchUserSettings } from "./users.js";
export { fetchUser as user } from "./users.js";
export { counts } from "./metrics.js";
