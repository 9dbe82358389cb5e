import { refundTranslator } from "@/emails/translator";
import { CONSENT_WORDING_VERSION, TERMS_VERSION } from "@/lib/delivery/rules";
import {
  type EvidenceConsent,
  type EvidenceEvent,
  type EvidenceFacts,
  evidenceActor,
  evidenceTime,
} from "@/lib/orders/console/rules-evidence";
import { DELIVERY_CHOICE_DESCRIPTION } from "@/lib/orders/delivery-options/rules";
import { withdrawalApplies } from "@/lib/orders/withdrawal/rules";
import { refundSentence } from "@/lib/payments/refunds/rules-wording";
import { env } from "@/lib/platform/env";
import { consoleTranslations } from "@/lib/platform/i18n/console-messages";
import type { Locale } from "@/lib/platform/i18n/locales";
import { shopTranslator } from "@/lib/platform/i18n/shop-translator";
import { formatPrice, toCents } from "@/lib/platform/money";
import type { PdfBlock } from "@/lib/platform/pdf";
import { sellerIdentity } from "@/lib/platform/seller";

type Rows = { term: string; value: string; bold?: boolean }[];

/** The document from top to bottom. */
export async function evidenceBlocks(facts: EvidenceFacts, at: string, locale: Locale): Promise<PdfBlock[]> {
  const t = await consoleTranslations({ locale, namespace: "console.evidence" });
  const labels = await consoleTranslations({ locale, namespace: "console" });
  const { dispute, order, buyer, people } = facts;
  const seller = sellerIdentity();
  const usd = (amount: number) => formatPrice(toCents(amount), locale);
  const time = (when: string | null) => (when ? evidenceTime(when) : "–");
  const nameOf = (lineId: string | null) => {
    const line = order.order_products.find(({ order_product_id }) => order_product_id === lineId);
    return line ? `${line.product_name} · ${line.vip_type}` : "–";
  };
  const rows = (...list: (readonly [string, string] | false)[]): PdfBlock => ({
    kind: "rows",
    rows: list.flatMap((row): Rows => (row ? [{ term: row[0], value: row[1] }] : [])),
  });
  const section = (heading: string, ...blocks: PdfBlock[]): PdfBlock[] => [
    { kind: "heading", text: heading },
    ...blocks,
  ];
  const orNone = (list: Rows, none: string): PdfBlock =>
    list.length > 0 ? { kind: "rows", rows: list } : { kind: "note", text: none };
  const actorText = (actor: string) => {
    const { who, device } = evidenceActor(actor, people);
    return device ? t("on_device", { who: t(`actor.${who}`), device }) : t(`actor.${who}`);
  };
  const eventText = (event: EvidenceEvent["event"]) => t(`event.${event}`);
  const shown = facts.events.filter(({ event }) => event === "revealed" || event === "activated");
  const codeMails = order.mails.filter(({ event }) => event === "keys");

  return [
    { kind: "title", text: t("title", { id: dispute.dispute_id }) },
    {
      kind: "columns",
      columns: [
        [t("seller"), seller.name, ...seller.address, seller.site, seller.email],
        [t("buyer"), order.customer.username, order.customer.email, ...buyer.billed_to],
      ],
    },
    ...section(
      t("dispute"),
      rows(
        [t("amount"), usd(dispute.amount)],
        [t("reason"), dispute.reason],
        [t("status"), dispute.status],
        [t("opened"), time(dispute.created_at)],
        [t("due"), time(dispute.evidence_due_at)],
      ),
    ),
    ...section(
      t("order"),
      rows(
        [t("order_number"), order.order_number],
        [t("placed"), time(order.created_at)],
        [t("paid"), time(order.paid_at)],
        [t("status"), labels(`order_status.${order.status}`)],
        order.discount_amount > 0 && [t("discount"), `−${usd(order.discount_amount)}`],
        [t("total"), usd(order.final_amount)],
      ),
      {
        kind: "table",
        head: [t("pass"), t("units"), t("price"), t("sum")],
        rows: order.order_products.map((line) => [
          { text: nameOf(line.order_product_id), detail: line.maker },
          { text: String(line.quantity) },
          { text: usd(line.price) },
          { text: usd(line.total) },
        ]),
      },
    ),
    ...section(
      t("payment"),
      ...order.payments.map((payment) =>
        rows(
          [t("reference"), payment.transaction_id ?? payment.payment_id],
          [t("method"), payment.method ?? "–"],
          [t("amount"), usd(payment.amount)],
          [t("status"), payment.state],
          [t("changed"), time(payment.updated_at)],
        ),
      ),
      orNone(
        order.refunds.map((refund) => ({
          term: `${time(refund.created_at)} · ${refund.provider_id ?? refund.refund_id}`,
          value: `${usd(refund.amount)} · ${refund.state}`,
        })),
        t("no_refunds"),
      ),
    ),
    ...section(
      t("account"),
      rows(
        [t("customer_since"), time(buyer.since)],
        [t("verified"), time(buyer.verified_at)],
        [t("accepted"), time(buyer.accepted_at)],
        [t("delivery_email"), order.send_email],
        [t("country"), order.country ?? "–"],
        [t("language"), order.locale],
        buyer.time_zone !== null && [t("time_zone"), buyer.time_zone],
      ),
    ),
    ...section(
      t("consent"),
      ...facts.rules.map(({ line_id, immediate, in_library }) =>
        rows([
          nameOf(line_id),
          t(
            immediate === null
              ? "choice_none"
              : immediate && !in_library
                ? "choice_at_once"
                : "choice_library",
          ),
        ]),
      ),
      ...facts.consents.flatMap((consent) => consentBlocks(consent, nameOf(consent.line_id))),
      ...(facts.consents.length === 0 ? [{ kind: "note" as const, text: t("no_consent") }] : []),
    ),
    ...section(
      t("code_mails"),
      orNone(
        codeMails.map((mail) => ({
          term: time(mail.sent_at ?? mail.created_at),
          value: `${mail.to_address} · ${labels(`mails.states.${mail.state}`)} · ${mail.mail_id}`,
        })),
        t("no_code_mails"),
      ),
    ),
    ...section(
      t("reveals"),
      orNone(
        shown.map((event) => ({
          term: `${time(event.at)} · ${eventText(event.event)}`,
          value: `${event.key_id} · ${actorText(event.actor)}`,
        })),
        t("no_reveals"),
      ),
    ),
    ...section(t("custody"), { kind: "note", text: t("custody_note") }, ...custodyBlocks()),
    ...section(
      t("requests"),
      orNone(
        facts.requests.map(({ kind, at: when, by_staff, state, words }) => ({
          term: [time(when), t(`request.${kind}`), by_staff && t("asked_by_staff")]
            .filter(Boolean)
            .join(" · "),
          value: [state && t(`request_state.${state}`), words].filter(Boolean).join(": ") || "–",
        })),
        t("no_requests"),
      ),
    ),
    ...section(
      t("terms"),
      ...facts.rules.map(({ line_id, rule, total_cents }) => {
        const refund = { ...rule, amount: total_cents / 100, until: null, right: null };
        return rows([nameOf(line_id), refundSentence(refundTranslator(locale), refund, locale)]);
      }),
      rows(
        [t("terms_version"), termsVersions(facts)],
        [t("terms_address"), `${env().APP_URL}/terms-of-service`],
      ),
    ),
    { kind: "note", text: t("made", { time: evidenceTime(at) }) },
    { kind: "note", text: t("no_codes") },
  ];

  function consentBlocks({ key_id, at: when, consent }: EvidenceConsent, pass: string): PdfBlock[] {
    const given = rows(
      [t("given"), time(when)],
      [t("for"), key_id ? `${pass} · ${key_id}` : pass],
      [t("by"), consent ? t(`consent_source.${consent.source}`) : "–"],
      [t("terms_version"), consent?.terms ?? "–"],
      [t("wording_version"), consent ? `${consent.wording.version} (${consent.wording.locale})` : "–"],
    );
    return [given, { kind: "note", text: consent ? consentWords(consent) : t("words_unknown") }];
  }

  /** The words that asked, in the language in which they asked. */
  function consentWords({ source, wording }: NonNullable<EvidenceConsent["consent"]>): string {
    if (wording.version !== CONSENT_WORDING_VERSION) return t("words_older", { version: wording.version });
    const words = shopTranslator(wording.locale);
    const statutory = withdrawalApplies(order.country, buyer.time_zone);
    if (source === "api-default") return DELIVERY_CHOICE_DESCRIPTION;
    if (source === "returns-limit") return t("words_terms");
    if (source === "revealed")
      return `${words(statutory ? "delivery.code.consent_text" : "delivery.code.consent_text_plain")} ${words("delivery.code.reveal")}`;
    return `${words("orders.checkout.delivery.email")}. ${words(statutory ? "orders.checkout.delivery.email_hint" : "orders.checkout.delivery.email_hint_plain")}`;
  }

  function custodyBlocks(): PdfBlock[] {
    const keyIds = [...new Set(facts.events.map(({ key_id }) => key_id))];
    return keyIds.map((keyId) => ({
      kind: "rows",
      rows: [
        {
          term: keyId,
          value: nameOf(order.keys.find((key) => key.key_id === keyId)?.order_product_id ?? null),
          bold: true,
        },
        ...facts.events
          .filter(({ key_id }) => key_id === keyId)
          .map(({ event, at: when, actor, position, hash }) => ({
            term: `${time(when)} · ${eventText(event)}`,
            value: [
              actorText(actor),
              hash ? t("seal", { position: position ?? 0, hash: hash.slice(0, 16) }) : t("unsealed"),
            ].join(" · "),
          })),
      ],
    }));
  }

  function termsVersions({ consents }: EvidenceFacts): string {
    const versions = new Set(consents.flatMap(({ consent }) => consent?.terms ?? []));
    return versions.size > 0 ? [...versions].join(", ") : t("terms_today", { version: TERMS_VERSION });
  }
}
