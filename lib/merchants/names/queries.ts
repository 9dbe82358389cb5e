import { sql } from "drizzle-orm";
import type { Db, Tx } from "@/db/client";
import { ADVISORY_LOCKS } from "@/lib/platform/advisory-locks";
import { versionSql } from "@/lib/platform/console/query";
import { ShopError } from "@/lib/platform/errors";
import { foldLookalikes } from "@/lib/platform/lookalikes";
import { findNameFlaw, type NameFlaw } from "@/lib/platform/names";
import { shopNames } from "@/lib/platform/seller";

export type NameProblem = NameFlaw | "name_taken";

/**
 * Why a merchant may not have a name; null: it may. Names are compared as a hasty reader takes them, with those of all
 * merchants that have not ended. `merchantId`: the one that asks for it.
 */
export async function findNameProblem(tx: Tx, name: string, merchantId: string): Promise<NameProblem | null> {
  const flaw = findNameFlaw(name, shopNames());
  if (flaw) return flaw;
  const folded = foldLookalikes(name);
  const others = await tx.execute<{ name: string }>(
    sql`select name from merchants where state <> 'ended' and id <> ${merchantId}`,
  );
  return others.some((other) => foldLookalikes(other.name) === folded) ? "name_taken" : null;
}

/** Lets one name after the other be given until the transaction ends. @throws ShopError of the problem */
export async function requireName(tx: Tx, name: string, merchantId: string): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(${ADVISORY_LOCKS.merchantNames})`);
  const problem = await findNameProblem(tx, name, merchantId);
  if (problem) throw new ShopError(problem);
}

/** SQL: the version of the name that a merchant `m` asks for, with the one that it has. */
export const NAME_VERSION = versionSql(sql`m.id`, sql`m.name`, sql`m.proposed_name`, sql`m.proposed_name_at`);

/** The email to an owner about a name: of a merchant with the name that it has, and the one that was refused. */
export async function nameMail(
  tx: Db,
  merchantId: string,
  { decision, refused, note }: { decision: string; refused: string | null; note: string },
) {
  const [merchant] = await tx.execute<{ name: string; handle: string }>(
    sql`select name, handle from merchants where id = ${merchantId}`,
  );
  if (!merchant || (decision !== "approved" && decision !== "refused")) return null;
  return { merchant: merchant.name, handle: merchant.handle, decision, refused, note } as const;
}
