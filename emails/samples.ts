import { CODE_PURPOSES, SECURITY_NOTICE_KINDS } from "@/lib/accounts/rules";
import { TRADE_MAILS } from "@/lib/merchants/trade-file/rules";
import type { MailEvent } from "@/lib/notifications/rules";
import type { RefundView } from "@/lib/payments/refunds/contract";
import { REFUND_DAYS, type RefundReason } from "@/lib/payments/refunds/rules";
import type { Locale } from "@/lib/platform/i18n/locales";
import type { KeysPass } from "./keys";
import type { PassLine } from "./pass";
import type { MailProps } from "./render";

/** An email with invented data, for previews and tests. */
export type MailSample = {
  [E in MailEvent]: { name: string; event: E; props: MailProps[E] };
}[MailEvent];

const NAMES: Record<Locale, readonly [string, string, string]> = {
  en: ["Quillon Draft", "Ombrith Studio", "Pellmere Edit"],
  zh: ["Quillon 写稿", "Ombrith 商品影棚", "Pellmere 英文润色"],
  ja: ["Quillon ドラフト", "Ombrith 商品スタジオ", "Pellmere 英文チェック"],
};

const STEPS: Record<Locale, string[]> = {
  en: [
    "Open quillon.example/redeem and sign in, or create an account.",
    "Paste the code that begins with QLN.",
    "Choose the workspace that should receive the pass and confirm.",
  ],
  zh: [
    "打开 quillon.example/redeem，登录或注册账号。",
    "粘贴以 QLN 开头的激活码。",
    "选择要开通的工作区，点击确认。",
  ],
  ja: [
    "quillon.example/redeemを開き、ログインするかアカウントを作ります。",
    "QLNで始まるコードを貼り付けます。",
    "パスを使うワークスペースを選び、確定します。",
  ],
};

const STOCK_LABELS: Record<Locale, readonly [string, string]> = {
  en: ["Week", "Month"],
  zh: ["周卡", "月卡"],
  ja: ["週", "月"],
};

const ORDER = "ord_7c4kx2mw9hq3vbn5tzdg";
const ORDERED_AT = new Date("2026-11-20T10:30:00Z");
const PAID_MERCHANT = { merchant: "Kettle Row Software", handle: "kettle-row-software" };
const LATER = new Date("2026-12-05T10:00:00Z");

const refund = (reason: RefundReason, until: Date | null = null): RefundView => ({
  refundable: reason === "refundable",
  amount: reason === "refundable" ? 29 : 0,
  until: until?.toISOString() ?? null,
  reason,
  days: REFUND_DAYS,
  right: null,
});

/** Three lines: a week, two months, and a lifetime pass whose texts exist in English only. */
function lines(locale: Locale): [PassLine, PassLine, PassLine] {
  const [first, second] = NAMES[locale];
  const week = { productName: first, vipType: "week" as const, durationDays: 7, totalCents: 1490 };
  const months = { productName: second, vipType: "month" as const, durationDays: 30, totalCents: 11700 };
  const lifetime = {
    productName: NAMES.en[2],
    vipType: "lifetime" as const,
    durationDays: null,
    totalCents: 0,
  };
  const shared = { vendor: "Ostrel Works", language: locale, quantity: 1 };
  return [
    { ...shared, ...week, lineId: "line_1" },
    { ...shared, ...months, lineId: "line_2", vendor: "Atelier Ombrith", quantity: 3 },
    { ...shared, ...lifetime, lineId: "line_3", language: "en" },
  ];
}

function withSums(lines: PassLine[], discountCents = 0) {
  const subtotalCents = lines.reduce((sum, line) => sum + line.totalCents, 0);
  return { lines, subtotalCents, discountCents, addedTaxCents: 0, totalCents: subtotalCents - discountCents };
}

