import { sql } from "drizzle-orm";
import { db, transaction } from "@/db/client";
import type { MailProps } from "@/emails/render";
import { productNameSql } from "@/lib/catalog/console/list-console-products";
import { maskCodes } from "@/lib/delivery/code-text/find-codes";
import { maskPersons } from "@/lib/merchants/requests/rules";
import { listMerchantRecipients } from "@/lib/notifications/list-merchant-recipients";
import { queueMail } from "@/lib/notifications/queue-mail";
import type { Locale } from "@/lib/platform/i18n/locales";

/** Queues emails about a published review to the merchant's people who chose them. Repeating it queues nothing. */
export async function notifyOfReview(reviewId: string): Promise<void> {
  await transaction(async (tx) => {
    const [review] = await tx.execute<{ product: number; author: string }>(sql`
      select product_id as product, user_id as author from reviews where id = ${reviewId} and state = 'published' and user_id is not null`);
    if (!review) return;
    const recipients = await listMerchantRecipients(tx, review.product, [review.author], "reviews");
    for (const [index, { to, locale }] of recipients.entries())
      await queueMail(tx, {
        event: "merchant-review",
        to,
        locale,
        refs: { reviewId },
        dedupeKey: `merchant-review:${reviewId}:${index}`,
      });
  });
}

type Row = {
  handle: string;
  merchant_id: string;
  product: string;
  rating: number;
  title: string;
  content: string;
};

/** The data of the email about a review, without codes and names; null if the review is hidden by now. */
export async function findReviewMail(
  reviewId: string,
  locale: Locale,
): Promise<MailProps["merchant-review"] | null> {
  const [row] = await db.execute<Row>(sql`
    select m.handle, m.id as merchant_id, coalesce(${productNameSql("p.id", locale)}, p.slug) as product, r.rating, r.title, r.content
    from reviews r join products p on p.id = r.product_id join merchants m on m.id = p.merchant_id
    where r.id = ${reviewId} and r.state = 'published'`);
  if (!row) return null;
  const { handle, merchant_id: merchantId, product, rating } = row;
  const [title = "", content = ""] = (
    await maskCodes([row.title, row.content].map((text) => ({ text, scope: { merchantId } })))
  ).map((text) => maskPersons(text ?? ""));
  return { handle, product, rating, title, content };
}
