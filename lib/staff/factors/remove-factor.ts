import { and, eq, isNotNull, isNull, sql } from "drizzle-orm";
import { shopNow, type Tx } from "@/db/client";
import { secondFactors } from "@/db/schema/staff";
import { notifyOwner } from "./check-code";
import { leaveEverywhere } from "./enter-staff-mode";

/** Serializes changes of a person's factors. */
export async function lockUser(tx: Tx, userId: string): Promise<void> {
  await tx.execute(sql`select from users where id = ${userId} for no key update`);
}

export const isLiveFactor = (userId: string, confirmed: boolean) =>
  and(
    eq(secondFactors.userId, userId),
    isNull(secondFactors.endedAt),
    (confirmed ? isNotNull : isNull)(secondFactors.confirmedAt),
  );

export const hasFactor = async (tx: Tx, userId: string) =>
  (await tx.$count(secondFactors, isLiveFactor(userId, true))) > 0;

export async function endFactor(
  tx: Tx,
  userId: string,
  { confirmed }: { confirmed: boolean },
): Promise<void> {
  await tx.update(secondFactors).set({ endedAt: shopNow }).where(isLiveFactor(userId, confirmed));
}

/**
 * Removes a person's factor and recovery codes; they set up a new one when they next open the console. Mails the owner.
 * Returns in how many sessions staff mode ended.
 */
export async function removeFactor(tx: Tx, userId: string): Promise<number> {
  await lockUser(tx, userId);
  await endFactor(tx, userId, { confirmed: true });
  await endFactor(tx, userId, { confirmed: false });
  const left = await leaveEverywhere(tx, userId);
  await notifyOwner(tx, userId, "second_factor_reset");
  return left;
}

/** Lets a person whose factor is locked after wrong codes try again. False: it was not locked. */
export async function unlockFactor(tx: Tx, userId: string): Promise<boolean> {
  const unlocked = await tx
    .update(secondFactors)
    .set({ failures: 0, lockedUntil: null })
    .where(and(eq(secondFactors.userId, userId), sql`${secondFactors.lockedUntil} > shop_now()`))
    .returning({ id: secondFactors.id });
  return unlocked.length > 0;
}
