import { CATEGORIES, generateProducts } from "./generate-products";

const INCLUDES: Record<string, string> = { en: "All", zh: "全部", ja: "すべて" };

/** The same products as lines of an import file for `npm run catalog:import`. */
export function* generateImportLines(count: number, seed = 1): Generator<string> {
  for (let n = 0; n < CATEGORIES; n++) {
    const names = { en: `Field ${n}`, zh: `类别${n}`, ja: `ジャンル${n}` };
    yield JSON.stringify({ kind: "category", slug: `bench-${n}`, sort_num: n, hue: (n * 9) % 360, names });
  }
  for (const { slug, vendor, category, sortNum, texts, plans } of generateProducts(count, seed))
    yield JSON.stringify({
      kind: "product",
      slug,
      vendor,
      category,
      sort_num: sortNum,
      texts: Object.fromEntries(
        Object.entries(texts).flatMap(([locale, text]) =>
          text ? [[locale, { ...text, includes: [INCLUDES[locale]] }]] : [],
        ),
      ),
      activation: {
        url: null,
        steps: { en: ["Enter the code."], zh: ["输入代码。"], ja: ["コードを入力します。"] },
      },
      plans: plans.map(({ type, days, cents }) => ({
        type,
        duration_days: days,
        price: cents / 100,
        purchase_limit: cents === 0 ? 1 : null,
      })),
    });
}
