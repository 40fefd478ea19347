/** The filter as the kernel takes it: a classic BPF program, made from the rules. */

import type { Machine } from "./calls.ts";
import { rules, type Rule } from "./rules.ts";

/** Opcode, where to jump if true and if false (relative to the next), and the constant. */
type Instruction = readonly [code: number, ifTrue: number, ifFalse: number, constant: number];

const load = 0x20;
const jumpIfEqual = 0x15;
const jumpIfAtLeast = 0x35;
const jumpIfAnyBit = 0x45;
const give = 0x06;

const allow = 0x7fff_0000;
const killProcess = 0x8000_0000;
const answers = { refuse: 0x0005_0001, unknown: 0x0005_0026 } as const; // EPERM, ENOSYS

/** Where things lie in what the filter is shown. Of an argument, its lower half. */
const callAt = 0;
const machineAt = 4;
const argumentAt = (index: number): number => 16 + 8 * index;

const instructionBytes = 8;

/** The bytes for `bwrap --seccomp`, in the byte order of the machines we know. */
export function seccompFilter(machine: Machine): Uint8Array {
  const program: Instruction[] = [
    [load, 0, 0, machineAt],
    [jumpIfEqual, 1, 0, machine.audit],
    [give, 0, 0, killProcess],
    [load, 0, 0, callAt],
    ...(machine.foreign === undefined ? [] : foreignCalls(machine.foreign)),
    ...rules.flatMap((rule) => rule.calls.flatMap((call) => judged(machine.calls[call], rule))),
    [give, 0, 0, allow],
  ];
  const bytes = new DataView(new ArrayBuffer(program.length * instructionBytes));
  for (const [index, [code, ifTrue, ifFalse, constant]] of program.entries()) {
    const at = index * instructionBytes;
    bytes.setUint16(at, code, true);
    bytes.setUint8(at + 2, ifTrue);
    bytes.setUint8(at + 3, ifFalse);
    bytes.setUint32(at + 4, constant, true);
  }
  return new Uint8Array(bytes.buffer);
}

function foreignCalls(from: number): Instruction[] {
  return [
    [jumpIfAtLeast, 0, 1, from],
    [give, 0, 0, killProcess],
  ];
}

/** For one call: skipped unless it is that call; the number of the call is loaded before and after. */
function judged(call: number | undefined, rule: Rule): Instruction[] {
  if (call === undefined) return [];
  const verdict: Instruction[] =
    "answer" in rule ? [[give, 0, 0, answers[rule.answer]]] : [...argumentTest(rule), [load, 0, 0, callAt]];
  return [[jumpIfEqual, 0, verdict.length, call], ...verdict];
}

function argumentTest(rule: Exclude<Rule, { answer: string }>): Instruction[] {
  if ("bits" in rule) {
    const test = refusedIf({ argument: rule.argument, bits: rule.bits });
    const { when } = rule;
    return when === undefined ? test : [...skippedUnless(when, test.length), ...test];
  }
  const among = "among" in rule;
  const values = among ? rule.among : rule.notAmong;
  // A value that is found jumps onto the refusal or past it; the last one that is not found does the other.
  const tests = values.map((value, index): Instruction => {
    const rest = values.length - 1 - index;
    const found = among ? rest : rest + 1;
    const notFound = rest > 0 ? 0 : among ? 1 : 0;
    return [jumpIfEqual, found, notFound, value];
  });
  return [[load, 0, 0, argumentAt(rule.argument)], ...tests, refusal];
}

function refusedIf({ argument, bits }: { argument: number; bits: number }): Instruction[] {
  return [[load, 0, 0, argumentAt(argument)], [jumpIfAnyBit, 0, 1, bits], refusal];
}

function skippedUnless({ argument, bits }: { argument: number; bits: number }, length: number): Instruction[] {
  return [
    [load, 0, 0, argumentAt(argument)],
    [jumpIfAnyBit, 0, length, bits],
  ];
}

const refusal: Instruction = [give, 0, 0, answers.refuse];