function passes(locale: Locale): [KeysPass, KeysPass, KeysPass] {
  const [week, months, lifetime] = lines(locale);
  const redeem = { redeemUrl: "https://quillon.example/redeem", steps: STEPS[locale], keptInLibrary: 0 };
  const codes = (...list: string[]) => list.map((code) => ({ keyId: `key_${code}`, code, redeemBy: null }));
  return [
    { ...week, ...redeem, codes: codes("QLN-MGKS-ADRX-F7KU"), refund: refund("short_pass") },
    {
      ...months,
      ...redeem,
      codes: [
        { keyId: "key_1", code: "omb_4f7a9c2e1b8d4063a5e7", redeemBy: LATER },
        { keyId: "key_2", code: "6f1d2c3b-4a59-4e87-96a5-b4c3d2e1f0a9", redeemBy: LATER },
      ],
      keptInLibrary: 1,
      refund: refund("refundable", LATER),
    },
    {
      ...lifetime,
      ...redeem,
      redeemUrl: null,
      steps: [],
      codes: codes("PEL 3X 9W  2K"),
      refund: refund("free"),
    },
  ];
}

const toOffer = ({ totalCents, ...line }: PassLine) => ({
  ...line,
  slug: "quillon-draft",
  vipId: Number(line.lineId.at(-1)) + 5000,
  priceCents: totalCents,
});

const NOTES: Record<Locale, string> = {
  en: "The vendor sees this code in use since 21 November.",
  zh: "开发商的记录显示，该激活码自 11 月 21 日起已在使用。",
  ja: "提供元の記録では、このコードは11月21日から使われています。",
};
const REFUSALS: Record<Locale, string> = {
  en: "Your codes are bound to one account each; we sell codes that anybody can redeem.",
  zh: "贵方的激活码与单一账号绑定，而我们只销售任何人都能兑换的激活码。",
  ja: "コードが特定のアカウントに結び付いています。当店では、どなたでも引き換えられるコードだけを扱っています。",
};
const SUPPORT = "support@passlane.example";

const CAMPAIGN: Record<Locale, string> = { en: "Spring coupon", zh: "春季优惠券", ja: "春のクーポン" };

/** A sample of an event; `variant` distinguishes several of one event. */
const sample = <E extends MailEvent>(event: E, props: MailProps[E], variant = "") =>
  ({ name: variant ? `${event}-${variant}` : event, event, props }) as MailSample;

/** Every email in its variants, with names in the email's language. */
export function mailSamples(locale: Locale): MailSample[] {
  return [...accountSamples(locale), ...orderSamples(locale), ...decisionSamples(locale)];
}

