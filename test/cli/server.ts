import { onTestFinished } from "vitest";
import {
  startChatServer,
  startMessagesServer,
  type ChatScript,
  type ChatServer,
  type MessagesServer,
  type ServerScript,
} from "@croft/harness/testing";

/** The key the server accepts. */
export const key = "sk-test-4711";

/**
 * A strict server at the other end of the line, as croft meets it behind ANTHROPIC_BASE_URL. It is gone with the test.
 */
export async function serve(script: ServerScript, options: { apiKey?: string } = {}): Promise<MessagesServer> {
  const server = await startMessagesServer({ script, apiKey: key, ...options });
  onTestFinished(() => server.close());
  return server;
}

/** The same for the other API, as croft meets it behind OPENAI_BASE_URL. Its model is called "test". */
export async function serveChat(script: ChatScript, options: { apiKey?: string | null } = {}): Promise<ChatServer> {
  const server = await startChatServer({ script, apiKey: key, ...options });
  onTestFinished(() => server.close());
  return server;
}
