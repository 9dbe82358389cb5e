import { sql } from "drizzle-orm";
import { shopNow, transaction } from "@/db/client";
import { reviewReplies } from "@/db/schema/merchants";
import { requireNoCode } from "@/lib/delivery/code-text/find-codes";
import type { ReplyInput, ReplyView } from "@/lib/merchants/replies/contract";
import { audit } from "@/lib/platform/audit";
import type { MerchantViewer } from "@/lib/platform/auth/merchant-access";
import { ShopError } from "@/lib/platform/errors";
import { detectLanguage } from "@/lib/reviews/rules";

/**
 * Writes the merchant's reply to a review, which waits for staff. A review has one; a refused one may be written again.
 * @throws ShopError review_unknown, review_answered, note_has_code
 */
export async function replyToReview(
  viewer: MerchantViewer,
  reviewId: string,
  { text }: ReplyInput,
): Promise<ReplyView> {
  const { merchant, actor } = viewer;
  return transaction(async (tx) => {
    const [review] = await tx.execute(sql`
      select from reviews where id = ${reviewId} and merchant_id = ${merchant.id} and state = 'published' for share`);
    if (!review) throw new ShopError("review_unknown");
    await requireNoCode(tx, text, { merchantId: merchant.id });
    const locale = detectLanguage(text, viewer.locale);
    const written = { text, locale, state: "waiting", writtenBy: actor } as const;
    const [reply] = await tx
      .insert(reviewReplies)
      .values({ reviewId, merchantId: merchant.id, ...written })
      .onConflictDoUpdate({
        target: reviewReplies.reviewId,
        set: { ...written, createdAt: shopNow, decidedAt: null, decidedBy: null, note: null },
        setWhere: sql`${reviewReplies.state} = 'refused'`,
      })
      .returning({ state: reviewReplies.state });
    if (!reply) throw new ShopError("review_answered");
    await audit(
      { actor, action: "review.replied", subject: reviewId, detail: { merchant: merchant.id } },
      tx,
    );
    return { review_id: reviewId, state: reply.state };
  });
}
