import { card } from "./card.js";
import { contactFrom } from "./contact.js";
import { parse, serialize } from "./store.js";

/** Adds what was typed into a form to the text of a file: the new text. */
export function add(text, form) {
  const { name, mail } = contactFrom(form);
  return serialize([...parse(text), { name, mail }]);
}

/** All the cards of a file. */
export function cards(text) {
  return parse(text).map(card).join("\n\n");
}
