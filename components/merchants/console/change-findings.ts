import type { FieldChange } from "@/lib/catalog/console/rules-changes";
import type { ProductRecord } from "@/lib/catalog/import/contract";
import { foldAlphanumerics } from "@/lib/platform/fold-text";
import { type Locale, TRANSLATIONS } from "@/lib/platform/i18n/locales";

/** What the machine finds in a change; `ok` false: a person should look. */
export type ChangeFinding = {
  kind: "translation" | "picture" | "vendor" | "price" | "activation";
  ok: boolean;
  language?: Locale;
  plan?: string;
  /** of a price: its change as a part of the price before */
  share?: number;
};

/** A price that changes by more than this part is for a person to look at. */
const NOTABLE_SHARE = 0.2;

type Checked = {
  line: ProductRecord;
  merchant_name: string;
  changes: readonly FieldChange[];
};

const plain = (name: string) => foldAlphanumerics(name).toLowerCase();
const hostOf = (url: string) => (URL.canParse(url) ? new URL(url).hostname : "");

/** Checks that need no judgement: translations, picture, vendor, prices, and whether codes are redeemed where they were before. */
export function findChangeFindings({ line, merchant_name, changes }: Checked): ChangeFinding[] {
  const translations = TRANSLATIONS.map(
    (language): ChangeFinding => ({ kind: "translation", ok: line.texts[language] !== undefined, language }),
  );
  const prices = changes.flatMap(({ path, before, after }): ChangeFinding[] => {
    const plan = /^plans\.([^.]+)\.price$/.exec(path)?.[1];
    const [from, to] = [Number(before), Number(after)];
    if (plan === undefined || before === null || after === null || from === 0) return [];
    const share = (to - from) / from;
    return [{ kind: "price", ok: Math.abs(share) <= NOTABLE_SHARE, plan, share }];
  });
  const address = changes.find(({ path }) => path === "activation.url");
  const isMoved = address !== undefined && hostOf(address.before ?? "") !== hostOf(address.after ?? "");
  return [
    ...translations,
    { kind: "picture", ok: line.image !== undefined },
    { kind: "vendor", ok: plain(line.vendor) === plain(merchant_name) },
    { kind: "activation", ok: !isMoved },
    ...prices,
  ];
}
