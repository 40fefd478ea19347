/** Whether a check that passed has run any test, as far as its runner is known and says so. */

import type { CheckCommand } from "./check-command.ts";

/** `runs`: told by the command and the scripts it calls. `counts`: what its report says of each test that passed. Data. */
const runners: readonly { runs: RegExp; counts: RegExp }[] = [
  { runs: /\bpytest\b/, counts: /\b[1-9]\d* (?:passed|xfailed|xpassed)\b|\[100%\]/ },
  { runs: /\bunittest\b/, counts: /^Ran [1-9]\d* tests?/m },
  { runs: /\bnode\b.*\s--test\b/, counts: /^(?:# |\u2139 )pass [1-9]/m },
  { runs: /\bvitest\b/, counts: /^\s*Tests\s.*\b[1-9]\d* passed/m },
  { runs: /\bjest\b/, counts: /^Tests:.*\b[1-9]\d* passed/m },
  { runs: /\bmocha\b/, counts: /\b[1-9]\d* passing\b/ },
  { runs: /\bcargo test\b/, counts: /^test result: ok\. [1-9]/m },
  { runs: /\bgo test\b/, counts: /^ok\s+\S+\s+(?!.*\[no tests to run\])/m },
  { runs: /\brspec\b/, counts: /\b[1-9]\d* examples?,/ },
];

/** Options that take the report away, or give it another form. */
const otherwiseReported = /\s(?:--?(?:test-)?reporters?|-R|--quiet|--silent|-qq+|--json|--no-summary|--format|-o)\b/;

/**
 * False where a report is due and tells of no test that passed: the code under test may have ended the runner, or there
 * was nothing to run. A runner that is not known is believed.
 */
export function hasRunTests({ command, calls = "" }: CheckCommand, output: string): boolean {
  const lines = `${command}\n${calls}`;
  if (otherwiseReported.test(lines)) return true;
  const due = runners.filter(({ runs }) => runs.test(lines));
  return due.length === 0 || due.some(({ counts }) => counts.test(output));
}
