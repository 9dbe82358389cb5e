import type postgres from "postgres";
import { type ListProductsInput, SearchProductsInput } from "@/lib/catalog/contract";
import { PRODUCT_SORTS } from "@/lib/catalog/rules";
import { between, type Random, seeded, vocabulary } from "./generate-texts";

/** Search inputs from the words of the generated catalog; the same at every run. */
export type SearchQuery = { kind: string; input: SearchProductsInput };

const CATALOG_SEED = 1; // the default seed of generate.ts
const pickUniform = <T>(random: Random, list: readonly T[]): T => list[Math.floor(random() * list.length)]!;

/** A typo: a letter omitted, doubled, or swapped with the next. */
function addTypo(random: Random, word: string): string {
  const index = between(random, 1, word.length - 2);
  const [before, letter, next, after] = [
    word.slice(0, index),
    word[index]!,
    word[index + 1]!,
    word.slice(index + 2),
  ];
  return pickUniform(random, [
    before + next + after,
    before + letter + letter + next + after,
    before + next + letter + after,
  ]);
}

const pickPart = (random: Random, text: string): string => {
  const runs = text.match(/[\u3041-\u30ff\u4e00-\u9fff]+/g) ?? [text];
  const letters = [...pickUniform(random, runs)];
  const from = between(random, 0, letters.length - 1);
  return letters.slice(from, from + between(random, 1, 5)).join("");
};

/** Texts of products across the whole list, as a source of keywords. */
async function sampleTexts(sql: postgres.ISql, locale: string): Promise<string[]> {
  const rows = await sql<{ text: string }[]>`
    select t.name || ' ' || t.tagline || ' ' || t.description as text from product_texts t
    where t.locale = ${locale} and t.product_id % 331 = 7 order by t.product_id limit 200`;
  return rows.map(({ text }) => text);
}

const FILTERS: Partial<ListProductsInput>[] = [
  { in_stock: true },
  { vip_type: "week" },
  { category: "bench-3" },
  { price_to: 20 },
  { price_from: 5, price_to: 50, in_stock: true },
  { price_per_day_to: 1 },
  { category: "bench-12", vip_type: "month", in_stock: true },
];

export async function generateQueries(sql: postgres.ISql, countPerKind: number): Promise<SearchQuery[]> {
  const random = seeded(20_261_121);
  const { latin } = vocabulary(CATALOG_SEED + 1);
  const [en, zh, ja] = await Promise.all(["en", "zh", "ja"].map((locale) => sampleTexts(sql, locale)));
  const names = en!.map((text) => text.split(" ")[0]!.toLowerCase());
  const word = () => latin[Math.floor(latin.length ** random()) - 1] ?? "pass";
  const keywords: Record<string, () => string> = {
    "common word": () => latin[between(random, 0, 60)]!,
    "medium-frequency word": () => latin[between(random, 60, 3000)]!,
    "rare word": () => latin[between(random, 3000, latin.length - 1)]!,
    name: () => pickUniform(random, names),
    "two words": () => `${word()} ${word()}`,
    "word prefix": () => word().slice(0, between(random, 2, 4)),
    "one letter": () => word().slice(0, 1),
    typo: () =>
      addTypo(random, random() < 0.5 ? pickUniform(random, names) : latin[between(random, 0, 3000)]!),
    "Chinese part-word": () => pickPart(random, pickUniform(random, zh!)),
    "Japanese part-word": () => pickPart(random, pickUniform(random, ja!)),
    mixed: () => `${word()} ${pickPart(random, pickUniform(random, random() < 0.5 ? zh! : ja!))}`,
    "with a pass type": () => `${word()} ${pickUniform(random, ["weekly", "3 days", "年卡", "週間パス"])}`,
    empty: () => "",
  };
  const queries = Object.entries(keywords).flatMap(([kind, keyword]) =>
    Array.from({ length: countPerKind }, () =>
      createQuery(kind, { keyword: keyword(), page: between(random, 1, 3) }),
    ),
  );
  const anyKeyword = () => pickUniform(random, Object.values(keywords))();
  for (const sort of PRODUCT_SORTS)
    for (let i = 0; i < countPerKind; i++)
      queries.push(createQuery(`sorted: ${sort}`, { keyword: anyKeyword(), sort }));
  for (let i = 0; i < countPerKind * 2; i++) {
    const filter = pickUniform(random, FILTERS);
    queries.push(createQuery("filtered", { keyword: anyKeyword(), ...filter }));
    queries.push(
      createQuery("filtered and sorted", {
        keyword: anyKeyword(),
        ...filter,
        sort: pickUniform(random, PRODUCT_SORTS),
      }),
    );
  }
  return queries;
}

const createQuery = (kind: string, input: object): SearchQuery => ({
  kind,
  input: SearchProductsInput.parse({ size: 24, ...input }),
});

/** Lists and pages without a keyword. */
export function generateListQueries(): { kind: string; input: ListProductsInput }[] {
  const inputs = [{}, ...FILTERS].flatMap((filter) =>
    PRODUCT_SORTS.flatMap((sort) => [1, 2, 83].map((page) => ({ ...filter, sort, page }))),
  );
  return inputs.map((input) => createQuery("list", { ...input, keyword: "" }));
}
