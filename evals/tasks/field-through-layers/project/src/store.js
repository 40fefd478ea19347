/** One contact a line, its fields between tabs: what the file holds. */
export function serialize(contacts) {
  return contacts.map(({ name, mail }) => `${escape(name)}\t${escape(mail)}\n`).join("");
}

export function parse(text) {
  return text
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => {
      const [name, mail] = line.split("\t").map(unescape);
      return { name, mail };
    });
}

const escape = (text) => text.replace(/\\/g, "\\\\").replace(/\t/g, "\\t").replace(/\n/g, "\\n");
const unescape = (text) => text.replace(/\\(.)/g, (_, c) => ({ t: "\t", n: "\n" })[c] ?? c);
