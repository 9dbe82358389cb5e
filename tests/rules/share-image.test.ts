import { readFileSync } from "node:fs";
import sharp from "sharp";
import { expect, it } from "vitest";
import { type ShareCard, shareImage } from "@/lib/platform/images/share-image";

const card = (overrides: Partial<ShareCard> = {}): ShareCard => ({
  title: "Quillon Draft",
  line: "Turns scattered notes into a first draft.",
  note: "from $3.90",
  brand: "Passlane",
  picture: readFileSync("db/seed/images/quillon-draft.svg"),
  ...overrides,
});
const createSquare = async (background: string) => {
  const bytes = Buffer.alloc(2000); // bytes after the end of a PNG are ignored; they make both files equally long
  (
    await sharp({ create: { width: 8, height: 8, channels: 3, background } })
      .png()
      .toBuffer()
  ).copy(bytes);
  return bytes;
};

it("shareImage returns another image for another price, text, language, length or picture", async () => {
  const first = await shareImage(card(), "en");
  expect(await shareImage(card(), "en")).toBe(first);
  const variants = await Promise.all([
    shareImage(card({ note: "from $4.90" }), "en"),
    shareImage(card({ title: "Quillon Drafts" }), "en"),
    ...[7, 30, null].map((units) => shareImage(card({ units }), "en")),
    shareImage(card({ line: "散らばったメモを下書きに。" }), "ja"),
    shareImage(card({ picture: await createSquare("#c00") }), "en"),
    shareImage(card({ picture: await createSquare("#00c") }), "en"),
  ]);
  const images = [first, ...variants].map((png) => png.toString("base64"));
  expect(new Set(images).size).toBe(images.length);
});
