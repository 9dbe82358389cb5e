import { sql } from "drizzle-orm";
import { db, type Tx, transaction } from "@/db/client";
import { disputedSql } from "@/lib/delivery/library/key-state-sql";
import { listMerchantRecipients, type MailRecipient } from "@/lib/notifications/list-merchant-recipients";
import { queueMail } from "@/lib/notifications/queue-mail";
import { VENDOR_REMINDER_HOURS } from "@/lib/payments/refunds/rules";
import { DEFAULT_LOCALE } from "@/lib/platform/i18n/locales";
import { supportAddress } from "@/lib/platform/support-address";

type Asked = { product: number; vendor_email: string | null; people: string[] };

/** Who is asked: the merchant, and the vendor's address of the product. No one of them made the request. */
async function findAsked(
  tx: Tx,
  requestId: string,
): Promise<{ merchant: MailRecipient[]; vendor: string | null }> {
  const [asked] = await tx.execute<Asked>(sql`
    select p.id as product, p.vendor_email, array_remove(array[q.user_id, q.asked_by], null) as people
    from refund_requests q join order_lines l on l.id = q.order_line_id join products p on p.id = l.product_id
    where q.id = ${requestId}`);
  return {
    merchant: await listMerchantRecipients(tx, asked!.product, asked!.people, "questions"),
    vendor: asked!.vendor_email,
  };
}

/** Queues the email with the signed links for each recipient. */
async function queueFor(
  tx: Tx,
  requestId: string,
  recipients: readonly MailRecipient[],
  reminder = false,
): Promise<void> {
  for (const [index, { to, locale }] of recipients.entries())
    await queueMail(tx, {
      event: "vendor-confirmation",
      to,
      locale,
      refs: { requestId, ...(reminder && { reminder: 1 }) },
      dedupeKey: [
        reminder ? "vendor-reminder" : "vendor-confirmation",
        requestId,
        ...(index ? [index] : []),
      ].join(":"),
    });
}

/**
 * Asks whether the codes of a requested refund were used: the merchant at its support address and its owners, in their
 * languages, and the vendor's address of the product. A vendor without either is asked through the shop's support.
 */
export async function queueVendorConfirmation(tx: Tx, requestId: string): Promise<void> {
  const { merchant, vendor } = await findAsked(tx, requestId);
  const isNew = !merchant.some(({ to }) => to.toLowerCase() === vendor?.toLowerCase());
  const address = vendor ?? (merchant.length === 0 ? supportAddress() : null);
  // The language of a vendor is unknown.
  const others = address !== null && isNew ? [{ to: address, locale: DEFAULT_LOCALE }] : [];
  await queueFor(tx, requestId, [...merchant, ...others]);
}

/** Reminds merchants of questions that are decided without their answer in a day; once for each question. */
export async function remindMerchants(limit: number): Promise<void> {
  const due = await db.execute<{ id: string }>(sql`
    select q.id from refund_requests q join order_lines l on l.id = q.order_line_id
    where q.state = 'asked' and q.stated_country is null and q.answer_by > shop_now() and q.answer_by <= shop_now() + make_interval(hours => ${VENDOR_REMINDER_HOURS})
      and not ${disputedSql("l")} and not exists (select from mails m where m.dedupe_key = 'vendor-reminder:' || q.id)
      and exists (select from merchants m where m.id = q.merchant_id and (m.support_email is not null or exists (
        select from merchant_members b where b.merchant_id = m.id and b.role = 'owner' and b.ended_at is null)))
    order by q.answer_by limit ${limit}`);
  for (const { id } of due)
    await transaction(async (tx) => {
      const { merchant } = await findAsked(tx, id);
      await queueFor(tx, id, merchant, true);
    });
}
