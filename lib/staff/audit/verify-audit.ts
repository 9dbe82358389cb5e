import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { sql } from "drizzle-orm";
import { db } from "@/db/client";
import { env } from "@/lib/platform/env";
import { AUDIT_SEALED_WITHIN_MINUTES } from "@/lib/staff/rules";
import { CHAIN_START, type SealedEntry } from "./rules";
import { type ChainHead, ENTRY_FIELDS_SQL, sealHash } from "./seal-audit";

export type AuditProblem = {
  /** null when the problem concerns the chain */
  entryId: number | null;
  kind: "hash" | "gap" | "lost_entry" | "unsealed" | "head" | "heads_differ" | "heads_missing";
  /** One sentence, in English. */
  message: string;
};
export type AuditReport = { entries: number; sealed: number; heads: number; problems: number };

type SealRow = Omit<SealedEntry, "id"> & {
  id: string | null;
  entry_id: string;
  position: string;
  hash: string;
};
const BATCH = 2_000;

/**
 * Verifies the audit log: recomputes every seal, and reports changed and removed entries, gaps, entries without a seal for
 * too long, and seals that differ from the heads that were copied off the database.
 */
export async function verifyAudit(
  onProblem: (problem: AuditProblem) => void,
  { headsFile = env().AUDIT_HEADS_FILE }: { headsFile?: string | undefined } = {},
): Promise<AuditReport> {
  const report: AuditReport = { entries: 0, sealed: 0, heads: 0, problems: 0 };
  const addProblem = (entryId: number | null, kind: AuditProblem["kind"], message: string) => {
    report.problems += 1;
    onProblem({ entryId, kind, message });
  };
  const heads = await readHeads(headsFile);
  const headsByPosition = groupHeads(heads ?? []);
  report.heads = [...headsByPosition.values()].reduce((count, { length }) => count + length, 0);
  for (const [position, [head, ...others]] of headsByPosition)
    if (head && others.length > 0)
      addProblem(
        head.entry_id,
        "heads_differ",
        `${others.length + 1} different heads of the position ${position} were copied: its seals were made again.`,
      );
  let previous = CHAIN_START;
  let position = 0;
  for (;;) {
    const seals = await readSeals(position);
    for (const seal of seals) {
      report.sealed += 1;
      const entryId = Number(seal.entry_id);
      const expected = position + 1;
      position = Number(seal.position);
      if (position !== expected) addProblem(entryId, "gap", `The seal ${position} follows ${expected - 1}.`);
      if (seal.id === null) addProblem(entryId, "lost_entry", `The sealed entry ${entryId} is gone.`);
      else if (seal.hash !== sealHash(previous, position, { ...seal, id: entryId }))
        addProblem(entryId, "hash", `The entry ${entryId} (${seal.action}) differs from the sealed one.`);
      const copied = headsByPosition.get(position);
      if (copied && !copied.some((head) => head.hash === seal.hash && head.entry_id === entryId))
        addProblem(
          entryId,
          "head",
          `The seal ${position} differs from the head that was copied off the database.`,
        );
      headsByPosition.delete(position);
      previous = seal.hash;
    }
    if (seals.length < BATCH) break;
  }
  for (const head of [...headsByPosition.values()].flatMap(([first]) => first ?? []))
    addProblem(head.entry_id, "head", `The copied head ${head.position} has no seal: the chain was cut.`);
  const [count] = await db.execute<{ entries: number }>(
    sql`select count(*)::int as entries from audit_entries`,
  );
  report.entries = count?.entries ?? 0;
  const overdue = await readOverdueEntries();
  // A new shop has no head before its first seal.
  if (heads === null && headsFile && (report.sealed > 0 || overdue.length > 0))
    addProblem(
      null,
      "heads_missing",
      `There is no file ${headsFile}, into which the newest seals are copied.`,
    );
  for (const { id, action } of overdue)
    addProblem(Number(id), "unsealed", `The entry ${id} (${action}) is not sealed.`);
  return report;
}

const readSeals = (after: number): Promise<SealRow[]> =>
  db.execute<SealRow>(sql`
    select s.entry_id::text as entry_id, s.position::text as position, s.hash, ${ENTRY_FIELDS_SQL}
    from audit_seals s left join audit_entries e on e.id = s.entry_id
    where s.position > ${after} order by s.position limit ${BATCH}`);

const readOverdueEntries = () =>
  db.execute<{ id: string; action: string }>(sql`
    select e.id::text as id, e.action from audit_entries e
    where e.created_at < shop_now() - make_interval(mins => ${AUDIT_SEALED_WITHIN_MINUTES})
      and not exists (select from audit_seals s where s.entry_id = e.id)
    order by e.id limit 1000`);

/**
 * The different heads of each position, as they were copied. A position has one, because a seal never changes; a second one
 * is of seals that were deleted and made again.
 */
function groupHeads(heads: readonly ChainHead[]): Map<number, ChainHead[]> {
  const byPosition = new Map<number, ChainHead[]>();
  for (const head of heads) {
    const copied = byPosition.get(head.position) ?? [];
    if (!copied.some(({ hash, entry_id }) => hash === head.hash && entry_id === head.entry_id))
      byPosition.set(head.position, [...copied, head]);
  }
  return byPosition;
}

/** The heads of a file; null: there is none. A line that was cut off is left out. */
async function readHeads(file: string | undefined): Promise<ChainHead[] | null> {
  if (!file || !existsSync(file)) return null;
  const lines = (await readFile(file, "utf8")).split("\n").filter(Boolean);
  return lines.flatMap((line) => {
    try {
      const { entry_id, position, hash } = JSON.parse(line) as ChainHead;
      return [{ entry_id, position, hash }];
    } catch {
      return [];
    }
  });
}
