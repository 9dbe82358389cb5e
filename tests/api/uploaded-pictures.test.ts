import sharp from "sharp";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { POST as uploadByStaff } from "@/app/api/v1/admin/images/route";
import { POST as sendForImport } from "@/app/api/v1/admin/imports/pictures/route";
import { POST as uploadByMerchant } from "@/app/api/v1/merchant/images/route";
import { client, closeDatabase } from "@/db/client";
import { createApiToken, createMerchant } from "@/db/factories/merchants";
import { createStaff } from "@/db/factories/staff";
import { Lane, RefusedPicture } from "@/lib/platform/drawing-process";
import { ShopError } from "@/lib/platform/errors";
import { authHeaders, type CallResult, call } from "./call";

let merchantHeaders: Record<string, string>;
let staffHeaders: Record<string, string>;

beforeAll(async () => {
  const { bearer } = await createApiToken(await createMerchant());
  merchantHeaders = { authorization: bearer };
  staffHeaders = authHeaders(await createStaff({ roles: ["catalogue"] }));
});
afterEach(() => vi.restoreAllMocks());
afterAll(closeDatabase);

type Send = (raw: string | Buffer, language?: string) => Promise<CallResult>;
const raw = (bytes: string | Buffer) => new Uint8Array(Buffer.from(bytes));
const typed = (headers: Record<string, string>, language: string) => ({
  ...headers,
  "content-type": "image/svg+xml",
  "accept-language": language,
});
const ENTRIES: [string, Send][] = [
  [
    "by a merchant's token",
    (bytes, language = "en") =>
      call(uploadByMerchant, "/merchant/images", {
        raw: raw(bytes),
        headers: typed(merchantHeaders, language),
      }),
  ],
  [
    "by staff",
    (bytes, language = "en") =>
      call(uploadByStaff, "/admin/images", { raw: raw(bytes), headers: typed(staffHeaders, language) }),
  ],
  [
    "for an import",
    (bytes, language = "en") =>
      call(sendForImport, "/admin/imports/pictures", {
        raw: raw(bytes),
        query: "name=a.svg",
        headers: typed(staffHeaders, language),
      }),
  ],
];

const svg = (content: string, size = 'width="400" height="300"') =>
  `<svg xmlns="http://www.w3.org/2000/svg" ${size}>${content}</svg>`;

/** 700 bytes whose entities expand to 100,000 letters. */
const ENTITIES = `<!DOCTYPE svg [<!ENTITY a "${"x".repeat(100)}"><!ENTITY b "${"&a;".repeat(32)}"><!ENTITY c "${"&b;".repeat(32)}">]>${svg('<text x="1" y="20" font-size="9">&c;</text>')}`;

/** Each pattern is drawn a hundred times by the one before it. */
const PATTERNS = svg(
  `${Array.from({ length: 12 }, (_, n) => `<pattern id="p${n}" width=".1" height=".1"><rect width="40" height="40" fill="url(#p${n + 1})"/></pattern>`).join("")}<rect width="400" height="300" fill="url(#p0)"/>`,
);

const CLIPS = svg(
  `${Array.from({ length: 12 }, (_, n) => `<g id="a${n}">${`<use href="#a${n + 1}"/>`.repeat(10)}</g>`).join("")}`,
);

describe.each(ENTRIES)("a picture uploaded %s", (_, send) => {
  it("is refused immediately with what the shop cannot render, in the reader's language", async () => {
    expect(ENTITIES.length).toBeLessThan(710);
    const cases: [string, string | Buffer, string][] = [
      ["entities", ENTITIES, "cannot draw: !DOCTYPE."],
      ["patterns in patterns", PATTERNS, "cannot draw: pattern."],
      ["parts that unfold", CLIPS, "takes too much work"],
      ["a vast drawing", svg("", 'width="99999" height="99999"'), "at most 40 million"],
      ["half a drawing", "<svg><g>", "broken or incomplete"],
      ["a letter", "Dear shop", "not a picture"],
    ];
    const [before] = await client()`select count(*)::int from product_images`;
    for (const [name, bytes, message] of cases) {
      const { status, body } = await send(bytes);
      expect([name, status, body.code]).toEqual([name, 400, "40000"]);
      expect(body.message, name).toContain(message);
    }
    expect((await send(PATTERNS, "zh")).body.message).toContain("本店无法绘制的内容：pattern");
    expect((await send(PATTERNS, "ja")).body.message).toContain("描画できない要素（pattern）");
    expect(await client()`select count(*)::int from product_images`).toEqual([before]);
  });

  it("is refused when it was too much for its process", async () => {
    vi.spyOn(Lane.prototype, "draw").mockRejectedValueOnce(new RefusedPicture("complex"));
    expect((await send(svg("<rect/>"))).body).toMatchObject({
      code: "40000",
      message: "The picture takes too much work to draw. Simplify it, or save it as PNG.",
    });
  });

  it("is answered with Retry-After while too many wait", async () => {
    const busy = new ShopError("pictures_busy", { params: { retryAfterSeconds: 10 } });
    vi.spyOn(Lane.prototype, "draw").mockRejectedValueOnce(busy);
    const { status, body, headers } = await send(svg("<rect/>"));
    expect([status, body.code, headers.get("retry-after")]).toEqual([503, "50305", "10"]);
    expect(body.message).toContain("Please try again in a few seconds");
  });

  it("is stored as pixels, or beside its pixels", async () => {
    const { body } = await send(svg(`<circle r="${ENTRIES.findIndex((entry) => entry[1] === send) + 9}"/>`));
    expect(body.code).toBe("200");
    const [stored] = await client()`
      select mime, coalesce(drawn, bytes) as pixels from product_images order by xmin::text::bigint desc limit 1`;
    expect((await sharp(stored!.pixels).metadata()).format).toBe("webp");
  });
});
