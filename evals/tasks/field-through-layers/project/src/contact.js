/** A contact from the fields of a form. Throws with the name of the field that is wrong. */
export function contactFrom(form) {
  const name = String(form.name ?? "").trim();
  const mail = String(form.mail ?? "").trim();
  if (name === "") throw new Error("name: missing");
  if (!/^\S+@\S+$/.test(mail)) throw new Error("mail: not an address");
  return { name, mail };
}
