import { Failure, type Model, type Stop } from "@croft/harness";

/** The same model: a key that is refused is told with the variable it came from, for a person may have several. */
export function keyTold(model: Model, variable: string | undefined, isSet: boolean): Model {
  if (variable === undefined) return model;
  const told = isSet ? `The key is the one in ${variable}.` : `${variable} is not set.`;
  return {
    ...model,
    async respond(request, sink, signal) {
      const reply = await model.respond(request, sink, signal);
      return { ...reply, stop: stopWith(told, reply.stop) };
    },
  };
}

function stopWith(told: string, stop: Stop): Stop {
  if (typeof stop !== "object" || !("failed" in stop) || stop.failed.code !== "E_AUTH") return stop;
  const { code, message, remedy = "" } = stop.failed;
  return { ...stop, failed: new Failure(code, message, { remedy: `${told} ${remedy}`.trim(), cause: stop.failed }) };
}
