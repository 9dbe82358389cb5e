import { sql } from "drizzle-orm";
import { type Db, transaction } from "@/db/client";
import { reviews } from "@/db/schema/reviews";
import type { UserViewer } from "@/lib/platform/auth/session";
import { newId } from "@/lib/platform/crypto/ids";
import { ShopError } from "@/lib/platform/errors";
import type { CreateReviewInput } from "./contract";
import { detectLanguage } from "./rules";

/**
 * Publishes a review (`/comment/create`) of a product in the viewer's order that was delivered, not fully refunded
 * and not given away as a gift.
 * @throws ShopError order_unknown (also for another user's or a hidden order), review_not_bought, review_exists
 */
export async function createReview(viewer: UserViewer, input: CreateReviewInput) {
  return transaction(async (tx) => {
    const [order] = await tx.execute<{ bought: boolean }>(sql`
      select o.status in ('shipped', 'completed') and exists (select from order_lines l
        where l.order_id = o.id and l.product_id = ${input.product_id} and l.refunded_quantity < l.quantity)
          and not exists (select from gifts g
          where g.order_id = o.id and g.state <> 'returned' and g.claimed_by is distinct from o.user_id) as bought
      from orders o where o.id = ${input.order_id} and o.user_id = ${viewer.userId} and o.hidden_at is null for share`);
    if (!order) throw new ShopError("order_unknown");
    if (!order.bought) throw new ShopError("review_not_bought");
    const { product_id: productId, order_id: orderId, rating, title, content } = input;
    const id = newId("rev");
    const locale = detectLanguage(`${title} ${content}`, viewer.locale);
    const [row] = await tx
      .insert(reviews)
      .values({ id, productId, orderId, userId: viewer.userId, rating, title, content, locale })
      .onConflictDoNothing({ target: [reviews.orderId, reviews.productId] })
      .returning({ id: reviews.id });
    if (!row) throw new ShopError("review_exists");
    return { review_id: id };
  });
}

/** Invalidates the pages that show this user's reviews, which contain the username, with the commit. */
export async function invalidateReviewPages(tx: Db, userId: string): Promise<void> {
  await tx.execute(sql`
    select notify_page_tag('product:' || product_id) from reviews where user_id = ${userId} and state = 'published'`);
}
