import { getTranslations } from "next-intl/server";
import { findPostShare } from "@/lib/blog/get-post-image";
import { findProductShare } from "@/lib/catalog/images/find-product-share";
import { clientIp } from "@/lib/platform/api/guard";
import { env } from "@/lib/platform/env";
import { isShopError } from "@/lib/platform/errors";
import { READ_COSTS, runExpensiveWork, takePoints } from "@/lib/platform/expensive-work";
import { refusalResponse } from "@/lib/platform/http/refusal";
import { isLocale, type Locale } from "@/lib/platform/i18n/locales";
import { holesImage } from "@/lib/platform/images/holes";
import { readBuiltInPicture } from "@/lib/platform/images/render";
import { type ShareCard, shareImage } from "@/lib/platform/images/share-image";
import { formatPrice, toCents } from "@/lib/platform/money";
import { parseHoles } from "@/lib/platform/ticket-picture";

export const dynamic = "force-dynamic";

type Props = { params: Promise<{ locale: string; kind: string; slug: string }> };

/** The preview image of shared links, one for each product, post and language, and the holes of tickets in emails. */
export async function GET(request: Request, { params }: Props): Promise<Response> {
  try {
    const ip = clientIp(request.headers);
    await takePoints(ip, READ_COSTS.shareImage);
    return await runExpensiveWork(ip, async () => drawCard(await params));
  } catch (error) {
    if (isShopError(error)) return refusalResponse(request, error);
    throw error;
  }
}

async function drawCard({ locale, kind, slug }: Awaited<Props["params"]>): Promise<Response> {
  const holes = kind === "holes" ? parseHoles(slug) : null;
  if (holes) return pngResponse(await holesImage(holes), "public, max-age=31536000, immutable");
  const card = isLocale(locale) ? await findShareCard(kind, slug, locale) : null;
  if (!card || !isLocale(locale)) return new Response("Not found", { status: 404 });
  const png = await shareImage({ ...card, brand: env().APP_NAME }, locale);
  return pngResponse(png, "public, max-age=3600");
}

const pngResponse = (png: Buffer, cacheControl: string) =>
  new Response(new Uint8Array(png), {
    headers: { "Content-Type": "image/png", "Cache-Control": cacheControl },
  });

async function findShareCard(
  kind: string,
  slug: string,
  locale: Locale,
): Promise<Omit<ShareCard, "brand"> | null> {
  const t = await getTranslations({ locale });
  if (kind === "post") return findPostShare(slug, locale);
  if (kind === "page" && slug === "home")
    return {
      title: env().APP_NAME,
      line: t("catalog.home.heading"),
      picture: await readBuiltInPicture("home"),
    };
  if (kind !== "product") return null;
  const product = await findProductShare(slug, locale);
  if (!product) return null;
  const { price, ...card } = product;
  const note =
    price === 0 ? t("ui.share.free") : t("ui.share.from", { price: formatPrice(toCents(price), locale) });
  return { ...card, note };
}
