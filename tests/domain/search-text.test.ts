import fc from "fast-check";
import { afterAll, describe, expect, it } from "vitest";
import { client, closeDatabase } from "@/db/client";
import { searchFold, storedTokens } from "@/lib/catalog/search/rules-text";
import { rounds } from "@/tests/setup/rounds";

afterAll(closeDatabase);

/** The tokens of the database's vector in the order of their positions. */
async function tokenizeInDatabase(texts: string[]) {
  return client()<{ folded: string; tokens: string[] }[]>`
    select search_fold(g.text) as folded, (select coalesce(json_agg(t.token order by t.position), '[]') from (
        select lexeme as token, unnest(positions) as position from unnest(search_vector(g.text))) t) as tokens
    from jsonb_array_elements_text(${JSON.stringify(texts)}::text::jsonb) with ordinality g(text, n) order by n`;
}
const removeInvalid = (text: string) => text.toWellFormed().replaceAll("\0", "");

async function expectSame(inputs: string[]) {
  const texts = inputs.map(removeInvalid);
  const rows = await tokenizeInDatabase(texts);
  expect(rows.map(({ folded }) => folded)).toEqual(texts.map(searchFold));
  expect(rows.map(({ tokens }) => tokens)).toEqual(texts.map(storedTokens));
}

const HOSTILE = [
  "",
  " ",
  "'",
  "''\\'",
  "\\",
  ":*",
  "a:*A & b | !c <-> (d)",
  "%_%",
  "$1 {} ;-- /*",
  "\ud800x\udc00",
  "a\u200db\u200fc\u061cd",
  "שלום עולם مرحبا",
  "ﻣﺮﺣﺒﺎ",
  "😀字幕👩‍👩‍👧‍👦x",
  "ｶﾞｲﾄﾞ ガイド カ\u3099イト\u3099",
  "Café CAFÉ İıŁØÆŒßẞ Đđ Ёлка Йод Ї ΆΣς",
  "C++ C# c++# #1 +49 a+b",
  "4Kビデオ・字幕、翻訳。々〆〇ー",
  "한국어 한",
  "𠀀𠮷野家 ㍿ ㈱ ①② ½ ﷺ",
  `${"x".repeat(3000)} ${"字".repeat(200)}`,
  "ａ＿ｂ　ｃ",
  "e\u0301\u0302\u0303 \u0301",
  "\u0600\u0601\u06dd",
];

describe("database and code tokenize a text equally", () => {
  it("for hostile texts", () => expectSame(HOSTILE));

  it("for random texts", async () => {
    const piece = fc.oneof(
      fc.string({ unit: "grapheme", maxLength: 30 }),
      fc.string({ unit: "binary", maxLength: 30 }),
      fc
        .array(fc.constantFrom(...HOSTILE, "字", "幕", "ア", "ー", "a", "É", " ", "・"), { maxLength: 8 })
        .map((parts) => parts.join("").slice(0, 200)),
    );
    await expectSame(fc.sample(piece, { numRuns: rounds(600, 60), seed: 20261121 }));
  });
});
