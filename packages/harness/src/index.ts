/** The public surface of @croft/harness: explicit names only; adding one is a decision. */

// What is said, what happened, what went wrong.
export { asFailure, Failure, messageOf, type FailureData, type FailureOptions } from "./error.ts";
export type {
  Budget,
  CheckResult,
  CitationState,
  Event,
  Inner,
  Interruption,
  Setup,
  Spent,
  Status,
  Todo,
  Used,
} from "./event.ts";
export { addUsage, isFromHarness, noUsage, textOf, toolUsesOf, totalTokens } from "./message.ts";
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

// The fence, the policy and the gate.
export type { Action, Place, PlaceToWrite } from "./gate/action.ts";
export type { Gate, Unasked, Verdict } from "./gate/gate.ts";
export { approvalOf, approves, canBeKept, type Approval, type Approvals } from "./gate/approval.ts";
export { codeGate, type CodeGateOptions } from "./gate/code.ts";
export type { CommandLine, CommandPolicy, CommandVerdict } from "./gate/command.ts";
export { commandPolicy, type CommandPart, type CommandRulePolicy, type CommandRules } from "./gate/command-rules.ts";
export type { Answer, Ask } from "./gate/questions.ts";
export { planningGate, type PlanningGates } from "./gate/planning.ts";
export { policyGate, strictGate } from "./gate/rules.ts";
export type { Access, Decision, PathVerdict, Policy } from "./policy/policy.ts";
export { codePolicy, readOnlyPolicy } from "./policy/presets.ts";
export { exactly } from "./policy/exactly.ts";
export { projectPolicy } from "./preset/project-policy.ts";
export { policyFrom, type Rule, type RulePolicy } from "./policy/rules.ts";
export type { Done, Entry, Fence, Hash, Kind, ListOptions, Pinned, Scan } from "./workspace/fence.ts";
export type {
  BeforeImages,
  Change,
  Committed,
  FileState,
  Keeping,
  Landed,
  LineHunk,
  Plan,
  PlannedFile,
} from "./workspace/change.ts";
export { createLedger, type GrowingLedger, type Knowledge, type Ledger, type Shown } from "./workspace/ledger.ts";
export { withoutSecrets } from "./redact/without-secrets.ts";
export { linesThrough, type CitedLines, type ReadLines } from "./workspace/lines.ts";
export type { EnclosureState } from "./process/enclosure.ts";
export { parseHost, type Host } from "./process/proxy/hosts.ts";
export type { Captured, Command, Ended, Runner, Running, TimedCommand } from "./process/runner.ts";
export { openUserShell, type UserRan, type UserShell, type UserShellOptions } from "./process/user-shell.ts";
export { runInTerminal, type TerminalProgram } from "./process/in-terminal.ts";
export { probeProgram, type ProbeResult, type ProbeOptions } from "./process/probe.ts";
export { openFence } from "./workspace/fence/on-disk.ts";
export { commandAccess } from "./workspace/guard/scan.ts";
export { findProgram } from "./workspace/search/program.ts";
export { ripgrep } from "./workspace/search/ripgrep.ts";
export { locateRipgrep } from "./workspace/search/ripgrep-program.ts";
export type {
  BackendDone,
  Frames,
  Lookup,
  NameQuery,
  Proposal,
  Query,
  Scope,
  SearchBackend,
  SearchDone,
  Territory,
} from "./workspace/search.ts";
export { unbounded, unsupported } from "./workspace/search/refusals.ts";
export type {
  Cause,
  Changed,
  CommandChanges,
  CommandCover,
  Interrupted,
  LeftAlone,
  OpenTurn,
  PastTurn,
  Recorded,
  Reversal,
  SinceThen,
  State,
  TurnInfo,
  TurnState,
  Undo,
  Versions,
} from "./workspace/snapshot.ts";
export { openCover, type CoverOptions } from "./workspace/snapshot/cover.ts";
export type { Limits } from "./workspace/snapshot/store.ts";
export { openUndo, type UndoOptions } from "./workspace/snapshot/undo.ts";
export type { ImageView } from "./workspace/image/image.ts";
export type { MemoryFiles } from "./workspace/memory/memory-files.ts";
export type { FoundMemory, MemoryFile } from "./workspace/memory/memory-reader.ts";
export type { FileView } from "./workspace/text/view.ts";
export { unseenCharacters } from "./workspace/text/unseen.ts";
export { isRepository } from "./workspace/walk/repository.ts";
export { openWorkspace, type Hit, type Source, type Workspace, type WorkspaceParts } from "./workspace/workspace.ts";

