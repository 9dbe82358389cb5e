import { readFile } from "node:fs/promises";
import { create } from "fontkit";
import { describe, expect, it, vi } from "vitest";
import { LOCALES } from "@/lib/platform/i18n/locales";
import { FONT_FAMILIES, listFontPaths, loadDocumentFonts, openFont } from "@/lib/platform/images/share-fonts";
import { unpackWoff } from "@/lib/platform/images/woff";
import { writePdf } from "@/lib/platform/pdf-writer";

vi.mock("node:fs/promises", async (importOriginal) => {
  const original = await importOriginal<typeof import("node:fs/promises")>();
  return { ...original, readFile: vi.fn(original.readFile) };
});

const NAMES = [
  "李梓萱",
  "闫晟",
  "坂本太郎",
  "Tomáš Novák",
  "Nguyễn Văn Đức",
  "김민수 뷁",
  "محمد علي",
  "گروه می‌خواهم",
  "דוד כהן",
  "สมชาย ใจดี",
  "अमित शर्मा",
  "Иван Петров",
  "Γιώργος Παπαδόπουλος",
];

describe.each(FONT_FAMILIES)("the font family %s", (family) => {
  it("has only readable files", async () => {
    const paths = await listFontPaths(family);
    expect(paths.length).toBeGreaterThan(2);
    for (const path of paths) {
      const { regular, bold } = await openFont(path);
      for (const file of [regular, bold]) {
        const font = create(file);
        if (!("characterSet" in font)) throw new Error(`${path} is no single font`);
        const letters = font.characterSet.map((code) => String.fromCodePoint(code));
        expect(font.layout(letters[0] ?? "").glyphs[0]?.path.commands, path).toBeDefined();
        expect(font.layout(letters.at(-1) ?? "").glyphs[0]?.path.commands, path).toBeDefined();
      }
    }
  });
});

describe.each(LOCALES)("a document in %s", (locale) => {
  it.each(NAMES)("has a font for every letter of %s", async (name) => {
    const fonts = await loadDocumentFonts(name, locale);
    const missing = [...name].filter((letter) => !fonts.some((font) => font.has(letter.codePointAt(0) ?? 0)));
    expect(missing).toEqual([]);
  });

  it("is written with all of these names", async () => {
    const info = { title: "Names", author: "Passlane", createdAt: new Date(0) };
    const rows = NAMES.map((name) => ({ term: name, value: `${name} (12.50)`, bold: true }));
    const file = await writePdf([{ kind: "rows", rows }], info, locale);
    expect(file.subarray(0, 5).toString()).toBe("%PDF-");
  });
});

it("an unreadable font is skipped, and its letters come from the next family", async () => {
  const read = vi.mocked(readFile).getMockImplementation()!;
  vi.mocked(readFile).mockImplementation((path, options) =>
    String(path).includes("noto-sans-sc-") && String(path).endsWith(".woff")
      ? Promise.resolve(Buffer.from("wOFF, but no more"))
      : read(path, options),
  );
  vi.resetModules();
  const fresh = await import("@/lib/platform/images/share-fonts");
  const fonts = await fresh.loadDocumentFonts("太郎", "zh");
  expect(fonts.map(({ name }) => name.replace(/-\d+$/, ""))).toEqual(["noto-sans-jp", "noto-sans-jp"]);
  vi.mocked(readFile).mockImplementation(read);
});

it("a damaged font is refused instead of rendered", async () => {
  const file = await readFile("node_modules/@fontsource/noto-sans/files/noto-sans-latin-400-normal.woff");
  expect(() => unpackWoff(Buffer.from("GIF89a"))).toThrow("no WOFF file");
  expect(() => unpackWoff(file.subarray(0, file.length / 2))).toThrow();
});
