/** The port of the rules about commands: what a program with its arguments, or a line for bash, is to be taken for. */

/** A program and its arguments, or the text of a shell command. */
export type CommandLine = readonly string[] | string;

/**
 * allow: may run unasked, in an enclosure. ask: always a question. deny: never. unlisted: no rule knows it, a question
 * unless the user said yes to all such. `rule` names what decided, for people.
 */
export type CommandVerdict = {
  decision: "allow" | "ask" | "deny" | "unlisted";
  rule: string;
  /** "git": every part is a git command that may write to `.git`. */
  profile: "plain" | "git";
};

/** What may be run: a command in, a verdict out. */
export interface CommandPolicy {
  /** Pure and synchronous. What cannot be parsed is "ask". */
  judge(command: CommandLine): CommandVerdict;
}
