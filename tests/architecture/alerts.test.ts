import { spawnSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { needs } from "@/tests/setup/needs";
import { check, type Repository } from "./repository";

const RULES = "deploy/monitoring/alerts.yaml";
const TESTS = "deploy/monitoring/alerts.test.yaml";

type Rules = { groups: { rules: { alert: string }[] }[] };
type Tests = { tests: { alert_rule_test: { alertname: string; exp_alerts: unknown[] }[] }[] };

/** Each rule has a case in which it fires, and one in which it does not. */
function untested(repo: Pick<Repository, "read">): string[] {
  const { groups } = parse(repo.read(RULES)) as Rules;
  const { tests } = parse(repo.read(TESTS)) as Tests;
  const cases = tests.flatMap(({ alert_rule_test }) => alert_rule_test);
  const names = groups.flatMap(({ rules }) => rules.map(({ alert }) => alert));
  const has = (alert: string, fires: boolean) =>
    cases.some(({ alertname, exp_alerts }) => alertname === alert && exp_alerts.length > 0 === fires);
  return [
    ...names.filter((name) => !has(name, true)).map((name) => `${TESTS}: no case in which ${name} fires`),
    ...names
      .filter((name) => !has(name, false))
      .map((name) => `${TESTS}: no case in which ${name} does not fire`),
    ...cases
      .filter(({ alertname }) => !names.includes(alertname))
      .map(({ alertname }) => `${TESTS} names ${alertname}, which is no rule`),
  ];
}

/** Part of Debian's package prometheus. Without it only the completeness of the cases is checked. */
const hasPromtool = spawnSync("promtool", ["--version"]).status === 0;

describe("alert rules", () => {
  check("have a case in which they fire and one in which they do not", untested);

  it("pass their cases in promtool", needs(hasPromtool, "promtool"), () => {
    const { status, stdout, stderr } = spawnSync("promtool", ["test", "rules", "alerts.test.yaml"], {
      cwd: "deploy/monitoring",
      encoding: "utf8",
    });
    expect(stdout + stderr).not.toContain("FAILED");
    expect(status).toBe(0);
  });
});
