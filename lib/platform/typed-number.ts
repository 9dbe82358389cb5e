import { foldText } from "@/lib/platform/fold-text";

/** Groups of three digits, of which the first does not begin with 0: `0,125` has no thousands. */
const GROUPED = /^([1-9]\d{0,2})((?:,\d{3})+)(\.\d+)?$/;
const GROUPED_WITH_POINTS = /^([1-9]\d{0,2})((?:\.\d{3})+)(,\d+)$/;
const PLAIN = /^\d+(?:[.,]\d{1,2})?$/;

/** The `pattern` of a field for an amount or a count: what `parseTypedNumber` reads, without a sign. */
export const TYPED_NUMBER = String.raw`\s*[$¥€£＄￥￡]?\s*(?:[0-9０-９]+(?:[.,．，][0-9０-９]{1,2})?|[1-9１-９][0-9０-９]{0,2}(?:[,，][0-9０-９]{3})+(?:[.．][0-9０-９]+)?|[1-9１-９][0-9０-９]{0,2}(?:[.．][0-9０-９]{3})+[,，][0-9０-９]+)\s*`;

/**
 * The number that someone typed, with a point or a comma before the decimals: `1,000`, `1.000,00`, `１０００` and `$1,000`
 * are a thousand. NaN for text that is not a number or is ambiguous, such as `12.345` and `1e3`.
 */
export function parseTypedNumber(text: string): number {
  const [, sign = "", digits = ""] = /^([-−]?)\s*[$¥€£]?\s*(.*)$/su.exec(foldText(text).trim()) ?? [];
  const factor = sign ? -1 : 1;
  if (GROUPED.test(digits)) return factor * Number(digits.replaceAll(",", ""));
  if (GROUPED_WITH_POINTS.test(digits)) return factor * Number(digits.replaceAll(".", "").replace(",", "."));
  return PLAIN.test(digits) ? factor * Number(digits.replace(",", ".")) : Number.NaN;
}

/** A number of a query, as a program writes it (`0.125`, `1e3`), else as someone types it. */
export function parseQueryNumber(text: string): number {
  const number = Number(text);
  return Number.isNaN(number) ? parseTypedNumber(text) : number;
}

/**
 * An amount that someone typed; -1 for text that is not a number, because JSON turns NaN into null, which means no
 * amount.
 */
export function parseTypedAmount(text: string): number {
  const number = parseTypedNumber(text);
  return Number.isNaN(number) ? -1 : number;
}