function accountSamples(locale: Locale): MailSample[] {
  const offers = lines(locale).map(toOffer);
  const deals = offers.map((pass) => ({
    ...pass,
    reduction: { usualCents: pass.priceCents + 600, lowestCents: pass.priceCents + 500 },
    endsAt: LATER,
  }));
  const coupon = {
    code: "PASS-9TR4K-W2XQ7",
    title: CAMPAIGN[locale],
    amountCents: 500,
    percent: null,
    minimumCents: 2000,
    expiresAt: LATER,
  };
  const percentCoupon = { ...coupon, amountCents: null, percent: 15, minimumCents: 0, expiresAt: null };
  const reward = { friend: "K***", coupon: { ...coupon, code: "THANKS-7Q3MX-2JKPA" } };
  const application = { support: SUPPORT };
  const change = { product: "Quillon Draft", path: "/merchant/kettle-row-software/changes/chg_sample" };
  return [
    ...[...CODE_PURPOSES, "proof" as const, "verify" as const].map((purpose) =>
      sample("verification-code", { purpose, code: "407193" }, purpose),
    ),
    sample("welcome", { username: "Mara Lindqvist" }),
    sample("welcome", { username: null }, "unverified"),
    ...SECURITY_NOTICE_KINDS.map((kind) =>
      sample("account-notice", { kind, address: "m•••@example.com", provider: "github" }, kind),
    ),
    sample("subscription-confirm", { token: "sample", days: 7 }),
    sample("discount-alert", { deals }),
    sample("wait-list", offers[1]!),
    sample("wishlist", {
      items: offers.map((pass, i) => ({ ...pass, previousCents: i === 1 ? null : pass.priceCents + 600 })),
    }),
    sample("unsubscribe-link", { token: "sample" }),
    sample("application-received", {}),
    sample("application-approved", { ...application, note: "" }),
    sample("application-refused", { ...application, note: REFUSALS[locale] }),
    sample("merchant-invite", { token: "sample", merchant: "Acme Tools", role: "owner", expiresAt: LATER }),
    sample(
      "merchant-invite",
      { token: "sample", merchant: "Acme Tools", role: "member", expiresAt: LATER },
      "member",
    ),
    ...(["suspended", "active", "paused", "ended"] as const).map((state) =>
      sample(
        "merchant-notice",
        { merchant: "Acme Tools", handle: "acme-tools", state, note: REFUSALS[locale] },
        state,
      ),
    ),
    ...(["set", "cancelled"] as const).map((what) =>
      sample(
        "payout-account",
        { ...PAID_MERCHANT, what, lastFour: "3000", countsFrom: LATER, by: "ana@example.com" },
        what,
      ),
    ),
    ...(["sent", "confirmed", "failed", "returned"] as const).map((notice) =>
      sample(
        "payout-notice",
        {
          ...PAID_MERCHANT,
          notice,
          cents: 48_250,
          lastFour: "3000",
          reason: notice === "returned" ? "AC04" : "",
        },
        notice,
      ),
    ),
    ...(["approved", "refused"] as const).map((decision) =>
      sample(
        "merchant-name",
        {
          merchant: "Acme Tools",
          handle: "acme-tools",
          decision,
          refused: decision === "refused" ? "Acme Official" : null,
          note: decision === "refused" ? REFUSALS[locale] : "",
        },
        decision,
      ),
    ),
    ...(["change-approved", "change-returned", "change-refused"] as const).map((event) =>
      sample(event, { ...change, note: event === "change-approved" ? "" : REFUSALS[locale] }),
    ),
    sample("products-changed", {
      products: NAMES[locale].slice(0, 1),
      path: "/merchant/acme-tools/changes/chg_sample",
    }),
    sample(
      "products-changed",
      { products: [...NAMES[locale]], path: "/merchant/acme-tools/changes" },
      "several",
    ),
    sample("stock-low", {
      handle: "ostrel-works",
      plans: [
        { name: NAMES[locale][0], label: STOCK_LABELS[locale][0], available: 4, days: 2 },
        { name: NAMES[locale][1], label: STOCK_LABELS[locale][1], available: 0, days: null },
      ],
    }),
    ...(["gone", "failing"] as const).map((reason) =>
      sample(
        "webhook-disabled",
        { handle: "ostrel-works", name: "Licence server", host: "hooks.ostrel.example", reason },
        reason,
      ),
    ),
    ...([null, "mara@example.com"] as const).map((by) =>
      sample(
        "codes-withdrawn",
        {
          handle: "ostrel-works",
          batchId: "kb_sample",
          batch: "november.csv",
          by,
          withdrawn: 200,
          undoUntil: by && LATER,
          support: "support@example.com",
        },
        by ? "merchant" : "staff",
      ),
    ),
    sample("plan-paused", {
      handle: "ostrel-works",
      productId: 1,
      product: NAMES[locale][0],
      plans: [...STOCK_LABELS[locale]],
      by: "mara@example.com",
    }),
    ...TRADE_MAILS.map((kind) =>
      sample(
        "trade-file",
        {
          merchant: "Acme Tools",
          handle: "acme-tools",
          kind,
          fields: kind === "released" ? [] : ["address", "documents"],
          date: LATER,
          note: kind === "asked" ? REFUSALS[locale] : "",
        },
        kind,
      ),
    ),
    sample("staff-changed", {
      person: "mara@example.com",
      by: "staff:operator",
      before: ["support"],
      after: ["support", "admin"],
    }),
    sample("staff-changed", { person: null, by: "", before: ["admin"], after: [] }, "left"),
    sample("staff-mention", {
      by: "demo-support@passlane.example",
      about: "PL-2611-0042",
      text: "@demo-finance She paid twice by card. Can you look at the second payment?",
      path: "/console/orders/PL-2611-0042",
    }),
    sample("contact", {
      reference: "msg_sample",
      conversationId: "cnv_sample",
      email: "mara@example.com",
      message: "My code is not accepted.\n\nThe page says it was used before.",
      orderNumber: ORDER,
      userId: null,
      language: locale,
    }),
    sample("contact-received", { reference: "msg_sample" }),
    sample("merchant-review", {
      handle: "tolkstra",
      product: "Tolkstra Docs",
      rating: 4,
      title: "Saves me an hour a day",
      content: "The glossary is the best part.",
    }),
    sample("merchant-digest", {
      handle: "tolkstra",
      day: "2026-11-29",
      units: 12,
      netCents: 18_240,
      questions: 2,
      nextDeadline: LATER,
      low: 1,
    }),
    sample("contact-answer", {
      message: "Hello Mara,\n\nplease type the code on the vendor's page, not in the app.",
      reference: "msg_sample",
      conversationId: "cnv_sample",
    }),
    sample("coupon", coupon, "amount"),
    sample("coupon", percentCoupon, "percent"),
    sample("referral-reward", reward),
  ];
}

