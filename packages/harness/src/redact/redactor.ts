/**
 * Secrets of one session: hidden before a text reaches a model, the trace or a screen, and put back where the model
 * writes to the file they come from.
 */

import { randomBytes } from "node:crypto";
import { Failure } from "../error.ts";
import { showPath } from "../workspace/text/show-path.ts";
import { findSecrets } from "./find.ts";
import { apart, type Found } from "./found.ts";
import { lookalike } from "./lost.ts";
import { createPlaceholders } from "./placeholder.ts";
import { createStream, type HidingStream } from "./stream.ts";

/** `count`: places where something was replaced; a key of many lines is one. */
export type Hidden = { text: string; count: number };

/** `count`: secrets whose placeholders a text has. `paths`: of all files that these were seen in. */
export type Sightings = { count: number; paths: ReadonlySet<string> };

export interface Redactor {
  /**
   * The text with placeholders in place of secrets, those found in it and those found earlier. As many lines as before.
   * With `path` (as resolved) it is text of that file, where the placeholders may then be written; in the file's own
   * text something that looks like a placeholder of this session gets one itself, so `reveal` gives back every text.
   */
  hide(text: string, path?: string): Hidden;
  /**
   * What the model wrote for `path`, with the secrets in place of their placeholders: those that were seen in one of the
   * files `from`, by default in that very file. Throws E_SECRET_ELSEWHERE for another one, E_SECRET_UNKNOWN for a
   * placeholder nobody made.
   */
  reveal(text: string, path: string, from?: readonly string[]): string;
  /** The first placeholder of this session in a text, known or not, whole or not. */
  placeholderIn(text: string): string | undefined;
  sightings(text: string): Sightings;
  /** For text that comes in pieces, and of no file. */
  stream(): HidingStream;
}

type Secret = { value: string; name: string; goesOn: boolean; placeholder: string; paths: Set<string> };

/** A shorter one is replaced where it was found, but not looked for elsewhere: it could be a part of any word. */
const shortestKnown = 8;

/**
 * `salt`: at least 16 bytes that nobody can guess, the same when a session is resumed; not to be kept where the trace
 * is. Default: random ones.
 */
export function createRedactor(salt: Uint8Array = randomBytes(32)): Redactor {
  const placeholders = createPlaceholders(salt);
  const secrets = new Map<string, Secret>();

  function learn(value: string, { name, goesOn }: Pick<Found, "name" | "goesOn">): Secret {
    const id = placeholders.idOf(value);
    const known = secrets.get(id);
    if (known !== undefined) return known;
    const secret = {
      value,
      name,
      goesOn: goesOn === true,
      placeholder: placeholders.write(name, id),
      paths: new Set<string>(),
    };
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
    for (const one of found) learn(text.slice(one.from, one.to), one);
    return apart([...found, ...knownIn(others)]);
  }

  function reveal(text: string, path: string, sources: readonly string[] = [path]): string {
    return replaced(text, placeholders.in(text), ({ from, to, id }) => {
      const secret = id === undefined ? undefined : secrets.get(id);
      const written = text.slice(from, to);
      if (secret === undefined) throw unknown(written, path);
      if (!sources.some((source) => secret.paths.has(source))) throw elsewhere(written, path);
      return secret.value;
    });
  }

  function hide(text: string, path?: string): Hidden {
    const lookalikes = path === undefined ? [] : placeholders.in(text).map((one) => ({ ...one, name: lookalike }));
    const found = apart([...secretsIn(text), ...lookalikes]);
    const hidden = replaced(text, found, (one) => {
      const secret = learn(text.slice(one.from, one.to), one);
      if (path !== undefined) secret.paths.add(path);
      return secret.placeholder;
    });
    return { text: hidden, count: found.filter(({ name, goesOn }) => name !== lookalike && goesOn !== true).length };
  }

  function sightings(text: string): Sightings {
    const seen = new Set(placeholders.in(text).flatMap(({ id = "" }) => secrets.get(id) ?? []));
    const real = [...seen].filter(({ name }) => name !== lookalike);
    const whole = real.filter(({ goesOn }) => !goesOn).length;
    return { count: real.length > 0 ? Math.max(1, whole) : 0, paths: new Set(real.flatMap(({ paths }) => [...paths])) };
  }

  return {
    hide,
    reveal,
    placeholderIn(text) {
      const [first] = placeholders.in(text);
      return first && text.slice(first.from, first.to);
    },
    sightings,
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
