import { sql } from "drizzle-orm";
import { db } from "@/db/client";
import { readJournal } from "@/lib/delivery/journal/read-journal";
import type { JournalEntry } from "@/lib/delivery/journal/rules";
import { errorSummary } from "@/lib/platform/serialize-error";

export type JournalReport = {
  /**
   * The orders that each key was handed out with, without those that this database knows: it knows their state, for
   * example codes that were returned unrevealed and are in stock again.
   */
  unknown: Map<string, Set<string>>;
  /** The orders that each key was handed out with. */
  orders: Map<string, Set<string>>;
  entries: number;
  files: number;
  /** Whether it can be relied on to name every key that was handed out. */
  whole: boolean;
  problems: string[];
};

/** How long before the restored moment the journal and this database are compared. Older lines name what both know. */
const OVERLAP_HOURS = 24;

/**
 * Reads the journal of assignments and judges whether it is whole: it can be read, no writer's lines have a gap, and it names
 * what this database has assigned in the day before the restored moment. `lost`: the operator knows that it is not.
 */
export async function readCheckedJournal(since: Date, lost: boolean): Promise<JournalReport> {
  const report: JournalReport = {
    unknown: new Map(),
    orders: new Map(),
    entries: 0,
    files: 0,
    whole: false,
    problems: [],
  };
  try {
    const { entries, files, beganBefore, gaps } = await readJournal(
      new Date(since.getTime() - OVERLAP_HOURS * 3_600_000),
    );
    report.files = files;
    report.entries = entries.length;
    for (const { key, order } of entries)
      report.orders.set(key, (report.orders.get(key) ?? new Set()).add(order));
    report.unknown = await findUnknown(entries);
    report.problems.push(...gaps.map((gap) => `lines are missing: ${gap}`));
    if (entries.length === 0 && !beganBefore) report.problems.push("the journal has no line");
    else {
      // It may have begun within the day.
      const firstLine = beganBefore ? new Date(0).toISOString() : entries.map(({ at }) => at).sort()[0]!;
      report.problems.push(...(await compareOverlap(since, firstLine, report.orders)));
    }
  } catch (error) {
    report.problems.push(`the journal cannot be read: ${errorSummary(error)}`);
  }
  if (lost) report.problems.push("lines are missing, as the operator says");
  report.whole = report.problems.length === 0;
  return report;
}

const ENTRIES_PER_LOOKUP = 5_000;

/** The orders that each key was handed out with after what this database knows of it. */
async function findUnknown(entries: readonly JournalEntry[]): Promise<JournalReport["orders"]> {
  const unknown: JournalReport["orders"] = new Map();
  for (let from = 0; from < entries.length; from += ENTRIES_PER_LOOKUP) {
    const some = JSON.stringify(entries.slice(from, from + ENTRIES_PER_LOOKUP));
    const rows = await db.execute<{ key: string; order: string }>(sql`
      select j.key, j."order" from jsonb_to_recordset(${some}::jsonb) as j(key text, "order" text)
      where not exists (select from key_events e join order_lines l on l.id = e.order_line_id
        where e.key_id = j.key and e.event = 'assigned' and l.order_id = j."order")`);
    for (const { key, order } of rows) unknown.set(key, (unknown.get(key) ?? new Set()).add(order));
  }
  return unknown;
}

async function compareOverlap(
  since: Date,
  firstLine: string,
  journaled: JournalReport["orders"],
): Promise<string[]> {
  const assigned = await db.execute<{ id: string }>(sql`
    select k.id from keys k where k.assigned_at > ${firstLine}::timestamptz
      and k.assigned_at > ${since.toISOString()}::timestamptz - make_interval(hours => ${OVERLAP_HOURS})
      and k.assigned_at < ${since.toISOString()}::timestamptz
      and not exists (select from unjournaled_keys u where u.key_id = k.id)`);
  const missing = assigned.filter(({ id }) => !journaled.has(id)).length;
  return missing > 0
    ? [
        `${missing} of ${assigned.length} keys that were assigned in the day before do not stand in the journal`,
      ]
    : [];
}
