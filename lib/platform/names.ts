import type { ErrorName } from "./errors";
import { dropInvisible } from "./fold-text";
import { foldLookalikes } from "./lookalikes";

// Names that others read in mails and on pages, and must not be misled by.

export type NameFlaw = Extract<ErrorName, "name_letters" | "name_address" | "name_shop">;

/** Line breaks, control, private and direction characters. */
const UNPRINTED = /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}]/u;
/** An address of email or of a page, with or without its scheme: mail programs make a link of `acme.example`. */
const ADDRESS = /@|＠|:\/\/|\bwww\.|[\p{L}\p{N}](?:\.\p{L}{2,}|。[a-z]{2,})/iu;
/**
 * A word whose letters are Latin and of another alphabet: `Аcme`. Chinese, Japanese and Korean may be mixed with Latin.
 */
const mixesAlphabets = (word: string): boolean =>
  /\p{Script=Latin}/u.test(word) &&
  /(?![\p{Script=Latin}\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Bopomofo}\p{Script=Common}\p{Script=Inherited}])\p{L}/u.test(
    word,
  );
/** A shop's name of fewer letters may be part of another word. */
const CONTAINED = 5;

/** Whether a name is the shop's, or a hasty reader finds the shop's in it. */
function readsAsShop(name: string, shop: string): boolean {
  const [folded, own] = [foldLookalikes(name), foldLookalikes(shop)];
  if (own === "") return false;
  return own.length < CONTAINED
    ? name.split(/\s+/u).some((word) => foldLookalikes(word) === own)
    : folded.includes(own);
}

/** Why a name misleads; null: it does not. `shops` are the names of the shop. */
export function findNameFlaw(name: string, shops: readonly string[]): NameFlaw | null {
  if (UNPRINTED.test(name) || dropInvisible(name) !== name || !/[\p{L}\p{N}]/u.test(name))
    return "name_letters";
  if (ADDRESS.test(name.normalize("NFKC"))) return "name_address";
  if (shops.some((shop) => readsAsShop(name, shop))) return "name_shop";
  return name.split(/[\s\p{P}]+/u).some(mixesAlphabets) ? "name_letters" : null;
}
