import { type SQL, sql } from "drizzle-orm";
import { db } from "@/db/client";
import { emailIdentityHash } from "@/lib/platform/auth/email-identity";
import { LINE_SEEN_SQL } from "@/lib/reviews/create-review";
import type { ReviewRule } from "@/lib/reviews/rules";

const BATCH = 500;

/**
 * Hides the published reviews that break a rule of `createReview`, such as those that are older than the rule, or of
 * someone who joined the merchant later. Demo reviews are left alone. Returns how many it hid. Safe to repeat and to
 * stop.
 */
export async function hideUnfitReviews(): Promise<number> {
  await fillIdentities();
  const line = sql`select from order_lines l where l.order_id = r.order_id and l.product_id = r.product_id`;
  const refunded = await hide(
    "refunded",
    sql`not exists (${line} and l.state <> 'refunded' and l.refunded_quantity < l.quantity)`,
  );
  const unrevealed = await hide("code_unseen", sql`not exists (${line} and ${LINE_SEEN_SQL})`);
  const own = await hideOwn();
  const duplicates = await hide(
    "duplicate",
    sql`exists (select from reviews n where n.product_id = r.product_id and n.state = 'published' and not n.demo
      and (n.user_id = r.user_id or n.author_identity = r.author_identity) and (n.created_at, n.id) > (r.created_at, r.id))`,
  );
  return refunded + unrevealed + own + duplicates;
}

async function hide(rule: ReviewRule, condition: SQL): Promise<number> {
  const hidden = await db.execute<{ id: string }>(sql`
    update reviews r set state = 'hidden', hidden_at = shop_now(), hidden_reason = ${`rule:${rule}`}
    where r.state = 'published' and not r.demo and ${condition} returning r.id`);
  return hidden.length;
}

/** The reviews by people of the merchant: its members, and other accounts of their email identities. */
async function hideOwn(): Promise<number> {
  const people = await db.execute<{ merchant: string; user: string; email: string }>(sql`
    select m.merchant_id as merchant, m.user_id as "user", u.email from merchant_members m join users u on u.id = m.user_id
    where m.ended_at is null`);
  let hidden = 0;
  for (const { merchant, user, email } of people)
    hidden += await hide(
      "own_merchant",
      sql`r.merchant_id = ${merchant} and (r.user_id = ${user} or r.author_identity = ${emailIdentityHash(email)})`,
    );
  return hidden;
}

/** Fills in the identities of authors with a verified address, for reviews from before they were kept. */
async function fillIdentities(): Promise<void> {
  for (;;) {
    const rows = await db.execute<{ id: string; email: string }>(sql`
      select r.id, u.email from reviews r join users u on u.id = r.user_id
      where r.state = 'published' and not r.demo and r.author_identity is null and u.email_verified_at is not null
        and u.deleted_at is null order by r.id limit ${BATCH}`);
    for (const { id, email } of rows)
      await db.execute(
        sql`update reviews set author_identity = ${emailIdentityHash(email)} where id = ${id}`,
      );
    if (rows.length < BATCH) return;
  }
}
