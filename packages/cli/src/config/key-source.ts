import { Failure, type Model, type Stop } from "@croft/harness";
import type { Target } from "./target.ts";

/** The same model, which names the variable of a key that is refused: a person may have several. */
export function namingItsKey(model: Model, { keyFrom, apiKey }: Pick<Target, "keyFrom" | "apiKey">): Model {
  if (keyFrom === undefined) return model;
  const source = apiKey === undefined ? `${keyFrom} is not set.` : `The key is the one in ${keyFrom}.`;
  return {
    ...model,
    async respond(request, sink, signal) {
      const reply = await model.respond(request, sink, signal);
      return { ...reply, stop: stopNaming(source, reply.stop) };
    },
  };
}

function stopNaming(source: string, stop: Stop): Stop {
  if (typeof stop !== "object" || !("failed" in stop) || stop.failed.code !== "E_AUTH") return stop;
  const { code, message, remedy = "" } = stop.failed;
  return { ...stop, failed: new Failure(code, message, { remedy: `${source} ${remedy}`.trim(), cause: stop.failed }) };
}
