import { expect, test } from "vitest";
import { parseQuestion } from "./question.ts";

/** The question in one line: kind, what about, where. */
function read(text: string, before: readonly string[] = []): string {
  const question = parseQuestion(text, before);
  switch (question.kind) {
    case "symbol": {
      const names = question.names.map(({ name, qualifier }) =>
        qualifier === undefined ? name : `${qualifier} > ${name}`,
      );
      return `${question.wants} of ${names.join(", ")}${question.under === undefined ? "" : ` under ${question.under}`}`;
    }
    case "text":
      return `text ${question.text}${question.under === undefined ? "" : ` under ${question.under}`}`;
    case "contents": {
      const { place, files } = question;
      const part = place.lines === undefined ? "" : ` from ${place.lines.from} to ${place.lines.to}`;
      return `contents ${place.path}${part}${files === undefined ? "" : ` only ${files.endings.join()}`}`;
    }
    case "named":
      return `named ${question.called}`;
    case "file":
      return `file ${question.path}: ${question.words.join(" ")}`;
    default:
      return `other ${question.names.map(({ name }) => name).join(", ")}`.trim();
  }
}

test.each([
  ["Where is `runTurn` defined, and who calls it?", "both of runTurn"],
  ["Where is runTurn defined, and who calls it?", "both of runTurn"],
  ["where is foo defined?", "definition of foo"],
  ["Where's the function foo declared", "definition of foo"],
  ["where is class Foo?", "definition of Foo"],
  ["which file defines Foo", "definition of Foo"],
  ["Show me the definition of the Foo class", "definition of Foo"],
  ["Where does Foo live?", "definition of Foo"],
  ["definition of MAX_SIZE", "definition of MAX_SIZE"],
  ["Where are `a` and `b` defined?", "definition of a, b"],
  ["Who uses the function foo?", "uses of foo"],
  ["callers of parse", "uses of parse"],
  ["Which functions call open_file()?", "uses of open_file"],
  ["how often is resolve called?", "uses of resolve"],
  ["is Widget used anywhere?", "uses of Widget"],
  ["Who imports zod?", "imports of zod"],
  ["Which files import `x.y`?", "imports of x > y"],
  ["Where is X imported?", "imports of X"],
  ['Who calls "parse"?', "uses of parse"],
  ["find all references to Foo::bar", "uses of Foo > bar"],
  ["What uses `Foo.Bar`?", "uses of Foo > Bar"],
  ["obj->method callers", "uses of obj > method"],
  ["who calls a.b.run()?", "uses of b > run"],
  ["who calls Agent.run in src/agent?", "uses of Agent > run under src/agent"],
  ["where's map used in lib/", "uses of map under lib/"],
  ['Where does it say "not a file"?', "text not a file"],
  ["where does it say “not a file”?", "text not a file"],
  ["where does the message 'cannot open' come from", "text cannot open"],
  ['grep "TODO"', "text TODO"],
  ["what is in src/", "contents src/"],
  ["What's in src?", "contents src"],
  ["what files are in packages/harness/src", "contents packages/harness/src"],
  ["what is in the root folder?", "contents ."],
  ["what does loop.ts hold?", "contents loop.ts"],
  ["what does src/agent/loop.ts export?", "contents src/agent/loop.ts"],
  ["Where is loop.ts?", "named loop.ts"],
  ["Where is the README?", "named README"],
  ["Where are the tests?", "named tests"],
  ["where are the config files?", "named config"],
  ["where is the Agent?", "definition of Agent"],
  ["What is in @packages/cli/src/io.ts:1-3?", "contents packages/cli/src/io.ts from 1 to 3"],
  ['What is in @"a file.txt"?', "contents a file.txt"],
  ['What is in @"a file.txt:4"?', "contents a file.txt from 4 to 4"],
  ["What is in @sub/?", "contents sub/"],
  ["What is in @sub/deeper?", "contents sub/deeper"],
  ["What is in scrapy/crawler.py:101-120?", "contents scrapy/crawler.py from 101 to 120"],
  ['where does it say "robots.txt"?', "text robots.txt"],
  ["Where does the text 'app.py' appear?", "text app.py"],
  ['where does it say "app.py" in src/?', "text app.py under src/"],
  ['What is in "src/a.ts"?', "contents src/a.ts"],
  ['where does it say "not in src/a.ts"?', "text not in src/a.ts"],
  ["list all go files in cmd", "contents cmd only go"],
  ["list all markdown files", "contents . only md"],
  ["who calls run outside of src/?", "uses of run"],
  ["What is the API key in .env?", "file .env: api key"],
  ["What is the version in package.json?", "file package.json: version"],
  ["What does `runTurn` do?", "other runTurn"],
  ["Rename openFile to openDoor where it is used", "other openFile, openDoor"],
  ["How does the loop work?", "other"],
  ["What is the capital of France?", "other France"],
  ["where is the x-powered-by header set", "text x-powered-by"],
  ["Where is --max-turns read?", "text --max-turns"],
  ["who uses the content-type in src/?", "text content-type under src/"],
  ["where is the built-in parseThing defined?", "definition of parseThing"],
  ["where is the well-known `run` defined?", "definition of run"],
  ["What changed in 3.0?", "other"],
  ["Where is the session cookie signed?", "definition of session"],
  ["hello", "other"],
  ["", "other"],
])("%s", (text, expected) => {
  expect(read(text)).toBe(expected);
});

test("a question without a name takes it from the last one that had one", () => {
  expect(read("and who calls it?", ["What is in src/?", "Where is `open` defined?", "who calls `close`?"])).toBe(
    "uses of open",
  );
  expect(read("who calls it?")).toBe("other");
});
