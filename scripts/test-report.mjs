import { existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { dirname } from "node:path";

/** Makes room for a report, so that one of an earlier run is never counted. */
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
  return settle(code, {
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
  return settle(code, { passed: expected + flaky, failed: unexpected, skipped });
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

/** A runner that complains although every test passed, or that found none, has failed all the same. */
function settle(code, counts) {
  if (counts.failed > 0) return counts;
  if (counts.passed + counts.skipped === 0)
    return { ...counts, failed: 1, note: `no test ran (code ${code})` };
  return code === 0
    ? counts
    : { ...counts, failed: 1, note: `it ended with code ${code} although no test failed` };
}
