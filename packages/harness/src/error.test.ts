import { expect, test } from "vitest";
import { asFailure, Failure } from "./error.ts";

test.each([
  [new Failure("E_X", "It is gone.", { remedy: "Look elsewhere." }), "It is gone. Look elsewhere."],
  [
    new Failure("E_X", "It is no YAML: bad indentation", { remedy: "Correct it." }),
    "It is no YAML: bad indentation. Correct it.",
  ],
  [new Error("ENOSPC: no space left on device, write"), "ENOSPC: no space left on device, write."],
  [new Error('The promise rejected with the reason "null".'), 'The promise rejected with the reason "null".'],
  ["thrown", "thrown."],
])("%s is narrated in whole sentences", (thrown, narration) => {
  expect(asFailure(thrown).narration).toBe(narration);
});
