import { fetchUser as get } from "./users.js";

export const greet = (id) => `Hello ${get(id).name}`;
