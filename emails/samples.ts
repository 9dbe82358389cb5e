import { CODE_PURPOSES, SECURITY_NOTICE_KINDS } from "@/lib/accounts/rules";
import type { MailEvent } from "@/lib/notifications/rules";
import type { RefundDecision, RefundReason } from "@/lib/payments/refunds/rules";
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

const ORDER = "ord_7c4kx2mw9hq3vbn5tzdg";
const ORDERED_AT = new Date("2026-11-20T10:30:00Z");
const LATER = new Date("2026-12-05T10:00:00Z");

const refund = (reason: RefundReason, until: Date | null = null): RefundDecision => ({
  refundable: reason === "refundable",
  amountCents: reason === "refundable" ? 2900 : 0,
  until,
  reason,
  needsVendorConfirmation: false,
});

/** Three lines: a week, two months, and a lifetime pass whose texts exist in English only. */
function lines(locale: Locale): [PassLine, PassLine, PassLine] {
  const [first, second] = NAMES[locale];
  return [
    {
      lineId: "line_1",
      productName: first,
      vendor: "Ostrel Works",
      language: locale,
      vipType: "week",
      durationDays: 7,
      quantity: 1,
      totalCents: 1490,
    },
    {
      lineId: "line_2",
      productName: second,
      vendor: "Atelier Ombrith",
      language: locale,
      vipType: "month",
      durationDays: 30,
      quantity: 3,
      totalCents: 11700,
    },
    {
      lineId: "line_3",
      productName: NAMES.en[2],
      vendor: "Ostrel Works",
      language: "en",
      vipType: "lifetime",
      durationDays: null,
      quantity: 1,
      totalCents: 0,
    },
  ];
}

/** Order lines with their sums. */
function withSums(lines: PassLine[], discountCents = 0) {
  const subtotalCents = lines.reduce((sum, line) => sum + line.totalCents, 0);
  return { lines, subtotalCents, discountCents, totalCents: subtotalCents - discountCents };
}