// Models and what is put around them.
export { anthropic, type AnthropicOptions } from "./model/anthropic.ts";
export { dollarBudget, type BudgetOptions } from "./model/budget.ts";
export { modelIds, type Price } from "./model/catalogue.ts";
export { chatCompletions, type ChatCompletionsOptions } from "./model/chat-completions.ts";
export type { Delta, Model, ModelRequest, Reply, Respond, Stop, ToolSpec, Wrapper } from "./model/model.ts";
export type { Language } from "./model/offline/language.ts";
export { languages as offlineLanguages } from "./model/offline/languages.ts";
export { offline } from "./model/offline/offline.ts";
export { costOf } from "./model/price.ts";
export { probeService, type Reach, type Service } from "./model/probe.ts";
export { useProxies, type Proxies } from "./model/proxies.ts";
export { recorded, type Exchange } from "./model/recorded.ts";
export { retry, type RetryOptions } from "./model/retry.ts";
export { scripted, type Script, type ScriptedReply } from "./model/scripted.ts";

// Tools, checks, sessions and the loop.
export type { AgentOptions, Attach, Attachment, Explorer, Inside, Steered, TurnResult } from "./agent/agent.ts";
export type { Compacted } from "./agent/compact-session.ts";
export type { ContextPart, ContextReport } from "./agent/context-report.ts";
export { runTurn } from "./agent/loop.ts";
export type { Check, Turn } from "./check/check.ts";
export { citations } from "./check/citations.ts";
export { openLog, type LogOptions } from "./session/log.ts";
export { readLog, readSoundLog, type LoggedEvent, type LogLine } from "./session/read.ts";
export { forkSession } from "./session/fork.ts";
export { sessionsIn, type SessionSummary, type SessionsWanted } from "./session/list.ts";
export { lockSession } from "./session/lock.ts";
export { recentEvents, type RecentWanted } from "./session/recent.ts";
export { readPast, type Learned, type Past } from "./session/past.ts";
export { removeSession } from "./session/remove.ts";
export type { Session } from "./session/session.ts";
export { todosIn } from "./session/todos.ts";
export { readTrace, type Damage, type Trace, type TracedEvent, type TracedTurn } from "./session/trace.ts";
export { applyPatch } from "./tool/code/apply_patch.ts";
export { editFile } from "./tool/code/edit_file.ts";
export { explore } from "./tool/code/explore.ts";
export { listFiles } from "./tool/code/list_files.ts";
export { readFile } from "./tool/code/read_file.ts";
export { readProcess } from "./tool/code/read_process.ts";
export { runCommand } from "./tool/code/run_command.ts";
export { runShell } from "./tool/code/run_shell.ts";
export { search } from "./tool/code/search.ts";
export { startProcess } from "./tool/code/start_process.ts";
export { stopProcess } from "./tool/code/stop_process.ts";
export { todo } from "./tool/code/todo.ts";
export { writeFile } from "./tool/code/write_file.ts";
export {
  defineTool,
  textResult,
  type Effect,
  type Explored,
  type Tool,
  type ToolContext,
  type ToolResult,
} from "./tool/tool.ts";

// Assemblies.
export { userRunText } from "./preset/user-ran.ts";
export { askBudget, openAsk, type Asking } from "./preset/ask.ts";
export { openCode, type CodeOptions, type Coding } from "./preset/code.ts";
export { codeTools, openCodeTools, type CodeDoorOptions } from "./preset/code-tools.ts";
export type { CommandOptions } from "./preset/commands.ts";
export type { Attachments, AttachedText } from "./preset/attachments.ts";
export type { MemoryOptions } from "./preset/memory.ts";
export { mentionsIn } from "./preset/mentions.ts";
export type { CallResult, DoorOptions, Doors } from "./preset/doors.ts";
export { openReadOnly } from "./preset/read-only.ts";
export { openSandbox, type Sandbox, type SandboxOptions } from "./preset/sandbox.ts";
export { replay, type Difference, type LiveTools, type Replayed, type ReplayOptions } from "./preset/replay.ts";
export type { AskedMore, Assembly, RunBudget, TurnOptions } from "./preset/turns.ts";
export type { TurnKeeper } from "./preset/undoing.ts";
export type { Verified, VerifyOptions } from "./preset/verifying.ts";

// Large things by handle, staging, the artifact preset.
export type { Artifact, ArtifactKind, Artifacts } from "./artifact/artifacts.ts";
export { outcomeOf, type Outcome } from "./artifact/outcome.ts";
export { keptOutputs, type OutputOptions, type Outputs } from "./artifact/outputs.ts";
export type { Media, Staging } from "./artifact/staging.ts";
export { writesWithin } from "./policy/writes-within.ts";
export { openArtifactWork, type ArtifactWork, type ArtifactWorkOptions } from "./preset/artifact.ts";
export {
  openArtifactTools,
  type ArtifactDoorOptions,
  type ArtifactDoors,
  type Trust,
} from "./preset/artifact-tools.ts";
export type { HeldFile, HeldQuery, Since } from "./workspace/held.ts";
export type { Toolset } from "./preset/toolset.ts";
export { presetOf, toolsetNames, type ToolsetName } from "./preset/toolset-names.ts";
export { loadToolset } from "./preset/toolsets.ts";
export { codeBudget, type Work, type WorkOptions } from "./preset/work.ts";
export { createBash } from "./tool/anthropic/bash.ts";
export { strReplaceBasedEditTool } from "./tool/anthropic/str_replace_based_edit_tool.ts";
