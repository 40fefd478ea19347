import type { AttachedText } from "@croft/harness";
import words from "../../words/skills.md";
import type { Own } from "./own.ts";

/** Skills that are named, UTF-16 units of one description, and of all: the rest can be asked for by name. */
const most = 50;
const descriptionMost = 300;
const allMost = 8_000;

/** The project's skills, for the model to know of; undefined where there are none. */
export function skillList(own: readonly Own[]): AttachedText | undefined {
  const skills = own.filter(({ kind, of }) => kind === "skill" && of === "project");
  const lines: string[] = [];
  let length = 0;
  for (const { name, path, description } of skills.slice(0, most)) {
    const line = `- ${name} (${path}): ${description.slice(0, descriptionMost)}`;
    length += line.length;
    if (length > allMost) break;
    lines.push(line);
  }
  if (lines.length === 0) return undefined;
  const rest = skills.length - lines.length;
  const more = rest === 0 ? [] : [`(and ${rest} more)`];
  return { name: "the project's list of skills", text: [words.trimEnd(), ...lines, ...more, ""].join("\n") };
}
