import { expect, it } from "vitest";
import { withRow } from "@/lab/faults/record";
import { type Row, renderTable } from "@/lab/faults/table";

const row = (trial: string, trials: number): Row => ({
  invariant: "A coupon is used once",
  trial,
  trials,
  violations: 0,
  recovery: "–",
  brokenVariant: "–",
  day: "2026-11-20",
});

it("a new result of a fault trial replaces the row of the same trial, and keeps the others", () => {
  const document = `# Fault trials\n\n${renderTable([row("200 buyers", 10), row("2 buyers", 20)])}\n`;
  const changed = `# Fault trials\n\n${renderTable([row("200 buyers", 30), row("2 buyers", 20)])}\n`;
  expect(withRow(document, row("200 buyers", 30))).toBe(changed);
  const added = `# Fault trials\n\n${renderTable([row("200 buyers", 10), row("2 buyers", 20), row("3 buyers", 40)])}\n`;
  expect(withRow(document, row("3 buyers", 40))).toBe(added);
});
