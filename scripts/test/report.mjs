import { existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { dirname, relative } from "node:path";
import { root } from "../start/run.mjs";

/** Removes the report of an earlier run. */
export function clearReport(path) {
  mkdirSync(dirname(path), { recursive: true });
  rmSync(path, { force: true });
}

/** The different lines of a file, with how often each is in it. A missing file has none. */
export function countLines(path) {
  const counts = new Map();
  const lines = existsSync(path) ? readFileSync(path, "utf8").trim().split("\n") : [];
  for (const line of lines) counts.set(line, (counts.get(line) ?? 0) + 1);
  return counts;
}

/**
 * Counts the tests of vitest's JSON report. A file that failed before its tests counts as one failed test. `runErrors` is
 * the file of the reasons why a run failed although no test did (tests/setup/run-notes.ts).
 */
export function countVitest(path, code, runErrors) {
  const report = readReport(path);
  if (!report) return crashed(code);
  const reasons = existsSync(runErrors) ? readFileSync(runErrors, "utf8").trim().split("\n") : [];
  const failedFiles = report.testResults.filter(
    (file) => file.status === "failed" && file.assertionResults.length === 0,
  );
  return checkExitCode(code, {
    reasons,
    passed: report.numPassedTests,
    failed: report.numFailedTests + failedFiles.length,
    skipped: report.numPendingTests + report.numTodoTests,
    failures: [
      ...failedFiles.map((file) => relative(root, file.name)),
      ...report.testResults.flatMap((file) =>
        file.assertionResults
          .filter((test) => test.status === "failed")
          .map((test) => `${relative(root, file.name)} > ${test.fullName}`),
      ),
    ],
  });
}

/** Counts the tests of Playwright's JSON report. */
export function countPlaywright(path, code) {
  const report = readReport(path);
  if (!report) return crashed(code);
  const { expected, flaky, unexpected, skipped } = report.stats;
  const failures = report.suites.flatMap(listFailedSpecs);
  return checkExitCode(code, { passed: expected + flaky, failed: unexpected, skipped, failures });
}

function listFailedSpecs({ specs = [], suites = [] }) {
  const failed = specs.filter((spec) => !spec.ok).map((spec) => `${spec.file} > ${spec.title}`);
  return [...failed, ...suites.flatMap(listFailedSpecs)];
}

function readReport(path) {
  try {
    return existsSync(path) ? JSON.parse(readFileSync(path, "utf8")) : undefined;
  } catch {
    return undefined;
  }
}

function crashed(code) {
  return { passed: 0, failed: 1, skipped: 0, note: `it ended with code ${code} and wrote no report` };
}

/** A run without tests, or with an exit code other than 0 although all tests passed, counts as failed. */
function checkExitCode(code, { reasons = [], ...counts }) {
  if (counts.failed > 0) return { ...counts, failures: [...counts.failures, ...reasons] };
  if (counts.passed + counts.skipped > 0 && code === 0) return counts;
  const note =
    counts.passed + counts.skipped === 0
      ? `no test ran (code ${code})`
      : `it ended with code ${code} although no test failed`;
  return { ...counts, failed: 1, failures: reasons.length > 0 ? reasons : [note], note };
}
