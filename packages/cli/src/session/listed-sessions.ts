import { sessionsIn, withoutSecrets, type SessionSummary } from "@croft/harness";

/** The same, as they may be shown: what a session was begun with can hold a secret. */
export async function* listedSessions(...wanted: Parameters<typeof sessionsIn>): AsyncGenerator<SessionSummary> {
  for await (const one of sessionsIn(...wanted)) yield { ...one, task: await withoutSecrets(one.task) };
}
