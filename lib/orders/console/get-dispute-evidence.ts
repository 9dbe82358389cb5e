import { sql } from "drizzle-orm";
import { db } from "@/db/client";
import { selectBillingAddresses } from "@/lib/accounts/billing/list-billing-addresses";
import { addressLines } from "@/lib/accounts/billing/rules";
import { maskCodes } from "@/lib/delivery/code-text/find-codes";
import type { EvidenceConsent, EvidenceEvent, EvidenceFacts } from "@/lib/orders/console/rules-evidence";
import { ShopError } from "@/lib/platform/errors";
import { consoleTranslations } from "@/lib/platform/i18n/console-messages";
import { HTML_LANG, type Locale } from "@/lib/platform/i18n/locales";
import { renderPdf } from "@/lib/platform/pdf";
import { sellerIdentity } from "@/lib/platform/seller";
import { evidenceBlocks } from "./evidence-blocks";
import { getConsoleOrder } from "./get-console-order";
import { findConsoleDispute } from "./list-console-disputes";

const MAX_EVENTS = 1_000;

/**
 * The evidence for a dispute as a PDF: order, payment, buyer, consent with its words, custody and emails of the codes,
 * who showed them when, refund terms. It contains codes by reference only.
 * @throws ShopError dispute_unknown
 */
export async function getDisputeEvidence(
  disputeId: string,
  locale: Locale,
): Promise<{ fileName: string; file: Buffer }> {
  const facts = await readEvidence(disputeId, locale);
  const t = await consoleTranslations({ locale, namespace: "console.evidence" });
  const [now] = await db.execute<{ at: string }>(sql`select shop_now() as at`);
  const blocks = await evidenceBlocks(facts, now!.at, locale);
  const info = {
    title: t("title", { id: disputeId }),
    author: sellerIdentity().name,
    createdAt: new Date(now!.at),
  };
  return {
    fileName: `evidence-${facts.order.order_number}-${disputeId}.pdf`,
    file: await renderPdf(blocks, info, locale),
  };
}

/** @throws ShopError dispute_unknown */
export async function readEvidence(disputeId: string, locale: Locale): Promise<EvidenceFacts> {
  const dispute = await findConsoleDispute(disputeId);
  if (!dispute) throw new ShopError("dispute_unknown");
  const order = await getConsoleOrder(dispute.order_id, locale);
  const id = order.order_id;
  const [buyer] = await db.execute<
    Omit<EvidenceFacts["buyer"], "billed_to"> & { claimer_id: string | null }
  >(sql`
    select u.created_at as since, u.email_verified_at as verified_at, u.privacy_accepted_at as accepted_at, o.time_zone,
      (select g.claimed_by from gifts g where g.order_id = o.id) as claimer_id
    from orders o join users u on u.id = o.user_id where o.id = ${id}`);
  const { claimer_id, ...account } = buyer!;
  return {
    dispute,
    order,
    buyer: { ...account, billed_to: await readBillingAddress(dispute.customer_id, locale) },
    rules: await db.execute<EvidenceFacts["rules"][number]>(sql`
      select id as line_id, refund_rule as rule, total_cents, immediate_delivery as immediate, keep_in_library as in_library
      from order_lines where order_id = ${id} order by position`),
    consents: await readConsents(id),
    events: await readEvents(id),
    requests: await readRequests(id, dispute.customer_id),
    people: { buyer_id: dispute.customer_id, claimer_id },
  };
}

async function readBillingAddress(userId: string, locale: Locale): Promise<string[]> {
  const [address] = await selectBillingAddresses(db, userId);
  if (!address) return [];
  const country = new Intl.DisplayNames([HTML_LANG[locale]], { type: "region" }).of(address.country);
  return [address.full_name, ...addressLines(address, country ?? address.country)];
}

const readConsents = (orderId: string) =>
  db.execute<EvidenceConsent>(sql`
    select l.id as line_id, null as key_id, l.immediate_consent_at as at, l.consent from order_lines l
    where l.order_id = ${orderId} and l.immediate_consent_at is not null
    union all
    select l.id, k.id, k.first_revealed_at, k.consent from order_lines l join keys k on k.order_line_id = l.id
    where l.order_id = ${orderId} and k.consent is not null and k.first_revealed_at is not null
    order by 3, 2 nulls first limit ${MAX_EVENTS}`);

const readEvents = (orderId: string) =>
  db.execute<EvidenceEvent>(sql`
    select k.id as key_id, e.event, e.actor, e.created_at as at, s.position, s.hash
    from order_lines l join keys k on k.order_line_id = l.id join key_events e on e.key_id = k.id
    left join custody_seals s on s.event_id = e.id
    where l.order_id = ${orderId} and coalesce(e.order_line_id, l.id) = l.id order by l.position, k.slot, k.id, e.id limit ${MAX_EVENTS}`);

async function readRequests(orderId: string, shopperId: string): Promise<EvidenceFacts["requests"]> {
  const requests = await db.execute<EvidenceFacts["requests"][number]>(sql`
    select 'refund' as kind, q.created_at as at, q.asked_by is not null as by_staff, q.state, null as words
    from order_lines l join refund_requests q on q.order_line_id = l.id where l.order_id = ${orderId}
    union all
    select 'replacement', r.created_at, r.asked_by is not null, r.state, case when r.asked_by is null then r.reason end
    from order_lines l join keys k on k.order_line_id = l.id join replacement_requests r on r.key_id = k.id where l.order_id = ${orderId}
    union all
    select 'withdrawal', w.created_at, false, null, null from withdrawals w where w.order_id = ${orderId}
    order by 2 limit ${MAX_EVENTS}`);
  const words = await maskCodes(
    requests.map((request) => ({ text: request.words, scope: { shopperId, orderId } })),
  );
  return requests.map((request, i) => ({ ...request, words: words[i] ?? null }));
}