function orderSamples(locale: Locale): MailSample[] {
  const [week, months, lifetime] = lines(locale);
  const order = { orderId: ORDER, ...withSums([week, months, lifetime], 500) };
  const unpaid = { orderId: ORDER, ...withSums([week, months], 500), holdEndsAt: ORDERED_AT };
  const cancelled = { orderId: ORDER, lines: [week, months], support: SUPPORT };
  const preOrder = { ...week, releasesAt: LATER, deliverBy: new Date("2026-12-08T10:00:00Z") };
  const waiting = { ...months, releasesAt: null, deliverBy: new Date("2026-11-23T10:00:00Z") };
  const delivered = passes(locale);
  const inLibrary = { ...delivered[1], codes: [], keptInLibrary: 3 };
  const sellers = [
    {
      name: "Acme Tools GmbH",
      address: "Musterstraße 1, 80331 München, Germany",
      contact: "contact@acme.example",
    },
  ];
  const toOwner = { reader: "owner", giftDay: null, replacement: false, sellers } as const;
  return [
    sample("order-placed", { ...order, payBy: ORDERED_AT, sellers }),
    sample("order-expiring", unpaid),
    sample("order-cancelled", { ...cancelled, paymentOpen: false }, "unpaid"),
    sample("order-cancelled", { ...cancelled, paymentOpen: true }, "paying"),
    sample("payment-failed", unpaid, "held"),
    sample("payment-failed", { orderId: ORDER, ...withSums([week]), holdEndsAt: null }, "released"),
    sample(
      "keys",
      {
        orderId: ORDER,
        totalCents: 2480,
        passes: delivered.slice(0, 1),
        ...toOwner,
        withdrawal: false,
        agreedAt: ORDERED_AT,
      },
      "one",
    ),
    sample(
      "keys",
      {
        orderId: ORDER,
        totalCents: 2480,
        passes: delivered.slice(0, 1),
        ...toOwner,
        withdrawal: false,
        agreedAt: ORDERED_AT,
        replacement: true,
      },
      "replaced",
    ),
    sample(
      "keys",
      {
        orderId: ORDER,
        totalCents: 2480,
        passes: delivered,
        ...toOwner,
        withdrawal: true,
        agreedAt: ORDERED_AT,
      },
      "many",
    ),
    sample(
      "keys",
      { orderId: ORDER, totalCents: 2480, passes: [inLibrary], ...toOwner, withdrawal: true, agreedAt: null },
      "library",
    ),
    sample(
      "keys",
      {
        orderId: ORDER,
        totalCents: 2480,
        passes: [inLibrary],
        reader: "giver",
        sellers,
        giftDay: LATER,
        withdrawal: true,
        agreedAt: null,
        replacement: false,
      },
      "gift",
    ),
    sample(
      "keys",
      {
        orderId: ORDER,
        totalCents: 2480,
        passes: [inLibrary],
        reader: "giver",
        sellers,
        giftDay: null,
        withdrawal: true,
        agreedAt: null,
        replacement: false,
      },
      "gift-now",
    ),
    sample(
      "keys",
      {
        orderId: ORDER,
        totalCents: 2480,
        passes: [inLibrary],
        reader: "claimer",
        sellers,
        giftDay: LATER,
        withdrawal: true,
        agreedAt: null,
        replacement: true,
      },
      "gift-replaced",
    ),
    sample("gift", {
      token: "sample",
      proof: "sample",
      from: "Ann O’Brien-Lee",
      claimUntil: LATER,
      passes: [week, months],
    }),
    sample("gift-returned", { orderId: ORDER, passes: [week] }),
    sample("delay", { orderId: ORDER, totalCents: 11700, waiting: [waiting] }, "stock"),
    sample("delay", { orderId: ORDER, totalCents: 11700, waiting: [preOrder] }, "release"),
    sample("email-changed", { address: "mara@example.com", orderId: ORDER }, "delivery"),
    sample("pass-ending", { orderId: ORDER, pass: week, reminder: "ends", at: LATER }),
    sample("pass-ending", { orderId: ORDER, pass: months, reminder: "redeem_by", at: LATER }, "redeem"),
    sample("pass-ending", { orderId: ORDER, pass: week, reminder: "next", at: LATER }, "next"),
  ];
}

