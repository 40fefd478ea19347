import { expect, test } from "vitest";
import { findSecrets } from "./find.ts";
import { keyBegin, keyEnd } from "./samples.testing.ts";

/** Not a key: its lines are. */
const [first, second, last] = [
  "MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7VJTUt9Us8cKj",
  "q3Lk9+xYw/Zr8Tn2Vb7Gh1Jd5Fs0Pa6Qc4We+UyIoM/KlNbHvGtCfRdXsEzAwQeR",
  "9dKf=",
];

const foundIn = (text: string): string[] => findSecrets(text).map(({ from, to }) => text.slice(from, to));

test.for([
  ["as in a file", `${keyBegin()}\n${first}\n${second}\n${last}\n${keyEnd()}\n`],
  ["with Windows line endings", `${keyBegin("RSA ")}\r\n${first}\r\n${second}\r\n${last}\r\n${keyEnd("RSA ")}\r\n`],
  ["indented", `key: |\n  ${keyBegin()}\n  ${first}\n  ${second}\n  ${last}\n  ${keyEnd()}\n`],
  ["with line numbers", `1\t${keyBegin()}\n2\t${first}\n3\t${second}\n4\t${last}\n5\t${keyEnd()}\n`],
  ["in a diff", `+${keyBegin("EC ")}\n+${first}\n+${second}\n+${last}\n+${keyEnd("EC ")}\n`],
  ["in strings of a program", `"${keyBegin()}\\n" +\n  "${first}\\n" +\n  "${second}\\n" +\n  "${last}\\n";\n`],
  ["in a comment", `# ${keyBegin("OPENSSH ")}\n# ${first}\n# ${second}\n# ${last}\n# ${keyEnd("OPENSSH ")}\n`],
  [
    "encrypted",
    `${keyBegin("RSA ")}\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,3F17\n\n${first}\n${second}\n${last}\n${keyEnd("RSA ")}`,
  ],
  ["without its end", `${keyBegin()}\n${first}\n${second}\n${last}`],
  ["followed by text", `${keyBegin()}\n${first}\n${second}\n${last}\n${keyEnd()}\nreturn\nMIIEvQIBADANBgkqhkiG9w0\n`],
] as const)("each line of a key is found: %s", ([, text]) => {
  expect(foundIn(text)).toEqual([first, second, last]);
});

test.for([
  ["in JSON", `{"private_key": "${keyBegin()}\\n${first}\\n${second}\\n${last}\\n${keyEnd()}\\n"}`, "\\n"],
  [
    "in JSON in a string",
    `"{\\"private_key\\": \\"${keyBegin()}\\\\n${first}\\\\n${second}\\\\n${last}\\\\n${keyEnd()}\\\\n\\"}"`,
    "\\\\n",
  ],
  ["cut off", `KEY="${keyBegin()}\\n${first}\\n${second}\\n${last}`, "\\n"],
] as const)("a key in one line is found as one: %s", ([, text, lineBreak]) => {
  expect(foundIn(text)).toEqual([[first, second, last].join(lineBreak)]);
});

test.for([
  ["a certificate", `-----BEGIN CERTIFICATE-----\n${first}\n${second}\n${last}\n-----END CERTIFICATE-----`],
  ["a public key", `-----BEGIN PUBLIC KEY-----\n${first}\n${second}\n${last}\n-----END PUBLIC KEY-----`],
  ["a text about keys", `It begins with ${keyBegin()}\nand has lines\nof\nbase64\n`],
  ["code about keys", `if (line === "${keyBegin()}") {\n  break\n}\nreturn\n`],
] as const)("no key: %s", ([, text]) => {
  expect(foundIn(text)).toEqual([]);
});
