/**
 * Test doubles and conformance suites for users of @croft/harness, true to the ports and tested like the real parts.
 */

export { cutAfter, fail, scripted, slow, using, type Part, type Script, type ScriptedReply } from "./model/scripted.ts";
export { openMemoryFence } from "./workspace/fence/in-memory.ts";
export {
  startMessagesServer,
  type MessagesServer,
  type MessagesServerOptions,
  type RecordedRequest,
} from "./testing/messages-server/messages-server.ts";
export {
  call,
  errorEvent,
  html,
  httpError,
  rawBlock,
  rawCall,
  rawEvent,
  reply,
  say,
  think,
  type ServerReply,
  type ServerScript,
} from "./testing/messages-server/script.ts";
export type { MessagesRequest } from "./testing/messages-server/request.ts";
export { startChatServer, type ChatServer, type ChatServerOptions } from "./testing/chat-server/chat-server.ts";
export {
  errorChunk,
  httpError as chatHttpError,
  rawCall as chatRawCall,
  rawChunk,
  reply as chatReply,
  type ChatReply,
  type ChatScript,
} from "./testing/chat-server/script.ts";
export { fenceConformance, type FenceCase, type OpenForCase } from "./testing/fence-conformance.ts";
export {
  searchConformance,
  type OpenBackendForCase,
  type OpenedBackend,
  type SearchCase,
} from "./testing/search-conformance.ts";
export { modelConformance, type Act, type ConformanceCase, type PlayModel } from "./testing/model-conformance.ts";
