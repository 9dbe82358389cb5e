import { sql } from "drizzle-orm";
import { type Tx, transaction } from "@/db/client";
import { reviews } from "@/db/schema/reviews";
import { ADVISORY_LOCKS } from "@/lib/platform/advisory-locks";
import { emailIdentityHash } from "@/lib/platform/auth/email-identity";
import { findOwnMerchants } from "@/lib/platform/auth/merchant-people";
import type { UserViewer } from "@/lib/platform/auth/session";
import { newId } from "@/lib/platform/crypto/ids";
import { ShopError } from "@/lib/platform/errors";
import { enqueue } from "@/lib/platform/jobs/queue";
import type { CreateReviewInput } from "./contract";
import { ReviewWritten } from "./contract-jobs";
import { detectLanguage } from "./rules";

/** SQL: a code of a line `l` was shown, mailed or activated, also one that was replaced since. */
export const LINE_SEEN_SQL =
  sql.raw(`exists (select from keys k where k.order_line_id = l.id and k.state in ('assigned', 'revoked')
  and (k.first_revealed_at is not null or k.mailed_at is not null or k.activated_at is not null))`);

/**
 * Publishes a review (`/comment/create`) of a product in the viewer's order that was delivered and seen, not fully refunded
 * and not given away as a gift. Each person has one live review of a product, and none of a merchant they belong to.
 * @throws ShopError order_unknown (also for another user's or a hidden order), review_not_bought, review_code_unrevealed,
 * review_own_product, review_exists
 */
export async function createReview(viewer: UserViewer, input: CreateReviewInput) {
  return transaction(async (tx) => {
    const [order] = await tx.execute<{ bought: boolean; seen: boolean; merchant: string | null }>(sql`
      select o.status in ('shipped', 'completed') and exists (select from order_lines l
        where l.order_id = o.id and l.product_id = ${input.product_id} and l.refunded_quantity < l.quantity)
          and not exists (select from gifts g
          where g.order_id = o.id and g.state <> 'returned' and g.claimed_by is distinct from o.user_id) as bought,
        exists (select from order_lines l where l.order_id = o.id and l.product_id = ${input.product_id} and ${LINE_SEEN_SQL}) as seen,
        (select p.merchant_id from products p where p.id = ${input.product_id}) as merchant
      from orders o where o.id = ${input.order_id} and o.user_id = ${viewer.userId} and o.hidden_at is null for share`);
    if (!order) throw new ShopError("order_unknown");
    if (!order.bought) throw new ShopError("review_not_bought");
    if (!order.seen) throw new ShopError("review_code_unrevealed");
    const own = await findOwnMerchants(tx, viewer, order.merchant ? [order.merchant] : []);
    if (own.length > 0) throw new ShopError("review_own_product");
    const authorIdentity = viewer.emailVerified ? emailIdentityHash(viewer.email) : null;
    await requireFirst(tx, viewer, input.product_id, authorIdentity);
    const { product_id: productId, order_id: orderId, rating, title, content } = input;
    const id = newId("rev");
    const locale = detectLanguage(`${title} ${content}`, viewer.locale);
    const [row] = await tx
      .insert(reviews)
      .values({
        id,
        productId,
        orderId,
        userId: viewer.userId,
        authorIdentity,
        rating,
        title,
        content,
        locale,
      })
      .onConflictDoNothing({ target: [reviews.orderId, reviews.productId] })
      .returning({ id: reviews.id });
    if (!row) throw new ShopError("review_exists");
    await enqueue(tx, ReviewWritten, { reviewId: id });
    return { review_id: id };
  });
}

/** Serializes the reviews of a product. @throws ShopError review_exists where the person has a live review of it */
async function requireFirst(
  tx: Tx,
  { userId }: UserViewer,
  productId: number,
  authorIdentity: string | null,
): Promise<void> {
  await tx.execute(
    sql`select pg_advisory_xact_lock(${ADVISORY_LOCKS.reviewsOfProduct}::int, ${productId}::int)`,
  );
  const earlier = await tx.execute(sql`
    select from reviews r where r.product_id = ${productId} and r.state = 'published'
      and (r.user_id = ${userId} or r.author_identity = ${authorIdentity}) limit 1`);
  if (earlier.length > 0) throw new ShopError("review_exists");
}
