import type { FieldChange } from "@/lib/catalog/console/rules-changes";
import type { ProductRecord } from "@/lib/catalog/import/contract";
import { foldAlphanumerics } from "@/lib/platform/fold-text";
import { type Locale, TRANSLATIONS } from "@/lib/platform/i18n/locales";

/** An automatic check of a change; `ok` false if a person should look at it. */
export type ChangeFinding = {
  kind: "translation" | "picture" | "vendor" | "price" | "activation";
  ok: boolean;
  language?: Locale;
  plan?: string;
  /** for a price: the change as a fraction of the previous price */
  share?: number;
};

/** The fraction above which a person should look at a price change. */
const NOTABLE_SHARE = 0.2;

type Checked = {
  line: ProductRecord;
  merchant_name: string;
  changes: readonly FieldChange[];
};

const plain = (name: string) => foldAlphanumerics(name).toLowerCase();
const hostOf = (url: string) => (URL.canParse(url) ? new URL(url).hostname : "");

/** Checks that need no judgement: translations, picture, vendor, prices, and an unchanged place of redemption. */
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
