/** The public surface of @croft/harness: explicit names only; adding one is a decision. */

export { asFailure, Failure, type FailureData, type FailureOptions } from "./error.ts";
export { addUsage, noUsage, textOf, toolUsesOf, totalTokens } from "./message.ts";
export type {
  AssistantMessage,
  ImageBlock,
  Message,
  OpaqueBlock,
  Origin,
  TextBlock,
  ToolResultBlock,
  ToolUseBlock,
  Usage,
  UserMessage,
} from "./message.ts";
export type { CitationState, Event, Status } from "./event.ts";
export { defineTool, textResult, type Tool, type ToolContext, type ToolResult } from "./tool/tool.ts";
