import { existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { dirname } from "node:path";

/** Deletes the report of an earlier run, so that it is never counted. */
export function clearReport(path) {
  mkdirSync(dirname(path), { recursive: true });
  rmSync(path, { force: true });
}

/** Counts of vitest's JSON report; a file that failed before its tests counts as one failed test. */
export function countVitest(path, code) {
  const report = readReport(path);
  if (!report) return crashed(code);
  const lost = report.testResults.filter(
    (file) => file.status === "failed" && file.assertionResults.length === 0,
  );
  return withExitCode(code, {
    passed: report.numPassedTests,
    failed: report.numFailedTests + lost.length,
    skipped: report.numPendingTests + report.numTodoTests,
  });
}

/** Counts of Playwright's JSON report. */
export function countPlaywright(path, code) {
  const report = readReport(path);
  if (!report) return crashed(code);
  const { expected, flaky, unexpected, skipped } = report.stats;
  return withExitCode(code, { passed: expected + flaky, failed: unexpected, skipped });
}

function readReport(path) {
  try {
    return existsSync(path) ? JSON.parse(readFileSync(path, "utf8")) : undefined;
  } catch {
    return undefined;
  }
}

function crashed(code) {
  return { passed: 0, failed: 1, skipped: 0, note: `it ended with code ${code} and left no report` };
}

/** A runner that ends with an error although every test passed, or that found no test, has failed. */
function withExitCode(code, counts) {
  if (counts.failed > 0) return counts;
  if (counts.passed + counts.skipped === 0)
    return { ...counts, failed: 1, note: `no test ran (code ${code})` };
  return code === 0
    ? counts
    : { ...counts, failed: 1, note: `it ended with code ${code} although no test failed` };
}
