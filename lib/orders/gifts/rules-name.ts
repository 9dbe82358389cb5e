import { GIFT_FROM_MAX } from "./rules";

/** Scripts that are written together: a name has letters of one row only. */
const SCRIPTS = [
  "Latin",
  "Cyrillic",
  "Greek",
  "Han Hiragana Katakana",
  "Hangul",
  "Arabic",
  "Hebrew",
  "Thai",
  "Devanagari",
].map((row) => row.split(" "));

const NAMES = SCRIPTS.map((row) => {
  const letter = `(?=[\\p{L}\\p{M}])[${row.map((script) => `\\p{Script_Extensions=${script}}`).join("")}]`;
  return new RegExp(`^(?=\\p{L})(?:${letter}|(?<=\\S)[ '’-](?=\\p{L}))+$`, "u");
});

/** The name as it is stored: compatibility forms as plain letters, one space between words. */
export const foldGiverName = (text: string): string =>
  text
    .normalize("NFKC")
    .trim()
    .replace(/ +/g, " ")
    .replace(/\u2010/g, "-");

/**
 * Whether a folded name can stand in an email to somebody who did not ask for it (docs/product.md#819-gifts): letters of one
 * script, single spaces, apostrophes and hyphens between them. So it is not an address, number or command, and nothing in it is
 * invisible or turns the text around.
 */
export const isGiverName = (name: string): boolean =>
  [...name].length <= GIFT_FROM_MAX && NAMES.some((pattern) => pattern.test(name));
