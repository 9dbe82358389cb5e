import { foldCode } from "@/lib/platform/fold-text";

/** How a text looks that a spreadsheet has changed: `certain` is no longer a code, `possible` may still be one. */
export type SpreadsheetDamage = "certain" | "possible";

/** The errors that stand in a cell: `#REF!`, `#NAME?`, `#N/A`, `#DIV/0!`, `#¡REF!`, `Err:502`; and a column that is too narrow. */
const ERRORS =
  /^(?:#+|#[¡¿]?[\p{L}_/]+0?[!?]|#(?:N\/?[AVD]|REF|NAME|VALUE|NUM|NULL|SPILL|CALC|GETTING_DATA)|ERR:\d{3})$/u;
/** A number with an exponent, as cells show long ones: `1.23457E+15`, `1,23E+10`, `1E+15`. */
const SCIENTIFIC = /^[+-]?(?:\d{1,3}[.,]\d+E[+-]\d{1,3}|\d{1,3}E\+\d{1,3})$/;
/** The same as programs write it: `1.23E15`, `12E-45`. */
const EXPONENT = /^[+-]?(?:\d+[.,]\d+E\d{1,3}|\d{1,3}E-\d{1,3})$/;
/** A formula of which only the text is left. A text in quotation marks is not one. */
const FORMULA = /^[=＝].*[(!]/;
const TIME = /^\d{1,2}:\d{2}(?::\d{2}(?:[.,]\d+)?)?(?:[AP]M)?$/;

/** Names of months as cells shorten them in English, German, French, Spanish and Portuguese. */
const MONTHS =
  "JAN|JANV|ENE|FEB|FEV|FÉVR|MAR|MARS|MÄR|MÄRZ|MRZ|APR|AVR|ABR|MAY|MAI|JUN|JUNE|JUIN|JUL|JULY|JUIL|AUG|AGO|AOÛT|SEP|SEPT|SET|OCT|OKT|OUT|NOV|DEC|DEZ|DÉC|DIC";
/** `5-Mar`, `Mar-05`, `5-Mar-24`, 3月5日. */
const SHORT_DATE = new RegExp(
  `^(?:\\d{1,2}[-./]?(?:${MONTHS})\\.?(?:[-./]?\\d{2})?|(?:${MONTHS})\\.?[-./]\\d{2})$`,
  "u",
);
const ASIAN_DATE = /^(?:\d{2,4}年)?\d{1,2}月(?:\d{1,2}日)?$/u;
const LONG_DATE = new RegExp(`^(?:\\d{1,2}[-./]?)?(?:${MONTHS})\\.?[-./]?\\d{4}$`, "u");
/** `2026-03-05`, `05.03.2026`, `3/5/26`. */
const NUMBER_DATE = /^(?:\d{4}([-./])\d{1,2}\1\d{1,2}|\d{1,2}([-./])\d{1,2}\2(?:\d{4}|\d{2}))$/;
const DATE_TIME = /^[\d./-]{6,10}T?\d{1,2}:\d{2}(?::\d{2}(?:[.,]\d+)?)?Z?$/;

/** A number with decimals or in groups of thousands, an amount or a share. */
const DECIMAL = /^[+-]?(?:\d+[.,]\d+|\d{1,3}(?:([.,'])\d{3})(?:\1\d{3})*(?:[.,]\d+)?)$/;
const AMOUNT = /^[+-]?(?:\p{Sc}[\d.,]+|[\d.,]+(?:\p{Sc}|%))$/u;
/** Digits that a spreadsheet keeps of a number; it writes zeros for the others. */
const KEPT_DIGITS = 15;
const isRounded = (text: string) =>
  /^\d+$/.test(text) && /^0+$/.test(text.replace(/^0+/, "").slice(KEPT_DIGITS));

/** Whether a spreadsheet has changed a code into a number, a date or an error. null: nothing speaks for it. */
export function spreadsheetDamage(text: string): SpreadsheetDamage | null {
  const cell = foldCode(text).toUpperCase();
  const certain = [ERRORS, SCIENTIFIC, FORMULA, TIME, SHORT_DATE, ASIAN_DATE, DATE_TIME];
  if (certain.some((pattern) => pattern.test(cell))) return "certain";
  const possible = [EXPONENT, LONG_DATE, NUMBER_DATE, DECIMAL, AMOUNT, /^=/];
  return isRounded(cell) || possible.some((pattern) => pattern.test(cell)) ? "possible" : null;
}