function passes(locale: Locale): KeysPass[] {
  const [week, months, lifetime] = lines(locale);
  const redeem = { redeemUrl: "https://quillon.example/redeem", steps: STEPS[locale], keptInLibrary: 0 };
  const codes = (...list: string[]) => list.map((code) => ({ code, redeemBy: null }));
  return [
    { ...week, ...redeem, codes: codes("QLN-MGKS-ADRX-F7KU"), refund: refund("short_pass") },
    {
      ...months,
      ...redeem,
      codes: [
        { code: "omb_4f7a9c2e1b8d4063a5e7", redeemBy: LATER },
        { code: "6f1d2c3b-4a59-4e87-96a5-b4c3d2e1f0a9", redeemBy: LATER },
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

/** Emails about decisions and deadlines. */
function decisionSamples(locale: Locale): MailSample[] {
  const [week, months] = lines(locale);
  const application = { productUrl: "https://quillon.example/app", support: SUPPORT };
  const request = { orderId: ORDER, lines: [months], amountCents: 11700 };
  return [
    { name: "application-approved", event: "application-approved", props: { ...application, note: "" } },
    {
      name: "application-refused",
      event: "application-refused",
      props: { ...application, note: REFUSALS[locale] },
    },
    {
      name: "order-expiring",
      event: "order-expiring",
      props: { orderId: ORDER, ...withSums([week, months], 500), holdEndsAt: ORDERED_AT },
    },
    { name: "refund-request-received", event: "refund-requested", props: { ...request, answerBy: LATER } },
    {
      name: "refund-failed",
      event: "refund-failed",
      props: { orderId: ORDER, amountCents: 2900, support: "support@passlane.example" },
    },
    {
      name: "refund-refused",
      event: "refund-refused",
      props: { ...request, note: NOTES[locale], support: SUPPORT },
    },
    {
      name: "pass-ending",
      event: "pass-ending",
      props: { orderId: ORDER, pass: week, reminder: "ends", at: LATER },
    },
    {
      name: "pass-ending-redeem",
      event: "pass-ending",
      props: { orderId: ORDER, pass: months, reminder: "redeem_by", at: LATER },
    },
    {
      name: "replacement-refused",
      event: "replacement-refused",
      props: { orderId: ORDER, pass: week, note: NOTES[locale], support: SUPPORT },
    },
  ];
}

/** The confirmation that a vendor is request for, and the confirmation of a withdrawal. */
function withdrawalSamples(locale: Locale): MailSample[] {
  const [week, months, lifetime] = lines(locale);
  const received = { orderId: ORDER, at: ORDERED_AT, support: SUPPORT };
  return [
    {
      name: "vendor-confirmation",
      event: "vendor-confirmation",
      props: {
        pass: months,
        soldAt: ORDERED_AT,
        answerBy: LATER,
        codes: [
          { digest: "6f1d2c3b", ending: "F7KU" },
          { digest: "a5e74f7a", ending: null },
        ],
        usedToken: "sample",
        unusedToken: "sample",
      },
    },
    {
      name: "withdrawal-received",
      event: "withdrawal-received",
      props: {
        ...received,
        lines: [months],
        amountCents: 11700,
        kept: [
          { line: week, reason: "shown" },
          { line: lifetime, reason: "free" },
        ],
      },
    },
    {
      name: "withdrawal-received-none",
      event: "withdrawal-received",
      props: { ...received, lines: [], amountCents: 0, kept: [{ line: week, reason: "over" }] },
    },
  ];
}

/** Every email in its variants, with names in the email's language. */
export function mailSamples(locale: Locale): MailSample[] {
  const [week, months, lifetime] = lines(locale);
  const order = { orderId: ORDER, ...withSums([week, months, lifetime], 500) };
  const preOrder = { ...week, releasesAt: LATER, deliverBy: new Date("2026-12-08T10:00:00Z") };
  const waiting = { ...months, releasesAt: null, deliverBy: new Date("2026-11-23T10:00:00Z") };
  const free = { orderId: ORDER, ...withSums([lifetime]), payBy: null };
  return [
    ...[...CODE_PURPOSES, "proof" as const].map((purpose) => ({
      name: `verification-code-${purpose}`,
      event: "verification-code" as const,
      props: { purpose, code: "407193" },
    })),
    { name: "welcome", event: "welcome", props: { username: "Mara Lindqvist" } },
    { name: "order-placed-held", event: "order-placed", props: { ...order, payBy: ORDERED_AT } },
    { name: "order-placed-paid", event: "order-placed", props: { ...order, payBy: null } },
    { name: "order-placed-free", event: "order-placed", props: free },
    {
      name: "keys-one",
      event: "keys",
      props: { orderId: ORDER, passes: passes(locale).slice(0, 1), agreedAt: ORDERED_AT },
    },
    {
      name: "keys-many",
      event: "keys",
      props: { orderId: ORDER, passes: passes(locale), agreedAt: ORDERED_AT },
    },
    {
      name: "keys-library",
      event: "keys",
      props: {
        orderId: ORDER,
        agreedAt: null,
        passes: passes(locale)
          .slice(1, 2)
          .map((pass) => ({ ...pass, codes: [], keptInLibrary: 3 })),
      },
    },
    { name: "delay-stock", event: "delay", props: { orderId: ORDER, waiting: [waiting] } },
    { name: "delay-release", event: "delay", props: { orderId: ORDER, waiting: [preOrder] } },
    ...(["requested", "withdrawn", "not_delivered", "paid_too_late"] as const).map((cause) => ({
      name: `refund-${cause}`,
      event: "refund" as const,
      props: { orderId: ORDER, cause, lines: [months], amountCents: 11700 },
    })),
    {
      name: "payment-failed-held",
      event: "payment-failed",
      props: { orderId: ORDER, ...withSums([week, months], 500), holdEndsAt: ORDERED_AT },
    },
    {
      name: "payment-failed-released",
      event: "payment-failed",
      props: { orderId: ORDER, ...withSums([week]), holdEndsAt: null },
    },
    ...SECURITY_NOTICE_KINDS.map((kind) => ({
      name: `account-notice-${kind}`,
      event: "account-notice" as const,
      props: { kind, address: "m•••@example.com", provider: "github" as const },
    })),
    {
      name: "email-changed-delivery",
      event: "email-changed",
      props: { address: "mara@example.com", orderId: ORDER },
    },
    { name: "subscription-confirm", event: "subscription-confirm", props: { token: "sample", days: 7 } },
    {
      name: "discount-alert",
      event: "discount-alert",
      props: {
        deals: [toOffer(week), toOffer(months), toOffer(lifetime)].map((pass) => ({
          ...pass,
          usualCents: pass.priceCents + 600,
          endsAt: LATER,
        })),
      },
    },
    { name: "wait-list", event: "wait-list", props: toOffer(months) },
    { name: "unsubscribe-link", event: "unsubscribe-link", props: { token: "sample" } },
    {
      name: "application-received",
      event: "application-received",
      props: { productUrl: "https://quillon.example/app" },
    },
    ...decisionSamples(locale),
    ...withdrawalSamples(locale),
    { name: "coupon-amount", event: "coupon", props: coupon(locale) },
    {
      name: "coupon-percent",
      event: "coupon",
      props: { ...coupon(locale), amountCents: null, percent: 15, minimumCents: 0, expiresAt: null },
    },
    {
      name: "referral-reward",
      event: "referral-reward",
      props: { friend: "K***", coupon: { ...coupon(locale), code: "THANKS-7Q3MX-2JKPA" } },
    },
  ];
}

const CAMPAIGN = { en: "Spring coupon", zh: "春季优惠券", ja: "春のクーポン" };

const coupon = (locale: Locale) => ({
  code: "PASS-9TR4K-W2XQ7",
  title: CAMPAIGN[locale],
  amountCents: 500,
  percent: null,
  minimumCents: 2000,
  expiresAt: LATER,
});
