import { sql } from "drizzle-orm";
import type { Tx } from "@/db/client";
import { ADVISORY_LOCKS } from "@/lib/platform/advisory-locks";
import { ShopError } from "@/lib/platform/errors";
import { foldLookalikes } from "@/lib/platform/lookalikes";
import { findNameFlaw, type NameFlaw } from "@/lib/platform/names";
import { shopNames } from "@/lib/platform/seller";

export type NameProblem = NameFlaw | "name_taken";

/**
 * Why a merchant may not have a name; null: it may. Names are compared as a hasty reader perceives them, with those of
 * all merchants that have not ended. `merchantId`: the one that requests it.
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