/** Refunds, withdrawals and replacements. */
function decisionSamples(locale: Locale): MailSample[] {
  const [week, months, lifetime] = lines(locale);
  const request = { orderId: ORDER, lines: [months], amountCents: 11700 };
  const refusal = { orderId: ORDER, note: NOTES[locale], support: SUPPORT };
  const withdrawal = { ...request, at: ORDERED_AT, support: SUPPORT };
  const codes = [
    { digest: "6f1d2c3b", ending: "F7KU" },
    { digest: "a5e74f7a", ending: null },
  ];
  const tokens = { usedToken: "sample", unusedToken: "sample" };
  const kept = [
    { line: week, reason: "shown" as const },
    { line: lifetime, reason: "free" as const },
  ];
  const nothing = { lines: [], amountCents: 0, kept: [{ line: week, reason: "over" as const }] };
  return [
    ...(["requested", "withdrawn", "not_delivered", "cancelled", "paid_too_late"] as const).map((cause) =>
      sample(
        "refund",
        { ...request, cause, codesLocked: cause === "requested" || cause === "withdrawn" },
        cause,
      ),
    ),
    sample("refund-requested", { ...request, answerBy: LATER }, "received"),
    sample("refund-failed", { orderId: ORDER, amountCents: 2900, support: SUPPORT }),
    ...(["vendor", "shop"] as const).map((refusedBy) =>
      sample("refund-refused", { ...request, ...refusal, refusedBy }, refusedBy),
    ),
    sample("replacement-refused", { ...refusal, pass: week, askedByStaff: false }),
    sample("replacement-refused", { ...refusal, pass: week, askedByStaff: true }, "staff"),
    ...[false, true].map((reminder) =>
      sample(
        "vendor-confirmation",
        { pass: months, soldAt: ORDERED_AT, answerBy: LATER, codes, ...tokens, reminder },
        reminder ? "reminder" : "asked",
      ),
    ),
    sample("first-sale", { pass: week, handle: "kettle-row-software", netCents: 1190, payableAt: LATER }),
    ...[false, true].map((reminder) =>
      sample(
        "code-request",
        { pass: week, handle: "acme", askedAt: ORDERED_AT, reminder },
        reminder ? "reminder" : "asked",
      ),
    ),
    sample("report-received", {
      reference: "rpt_7c4kx2mw9hq3",
      kind: "product",
      name: NAMES[locale][0],
      reason: "misleading",
      at: ORDERED_AT,
    }),
    ...(["reporter", "affected"] as const).map((party) =>
      sample(
        "report-decided",
        {
          reference: "rpt_7c4kx2mw9hq3",
          kind: "review",
          name: NAMES[locale][0],
          outcome: "restricted",
          statement: "The review names the home address of another person.",
          party,
          token: "link",
          until: LATER,
        },
        party,
      ),
    ),
    sample("report-appeal", {
      reference: "rpt_7c4kx2mw9hq3",
      kind: "review",
      name: NAMES[locale][0],
      outcome: "upheld",
      statement: "The address stands in the second sentence.",
      token: null,
      until: LATER,
    }),
    sample(
      "report-appeal",
      {
        reference: "rpt_7c4kx2mw9hq3",
        kind: "review",
        name: NAMES[locale][0],
        outcome: "unchanged",
        statement: "It is a shop's address, which anybody may name.",
        token: "link",
        until: LATER,
      },
      "unchanged",
    ),
    sample("withdrawal-declared", { order: "PL-2611-0042", isWhole: true, at: ORDERED_AT }),
    sample("withdrawal-declared", { order: null, isWhole: false, at: ORDERED_AT }, "unknown"),
    sample("withdrawal-received", { ...withdrawal, kept }),
    sample("withdrawal-received", { ...withdrawal, ...nothing }, "none"),
  ];
}
