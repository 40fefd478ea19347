/** Test doubles and conformance suites for users of @croft/harness, true to the ports and tested like the real parts. */

export {
  call,
  cutAfter,
  fail,
  say,
  scripted,
  slow,
  think,
  using,
  type Part,
  type Script,
  type ScriptedReply,
} from "./model/scripted.ts";
export { openMemoryFence } from "./workspace/memory.ts";
export {
  startMessagesServer,
  type MessagesServer,
  type MessagesServerOptions,
  type RecordedRequest,
} from "./testing/messages-server/messages-server.ts";
export {
  errorEvent,
  html,
  httpError,
  rawBlock,
  rawCall,
  rawEvent,
  reply,
  type ServerReply,
  type ServerScript,
} from "./testing/messages-server/script.ts";
export { startChatServer, type ChatServer, type ChatServerOptions } from "./testing/chat-server/chat-server.ts";
export {
  httpError as chatHttpError,
  reply as chatReply,
  type ChatReply,
  type ChatScript,
} from "./testing/chat-server/script.ts";
export { fenceConformance, type FenceCase, type OpenForCase } from "./testing/fence-conformance.ts";
export { modelConformance, type Act, type ConformanceCase, type PlayModel } from "./testing/model-conformance.ts";
