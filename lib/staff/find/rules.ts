import { normalizeKey } from "@/lib/delivery/rules";

const HYPHENS = /[\u2010-\u2015\u2212\uff0d]/g;
const QUOTES = /^[\s"'“”‘’«»「」『』(（[<]+|[\s"'“”‘’«»「」『』)）\]>.,;:。、]+$/g;
/** Lengths of groups in which codes are written. */
const GROUP_LENGTHS = [4, 5, 6];
const MAX_GROUPED = 60;

/**
 * The forms under which a code may be stored that is typed so, as `normalizeKey` writes them: as it stands, with plain hyphens,
 * without quotes or a full stop around it; without hyphens; and in groups, where they were left out.
 */
export function codeForms(text: string): string[] {
  const typed = normalizeKey(text);
  const plain = normalizeKey(text.replace(HYPHENS, "-").replace(QUOTES, ""));
  const bare = plain.replaceAll("-", "");
  const forms = [typed, plain, bare];
  if (plain === bare && bare.length <= MAX_GROUPED && /^[A-Z0-9]+$/.test(bare))
    for (const length of GROUP_LENGTHS)
      if (bare.length > length && bare.length % length === 0)
        forms.push(bare.match(new RegExp(`.{${length}}`, "g"))!.join("-"));
  return [...new Set(forms)].filter((form) => form !== "");
}

/** Digits that the running number of an order has at least. */
const RUNNING_DIGITS = 4;

/** What a part of an order's number names: month and running number of `2611-0042`, or the running number alone of `0042`. */
type OrderNumberPart = { month: string | null; running: string };

/** Reads a part of an order's number (`PL-2611-0042`): with or without its beginning, hyphens or spaces. null: it is none. */
export function parseOrderNumberPart(text: string): OrderNumberPart | null {
  const plain = text.replace(HYPHENS, "-").replace(/^#/, "");
  const [, month, running] = /^(?:PL[- ]?)?(\d{2}(?:0[1-9]|1[0-2]))[- ]?(\d{4,8})$/i.exec(plain) ?? [];
  if (month && running) return { month, running };
  const [, alone] = /^(\d{3,8})$/.exec(plain) ?? [];
  return alone ? { month: null, running: alone.padStart(RUNNING_DIGITS, "0") } : null;
}
