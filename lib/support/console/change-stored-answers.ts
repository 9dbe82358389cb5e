import { eq, sql } from "drizzle-orm";
import { type Db, db, type Tx, transaction } from "@/db/client";
import { storedAnswers } from "@/db/schema/support";
import { audit } from "@/lib/platform/audit";
import { versionSql } from "@/lib/platform/console/query";
import { requireShown } from "@/lib/platform/console/shown";
import type { SeenVersion } from "@/lib/platform/console/version";
import { newId } from "@/lib/platform/crypto/ids";
import { ShopError } from "@/lib/platform/errors";
import { MAX_STORED_ANSWERS } from "@/lib/support/rules";
import type { ChangeStoredAnswerInput, StoredAnswer, StoredAnswerInput, StoredAnswerList } from "./contract";

type Actor = { userId: string };

const FIELDS = sql`id as answer_id, title, texts, ${versionSql(sql`id, title, texts`)} as version`;

/** All stored answers, by title. */
export async function listStoredAnswers(): Promise<StoredAnswerList> {
  const rows = await db.execute<StoredAnswer>(sql`
    select ${FIELDS} from stored_answers order by lower(title), id limit ${MAX_STORED_ANSWERS}`);
  return { items: [...rows] };
}

async function find(tx: Db, id: string): Promise<StoredAnswer | undefined> {
  const [row] = await tx.execute<StoredAnswer>(
    sql`select ${FIELDS} from stored_answers where id = ${id} for update`,
  );
  return row;
}

/** @throws ShopError answer_unknown, revision_conflict */
async function lockShown(tx: Tx, id: string, { version }: SeenVersion): Promise<StoredAnswer> {
  const found = await find(tx, id);
  if (!found) throw new ShopError("answer_unknown");
  requireShown(version, found.version);
  return found;
}

const facts = ({ title, texts }: StoredAnswerInput) => ({ title, texts });

/** @throws ShopError answers_full */
export async function createStoredAnswer({ userId }: Actor, input: StoredAnswerInput): Promise<StoredAnswer> {
  return transaction(async (tx) => {
    const [row] = await tx.execute<{ full: boolean }>(
      sql`select count(*) >= ${MAX_STORED_ANSWERS} as full from stored_answers`,
    );
    if (row!.full) throw new ShopError("answers_full");
    const id = newId("ans");
    await tx.insert(storedAnswers).values({ id, ...facts(input) });
    const detail = { after: facts(input) };
    await audit({ actor: userId, action: "stored_answer.created", subject: id, detail }, tx);
    return (await find(tx, id))!;
  });
}

/** @throws ShopError answer_unknown, revision_conflict */
export async function changeStoredAnswer(
  { userId }: Actor,
  id: string,
  { version, ...input }: ChangeStoredAnswerInput,
): Promise<StoredAnswer> {
  return transaction(async (tx) => {
    const before = await lockShown(tx, id, { version });
    await tx.update(storedAnswers).set(facts(input)).where(eq(storedAnswers.id, id));
    const detail = { before: facts(before), after: facts(input) };
    await audit({ actor: userId, action: "stored_answer.changed", subject: id, detail }, tx);
    return (await find(tx, id))!;
  });
}

/** @throws ShopError answer_unknown, revision_conflict */
export async function deleteStoredAnswer({ userId }: Actor, id: string, seen: SeenVersion) {
  return transaction(async (tx) => {
    const before = await lockShown(tx, id, seen);
    await tx.delete(storedAnswers).where(eq(storedAnswers.id, id));
    const detail = { before: facts(before) };
    await audit({ actor: userId, action: "stored_answer.deleted", subject: id, detail }, tx);
    return { answer_id: id };
  });
}
