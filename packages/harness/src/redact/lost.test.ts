import { expect, test } from "vitest";
import { refuseLoss } from "./lost.ts";
import { createRedactor } from "./redactor.ts";

const redactor = createRedactor(Buffer.from("a salt of a session, for tests"));
const password = `password=${redactor.hide("password=q7Vb2LxWm9RtZc4K").text.slice(9)}`;
const token = `token=${redactor.hide("token=Hn3Jd8Ws5Tg1Kp6Y").text.slice(6)}`;

test("a whole file may have its secrets anywhere, and lack what only looks like one", () => {
  const lookalike = "[secret:text:0123456789abcdef]";
  expect(() => refuseLoss("a.ini", `${password}\n${token}\n${lookalike}\n`, `x\n${token}\n#${password}`)).not.toThrow();
});

test("a whole file is not written without a secret that it has", () => {
  expect(() => refuseLoss("a.ini", `${password}\n${token}\n`, `${password}\ntoken=\n`)).toThrow(
    expect.objectContaining({
      code: "E_SECRET_LOST",
      message: `a.ini has a secret that the new content lacks: ${token.slice(6)}.`,
      remedy: "Write its placeholder where the secret belongs. To remove the secret, edit its line.",
    }),
  );
});
