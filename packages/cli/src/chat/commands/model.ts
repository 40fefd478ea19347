import { localModels } from "../../config/local-models.ts";
import { providers } from "../../config/providers.ts";
import { code } from "../markdown.ts";
import type { Argument, Command, Talk } from "../talk.ts";

export const model: Command = {
  name: "model",
  takes: "[name]",
  help: "the models there are, or go on with another one",
  async run(talk, rest, signal) {
    if (rest !== "") return talk.begin({ kind: "model", name: rest });
    const names = await namesFor(talk, signal);
    const lines = names.map(({ value, note }) => `- ${code(value)}${note === undefined ? "" : `: ${note}`}`);
    talk.screen.tell([`This is ${code(talk.current.model.id)}. Others: /model <name>`, ...lines].join("\n"));
  },
  arguments: namesFor,
};

async function namesFor({ io, current }: Talk, signal: AbortSignal): Promise<readonly Argument[]> {
  const { variable } = io.environment;
  const local = await localModels(io.environment, signal);
  const offered = [...providers].map(([name, { apiKeyEnv }]) => {
    const isMissing = apiKeyEnv !== undefined && variable(apiKeyEnv) === undefined;
    return { value: `${name}/<model>`, note: isMissing ? `${apiKeyEnv} is not set` : undefined };
  });
  const own = current.named.map((value) => ({ value, note: "of your configuration" }));
  const there = local.map((value) => ({ value, note: "on this machine" }));
  return [...own, ...there, ...offered, { value: "offline", note: "rule-based, reads only" }];
}
