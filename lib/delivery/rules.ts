import { foldAlphanumerics, foldCode } from "@/lib/platform/fold-text";
import type { Locale } from "@/lib/platform/i18n/locales";

/**
 * States of an activation code, in order. `reserved`, unsold, `withheld`, and `assigned` whose code no one can have
 * seen, may return to `available`. A key is withheld after a restore of the database when it may have been handed out
 * before (docs/operations.md#restore).
 */
export const KEY_STATES = [
  "available",
  "withheld",
  "reserved",
  "assigned",
  "quarantined",
  "revoked",
] as const;
export type KeyState = (typeof KEY_STATES)[number];

/** Custody events, append-only per key. */
export const KEY_EVENTS = [
  "imported",
  "reserved",
  "released",
  "assigned",
  "mailed",
  "revealed",
  "quarantined",
  "revoked",
  "activated",
  "resealed",
  "gift_sent",
  "gift_claimed",
  "gift_returned",
  "withheld",
  "restocked",
  "unlocked",
] as const;
export type KeyEvent = (typeof KEY_EVENTS)[number];

export const REPLACEMENT_STATES = ["asked", "approved", "refused"] as const;
export type ReplacementState = (typeof REPLACEMENT_STATES)[number];

/**
 * How a buyer consented to immediate delivery. `ticked`: by the choice at the checkout, or by the field of a call.
 * `api-default`: by paying through a call without the field. `revealed`: by revealing a code kept unrevealed.
 * `returns-limit`: by paying under terms without that choice, because many units were returned unrevealed.
 */
export const CONSENT_SOURCES = ["ticked", "api-default", "revealed", "returns-limit"] as const;
export type ConsentSource = (typeof CONSENT_SOURCES)[number];

/** The date of the terms of service (db/seed/legal), which every consent names. */
export const TERMS_VERSION = "2026-12-01";

/** The version of the texts that ask for consent. A test compares it with the texts, so a changed text needs a new one. */
export const CONSENT_WORDING_VERSION = "2026-11-30.2";

/** What a buyer consented to: by which act, under which terms, and in which words. */
export type Consent = {
  source: ConsentSource;
  terms: string;
  wording: { locale: Locale; version: string };
};

/** A consent given now, in the language of the request. */
export const createConsent = (source: ConsentSource, locale: Locale): Consent => ({
  source,
  terms: TERMS_VERSION,
  wording: { locale, version: CONSENT_WORDING_VERSION },
});

/** Shown instead of an unrevealed code; no part of a code is stored in plain text. */
export const MASKED_CODE = "•••• •••• ••••";

/** A paid line that waits for stock is refunded after this time (pre-orders: counted from their release). */
export const STOCK_DEADLINE_HOURS = 72;

/** When an undelivered pre-order is refunded. */
export const preOrderDeadline = (releasesAt: Date | string): Date =>
  new Date(new Date(releasesAt).getTime() + STOCK_DEADLINE_HOURS * 3_600_000);

