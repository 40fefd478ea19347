/** The port of a tool, and `defineTool`, which makes one from a zod schema. */

import { z } from "zod";
import type { Outputs } from "../artifact/outputs.ts";
import { Failure, type FailureData } from "../error.ts";
import type { CitationState, Inner, Status } from "../event.ts";
import type { ImageBlock, TextBlock } from "../message.ts";
import type { DefinedBy, ToolSpec } from "../model/model.ts";
import type { Runner } from "../process/runner.ts";
import type { Landed } from "../workspace/change.ts";
import type { Ledger, Shown } from "../workspace/ledger.ts";
import type { Workspace } from "../workspace/workspace.ts";

/** What an agent of its own found out. */
export type Explored = {
  status: Status;
  /** The last thing it said; empty where it came to none. */
  answer: string;
  failure?: FailureData | undefined;
  steps: number;
  /** What the answer cites, as it was checked. */
  citations: readonly { ref: string; state: CitationState; reason?: string | undefined }[];
  /** The lines that the answer cites and that were verified. */
  cited: readonly Shown[];
  /** Every file of which it was shown something. */
  files: readonly string[];
};

/** Doors, never files or processes: whatever a tool does has passed the gate. */
export type ToolContext = {
  workspace: Workspace;
  ledger: Ledger;
  /** Absent where programs are not run. */
  runner?: Runner | undefined;
  /** Where long outputs and results are kept whole, and what they are read with. Absent where none are kept. */
  outputs?: Outputs | undefined;
  /** Characters of a result that reach the model: what is beyond them is cut. Default: 100,000. */
  resultLimit?: number | undefined;
  /** Takes pieces of output for a person who watches. */
  progress?: ((text: string) => void) | undefined;
  /**
   * Has a question answered by an agent with messages of its own, which only reads. Absent where there is none. Throws
   * the signal's reason once that fires; every other end is a status.
   */
  explore?: ((question: string) => Promise<Explored>) | undefined;
  /** Takes what an agent tells that works inside this call; what it uses, the turn uses. */
  inner?: ((event: Inner) => void) | undefined;
  signal: AbortSignal;
};

/**
 * `content` for the model, `details` for people. `shown`: the lines that `content` really holds, or the model wrote
 * itself. `landed`: the files that were changed.
 */
export type ToolResult = {
  content: (TextBlock | ImageBlock)[];
  shown?: readonly Shown[] | undefined;
  landed?: readonly Landed[] | undefined;
  details?: unknown;
};

/** What a tool may do besides looking. A call that executes may write too. */
export type Effect = "read" | "write" | "execute";

/** Something that a model may ask for. `defineTool` makes one. */
export interface Tool<Input = unknown> {
  readonly name: string;
  readonly description: string;
  /** JSON Schema of the input, worked out when it is first looked at. */
  readonly schema: object;
  /** Absent for a tool that no service knows by itself. */
  readonly wire?: DefinedBy | undefined;
  /** Reads of one reply run together, all else in order. */
  readonly effect: Effect;
  /** Whether a call changes nothing in the project. Default: as the effect says. */
  changesNothing?(input: Input): boolean;
  /** Throws Failure E_INVALID_INPUT naming field and problem. */
  parse(input: unknown): Input;
  /** Throws Failure; the loop makes it an error result. */
  run(input: Input, context: ToolContext): Promise<ToolResult>;
}

export type ToolDefinition<Schema extends z.ZodType> = {
  name: string;
  description: string;
  wire?: DefinedBy | undefined;
  /** A function is called once, when the schema is first needed: to make one takes longer than all else of a tool. */
  input: Schema | (() => Schema);
  effect: Effect;
  changesNothing?: ((input: z.output<Schema>) => boolean) | undefined;
  run(input: z.output<Schema>, context: ToolContext): Promise<ToolResult>;
};

/**
 * A tool from a zod schema: the JSON Schema the model sees and the parser that guards `run` come from the same object.
 */
export function defineTool<Schema extends z.ZodType>(definition: ToolDefinition<Schema>): Tool<z.output<Schema>> {
  let made: Schema | undefined;
  let schema: object | undefined;

  function input(): Schema {
    const { input } = definition;
    return (made ??= input instanceof z.ZodType ? input : input());
  }

  return {
    name: definition.name,
    description: definition.description.trimEnd(), // words in a file end in a line feed
    wire: definition.wire,
    effect: definition.effect,
    changesNothing: (input) => definition.changesNothing?.(input) ?? definition.effect === "read",
    get schema() {
      return (schema ??= schemaOf(input()));
    },
    parse(given) {
      const parsed = input().safeParse(given ?? {});
      if (parsed.success) return parsed.data;
      throw new Failure("E_INVALID_INPUT", `Invalid input: ${parsed.error.issues.map(describeIssue).join("; ")}.`, {
        remedy: `Correct it and call ${definition.name} again.`,
      });
    },
    run: (input, context) => definition.run(input, context),
  };
}

/** The same tool with another way to run. */
export function withRun<Input>(tool: Tool<Input>, run: Tool<Input>["run"]): Tool<Input> {
  return toolWith(tool, { run });
}

/** The same tool but for these parts; a schema that is none of them is still worked out when it is first looked at. */
export function toolWith<Input>(
  tool: Tool<Input>,
  parts: Partial<Pick<Tool<Input>, "schema" | "parse" | "run">>,
): Tool<Input> {
  return {
    name: tool.name,
    description: tool.description,
    wire: tool.wire,
    effect: tool.effect,
    changesNothing: (input) => changesNothing(tool, input),
    get schema() {
      return tool.schema;
    },
    parse: (input) => tool.parse(input),
    run: (input, context) => tool.run(input, context),
    ...parts,
  };
}

/** Whether a call of whatever tool changes nothing in the project; `input`: as parsed. */
export function changesNothing<Input>(tool: Tool<Input>, input: Input): boolean {
  return tool.changesNothing?.(input) ?? tool.effect === "read";
}

/** What a model is told of a tool. */
export function specOf({ name, description, schema, wire }: Tool): ToolSpec {
  return { name, description, schema, ...(wire !== undefined && { wire }) };
}

function schemaOf(input: z.ZodType): object {
  const { $schema: _, ...schema } = z.toJSONSchema(input, { io: "input" });
  return schema;
}

function describeIssue(issue: z.core.$ZodIssue): string {
  const field = issue.path.join(".");
  return field === "" ? issue.message : `${field}: ${issue.message}`;
}

/** A result of nothing but text. */
export function textResult(text: string, shown?: readonly Shown[]): ToolResult {
  return { content: [{ type: "text", text }], shown };
}
