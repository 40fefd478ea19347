/**
 * Secrets of one session: hidden before a text reaches a model, the trace or a screen, and put back where the model
 * writes to the file they come from.
 */

import { Failure } from "../error.ts";
import { showPath } from "../workspace/text/show-path.ts";
import { findSecrets } from "./find.ts";
import { apart, type Found } from "./found.ts";
import { createPlaceholders } from "./placeholder.ts";
import { createStream, type HidingStream } from "./stream.ts";

/** `count`: places where something was replaced; a key of many lines is one. */
export type Hidden = { text: string; count: number };

export interface Redactor {
  /**
   * The text with placeholders in place of secrets, those found in it and those found earlier. As many lines as before.
   * With `path` (as resolved) it is text of that file, where the placeholders may then be written; in the file's own
   * text something that looks like a placeholder of this session gets one itself, so `reveal` gives back every text.
   */
  hide(text: string, path?: string): Hidden;
  /**
   * What the model wrote for `path`, with the secrets in place of their placeholders. Throws E_SECRET_ELSEWHERE for a
   * secret that was not seen in that file, E_SECRET_UNKNOWN for a placeholder nobody made.
   */
  reveal(text: string, path: string): string;
  /**
   * The whole new content of a file that has the text `before`. Throws as `reveal` does, and E_SECRET_LOST where a
   * secret of the file would be gone: what the model was not shown it cannot mean to delete.
   */
  rewrite(content: string, path: string, before: string): string;
  /** For text that comes in pieces, and of no file. */
  stream(): HidingStream;
}

type Secret = { value: string; placeholder: string; paths: Set<string> };

/** A name for what is no secret, but would be taken for a placeholder. */
const lookalike = "text";
/** A shorter one is replaced where it was found, but not looked for elsewhere: it could be a part of any word. */
const shortestKnown = 8;

/** `salt`: at least 16 random bytes, the same when a session is resumed; not to be kept where the trace is. */
export function createRedactor(salt: Uint8Array): Redactor {
  const placeholders = createPlaceholders(salt);
  const secrets = new Map<string, Secret>();

  function learn(value: string, name: string): Secret {
    const id = placeholders.idOf(value);
    const known = secrets.get(id);
    if (known !== undefined) return known;
    const secret = { value, placeholder: placeholders.write(name, id), paths: new Set<string>() };
    secrets.set(id, secret);
    return secret;
  }

  function* knownIn(text: string): Generator<Found> {
    for (const { value } of secrets.values()) {
      if (value.length < shortestKnown) continue;
      for (let from = text.indexOf(value); from !== -1; from = text.indexOf(value, from + value.length)) {
        yield { from, to: from + value.length, name: "value" };
      }
    }
  }

  /** Nothing within a placeholder: `secret:aws-key:7f3a…` would look like a value with a name. */
  function secretsIn(text: string): Found[] {
    const others = replaced(text, placeholders.in(text), ({ from, to }) => " ".repeat(to - from));
    const found = findSecrets(others);
    // Learnt before the known are looked for, so that a value is hidden wherever the text has it.
    for (const { from, to, name } of found) learn(text.slice(from, to), name);
    return apart([...found, ...knownIn(others)]);
  }

  function expand(text: string, path: string): string {
    return replaced(text, placeholders.in(text), ({ from, to, id }) => {
      const secret = id === undefined ? undefined : secrets.get(id);
      const written = text.slice(from, to);
      if (secret === undefined) throw unknown(written, path);
      if (!secret.paths.has(path)) throw elsewhere(written, path);
      return secret.value;
    });
  }

  function hide(text: string, path?: string): Hidden {
    const lookalikes = path === undefined ? [] : placeholders.in(text).map((one) => ({ ...one, name: lookalike }));
    const found = apart([...secretsIn(text), ...lookalikes]);
    const hidden = replaced(text, found, ({ from, to, name }) => {
      const secret = learn(text.slice(from, to), name);
      if (path !== undefined) secret.paths.add(path);
      return secret.placeholder;
    });
    return { text: hidden, count: found.filter(({ name, goesOn }) => name !== lookalike && goesOn !== true).length };
  }

  return {
    hide,
    reveal: expand,
    rewrite(content, path, before) {
      const after = expand(content, path);
      for (const { from, to, name } of secretsIn(before)) {
        const { value, placeholder } = learn(before.slice(from, to), name);
        if (!after.includes(value)) throw lost(placeholder, path);
      }
      return after;
    },
    stream: () =>
      createStream(
        (text) => hide(text).text,
        (text) => findSecrets(text).length > 0 || knownIn(text).next().done === false,
      ),
  };
}

function replaced<Place extends { from: number; to: number }>(
  text: string,
  places: readonly Place[],
  by: (place: Place) => string,
): string {
  if (places.length === 0) return text;
  const parts: string[] = [];
  let at = 0;
  for (const place of places) {
    parts.push(text.slice(at, place.from), by(place));
    at = place.to;
  }
  return [...parts, text.slice(at)].join("");
}

function elsewhere(placeholder: string, path: string): Failure {
  return new Failure(
    "E_SECRET_ELSEWHERE",
    `${placeholder} stands for a secret of another file, so it is not written into ${showPath(path)}.`,
    { remedy: "Let the program read it from where it is, or from the environment." },
  );
}

function unknown(placeholder: string, path: string): Failure {
  return new Failure("E_SECRET_UNKNOWN", `${placeholder} stands for no secret of ${showPath(path)}.`, {
    remedy: "Read the file, and write the placeholder exactly as it stands there.",
  });
}

function lost(placeholder: string, path: string): Failure {
  return new Failure("E_SECRET_LOST", `${showPath(path)} has a secret that the new content lacks: ${placeholder}.`, {
    remedy: "Write its placeholder where the secret belongs. To remove the secret, edit its line.",
  });
}