const SINGLE_QUOTES = /[`\u00b4\u2018-\u201b\u2032\u2035\u2039\u203a\uff07]/gu;
const DOUBLE_QUOTES = /[\u00ab\u00bb\u201c-\u201f\u2033\u2036\u300c-\u300f\u301d-\u301f\uff02]/gu;

/**
 * The one form in which codes are compared: codes that differ in case, width, spacing, kinds of hyphens or quotation marks,
 * quotation marks around them, or letters that are not drawn are equal.
 */
export function normalizeKey(text: string): string {
  // Before `foldCode`, which takes some of these marks apart.
  const quoted = text.replace(SINGLE_QUOTES, "'").replace(DOUBLE_QUOTES, '"');
  return foldCode(quoted)
    .replace(/^["']+|["']+$/g, "")
    .toUpperCase();
}

/** The letters and digits of a code alone, as someone may write it who leaves its hyphens out. */
export const lettersOfKey = (text: string): string => foldAlphanumerics(normalizeKey(text));

/** Hyphens that the former form kept apart. */
const FORMER_HYPHENS = ["\u2010", "\u2012", "\u2013", "\u2014", "\u2015", "\u2212", "\u30fc"];

/**
 * The forms of a code under which a key may still be stored whose fingerprint was not renewed
 * (lib/delivery/fingerprints/renew-fingerprints.ts): as typed, and with one kind of hyphen throughout.
 */
export function formerKeyForms(text: string): string[] {
  const typed = text.normalize("NFKC").replace(/\s+/gu, "").toUpperCase();
  const plain = normalizeKey(text);
  const hyphens = plain.includes("-") ? FORMER_HYPHENS : [];
  return [...new Set([typed, ...hyphens.map((hyphen) => plain.replaceAll("-", hyphen))])];
}

/** An activation can be corrected for this long. */
export const ACTIVATION_MINUTES = 60;

/** Days before the end at which its reminder is sent, by the pass's length, longest first. */
export const REMIND_BEFORE: readonly { fromDays: number; days: number }[] = [
  { fromDays: 30, days: 3 },
  { fromDays: 7, days: 1 },
];
/** Days before the redemption deadline at which the reminder of an unrevealed code is sent. */
export const REMIND_REDEEM_DAYS = 7;

/** The codes of a gift can be redeemed for this long after its day, and for the margin of their plan. */
export const GIFT_REDEEM_DAYS = 30;

/** `next`: a pass has ended, and its owner has another code of the same product that is not shown yet. */
export const REMINDERS = ["ends", "redeem_by", "next"] as const;
export type Reminder = (typeof REMINDERS)[number];

type StackedPass = {
  library_id: string;
  product_id: number;
  duration_days: number | null;
  ends_at: string | null;
  refund_asked: boolean;
  disputed: boolean;
  payment_checked: boolean;
};

/**
 * Puts codes that are not shown yet under the pass of the same product that runs and ends first: each has its
 * own days, and is meant to be revealed when that pass ends. `top`: the passes under which codes are stacked
 * or that have none, in their order.
 */
export function stackPasses<P extends StackedPass>(
  items: readonly P[],
  serverTime: string,
): { top: P[]; next: Map<string, P[]> } {
  const now = Date.parse(serverTime);
  const isRunning = ({ ends_at }: P) => ends_at !== null && Date.parse(ends_at) > now;
  const next = new Map<string, P[]>();
  const top = items.filter((item) => {
    const isNext =
      item.ends_at === null &&
      item.duration_days !== null &&
      !item.refund_asked &&
      !item.disputed &&
      !item.payment_checked;
    if (!isNext) return true;
    const [first] = items
      .filter((other) => other.product_id === item.product_id && isRunning(other))
      .sort((a, b) => Date.parse(a.ends_at ?? "") - Date.parse(b.ends_at ?? ""));
    if (first) next.set(first.library_id, [...(next.get(first.library_id) ?? []), item]);
    return !first;
  });
  return { top, next };
}

export const REVEAL_WAYS = ["shown", "mailed"] as const;

/** Hours after which a merchant is reminded of a request for another code. */
export const REPLACEMENT_REMINDER_HOURS = 24;

export const REPLACEMENT_REASON_MAX = 1000;
/** The reason of a refusal, which is mailed. */
export const REPLACEMENT_NOTE_MAX = 1000;

const DAY_MS = 86_400_000;

/** The end of a pass: its duration after its start or first reveal. Null before that, and for lifetime. */
export function passEnd(startedAt: string | Date | null, durationDays: number | null): Date | null {
  return startedAt && durationDays !== null
    ? new Date(new Date(startedAt).getTime() + durationDays * DAY_MS)
    : null;
}

/** The actor of a reveal in custody: the user's id, a space, and the device. */
export const encodeRevealActor = (userId: string, device: string | undefined) =>
  device ? `${userId} ${device}` : userId;

/** The device of a reveal's actor; null when unknown. */
export const deviceFromActor = (actor: string) => /^\S+ (.+)$/s.exec(actor)?.[1] ?? null;
