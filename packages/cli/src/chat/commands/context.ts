import type { ContextPart } from "@croft/harness";
import { grouped } from "../../ui/numbers.ts";
import { fenced } from "../markdown.ts";
import type { Command } from "../talk.ts";

const names: readonly (readonly [ContextPart, string])[] = [
  ["system", "croft's own words"],
  ["memory", "memory files"],
  ["tools", "tools"],
  ["user", "what you said"],
  ["harness", "what was attached"],
  ["assistant", "what the model said"],
  ["results", "results of tools"],
  ["images", "images"],
];

export const context: Command = {
  name: "context",
  help: "what fills the context of the model",
  async run({ current, screen }) {
    const { of, used, counted, parts, compactsAt, free } = await current.context();
    const line = (name: string, tokens: number): string => `${name.padEnd(22)}${grouped(tokens).padStart(12)}`;
    const rows = names.filter(([part]) => parts[part] > 0);
    const lines = [
      line("in all", used),
      ...rows.map(([part, name]) => line(`  ${name}`, parts[part])),
      line("free until compaction", free),
      line("compaction at", compactsAt),
      line("the model takes", of),
    ];
    const told =
      counted === undefined ? "Tokens, estimated" : "Tokens; the whole as the service counted, the parts by their size";
    screen.tell(`${told}:\n${fenced(lines.join("\n"))}`);
  },
};
