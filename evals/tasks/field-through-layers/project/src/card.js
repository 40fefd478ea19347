/** How a contact is shown. */
export function card({ name, mail }) {
  return [`Name: ${name}`, `Mail: ${mail}`].join("\n");
}
