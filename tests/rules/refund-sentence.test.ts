import { describe, expect, it } from "vitest";
import { refundTranslator } from "@/emails/translator";
import {
  rightOf,
  type WithdrawalFacts,
  withdrawalApplies,
  withdrawalDecision,
} from "@/lib/orders/withdrawal/rules";
import { type RefundFacts, refundDecision, toOfferView, toRefundView } from "@/lib/payments/refunds/rules";
import { moneyBack, refundSentence } from "@/lib/payments/refunds/rules-wording";
import { LOCALES } from "@/lib/platform/i18n/locales";

const now = new Date("2026-11-30T12:00:00Z");
const paidAt = new Date("2026-11-29T12:00:00Z");
const COUNTRIES = ["DE", "GB", "JP", "US"] as const;
const PLANS = {
  day: { durationDays: 1 },
  month: { durationDays: 30 },
  deal: { durationDays: 30, limitedTime: true },
};
const STATES = {
  unpaid: { paidAt: null },
  waiting: { paidAt, undelivered: true },
  unseen: { paidAt, unrevealed: 1 },
  seen: { paidAt, shown: 1 },
  late: { paidAt: new Date("2026-11-10T12:00:00Z"), unrevealed: 1 },
  free: { paidAt, unrevealed: 1, cents: 0 },
};
type Case = { plan: keyof typeof PLANS; state: keyof typeof STATES; country: string };

function facts({ plan, state, country }: Case) {
  const {
    paidAt,
    undelivered,
    unrevealed = 0,
    shown = 0,
    cents = 1500,
  } = STATES[state] as {
    paidAt: Date | null;
    undelivered?: boolean;
    unrevealed?: number;
    shown?: number;
    cents?: number;
  };
  const rule: RefundFacts = {
    limitedTime: false,
    ...PLANS[plan],
    paidCents: cents,
    paidAt,
    undelivered,
    redemption: shown > 0 ? "unknown" : "unredeemed",
  };
  const law: WithdrawalFacts = {
    paidAt,
    totalCents: cents,
    leftCents: cents,
    leftUnits: 1,
    applies: withdrawalApplies(country, null),
    shown,
    unrevealed,
    chosen: true,
    consented: false,
    disputed: false,
  };
  return { rule, law };
}

const all = Object.keys(PLANS).flatMap((plan) =>
  Object.keys(STATES).flatMap((state) => COUNTRIES.map((country) => ({ plan, state, country }) as Case)),
);
const viewOf = (one: Case) => {
  const { rule, law } = facts(one);
  return toRefundView(refundDecision(rule, now), rightOf(law, now));
};
const say = (one: Case, locale: (typeof LOCALES)[number] = "en") =>
  refundSentence(refundTranslator(locale), viewOf(one), locale);

describe("the refund sentence", () => {
  it.each([
    [
      "day",
      "unpaid",
      "DE",
      "$15.00 back within 14 days of payment while the code is neither shown nor emailed",
    ],
    ["day", "unpaid", "US", "Not refundable: passes under 30 days"],
    ["day", "waiting", "US", "Cancel any time before delivery: $15.00 back"],
    ["day", "unseen", "DE", "$15.00 back until 13 December while the code is neither shown nor emailed"],
    ["day", "unseen", "JP", "Not refundable: passes under 30 days"],
    ["day", "seen", "GB", "No refund: the code has been shown or emailed"],
    ["day", "late", "DE", "Refunds ended on 24 November"],
    ["day", "late", "US", "Not refundable: passes under 30 days"],
    ["day", "free", "DE", "Free, so nothing to refund"],
    ["deal", "unseen", "DE", "$15.00 back until 13 December while the code is neither shown nor emailed"],
    ["deal", "unseen", "US", "Not refundable: limited-time price"],
    ["month", "unpaid", "US", "$15.00 back within 15 days of payment while the code is unused"],
    ["month", "unseen", "DE", "$15.00 back until 14 December while the code is unused"],
    ["month", "seen", "DE", "$15.00 back until 14 December while the code is unused"],
    ["month", "late", "DE", "Refunds ended on 25 November"],
  ] as [Case["plan"], Case["state"], string, string][])(
    "of a %s pass, %s, bought in %s is “%s”",
    (plan, state, country, sentence) => {
      expect(say({ plan, state, country })).toBe(sentence);
    },
  );

  it.each(LOCALES)(
    "promises an amount exactly where money comes back, for every plan, state and country (%s)",
    (locale) => {
      const amount = locale === "en" ? "$15.00" : "US$15.00";
      for (const one of all) {
        const back = moneyBack(viewOf(one));
        const sentence = say(one, locale);
        expect(sentence.includes(amount), `${JSON.stringify(one)}: ${sentence}`).toBe(back !== null);
        if (locale === "en" && back) expect(sentence).not.toMatch(/not refundable|no refund/i);
      }
    },
  );

  it("promises at least what the withdrawal form gives back, and never its money where the form refuses", () => {
    for (const one of all.filter(({ state }) => state !== "unpaid")) {
      const { law } = facts(one);
      const form = withdrawalDecision(law, now);
      const back = moneyBack(viewOf(one));
      if (form.units > 0) expect(back?.amount, JSON.stringify(one)).toBe(15);
      if (back?.by === "right") expect(back.amount).toBe(form.amountCents / 100);
    }
  });

  it("says before an order what holds in which country, with the amount", () => {
    const offer = toOfferView({ durationDays: 7, paidCents: 1500, limitedTime: false }, now);
    expect(refundSentence(refundTranslator("en"), offer, "en")).toBe(
      "EU, EEA, UK: $15.00 back within 14 days while the code is unseen. Elsewhere: no refund under 30 days",
    );
    const month = toOfferView({ durationDays: 30, paidCents: 1500, limitedTime: false }, now);
    expect(refundSentence(refundTranslator("en"), month, "en")).toBe(
      "$15.00 back within 15 days of payment while the code is unused",
    );
  });

  it("ends for an unpaid order whose codes will be emailed, because they are then seen", () => {
    const { rule, law } = facts({ plan: "day", state: "unpaid", country: "DE" });
    const view = toRefundView(refundDecision(rule, now), rightOf({ ...law, emailed: true }, now));
    expect(moneyBack(view)).toBeNull();
  });
});
