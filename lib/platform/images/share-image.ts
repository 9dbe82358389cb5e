import { createHash } from "node:crypto";
import { drawInProcess } from "@/lib/platform/drawing-process";
import type { Locale } from "@/lib/platform/i18n/locales";
import { cachedImage } from "./render";
import type { ShareTexts } from "./share-card";
import { SHARE_SIZE } from "./widths";

/** The content of a share image: texts and a picture. */
export type ShareCard = ShareTexts & {
  /** The bytes of a picture file. */
  picture: Buffer;
};

/** Renders a share image as PNG in two separate processes: one for the texts, one for the pixels. */
async function renderShareImage({ picture, ...texts }: ShareCard, locale: Locale): Promise<Buffer> {
  const svg = (await drawInProcess("documents", { job: "card", texts, locale })).bytes.toString();
  const { width, height, margin, picture: side } = SHARE_SIZE;
  const place = { side, left: width - margin - side, top: (height - side) / 2 };
  return (await drawInProcess("pages", { job: "share", svg, ...place }, picture)).bytes;
}

/** A share image from the memory cache. Its key contains everything that the image shows, so it is never outdated. */
export async function shareImage(card: ShareCard, locale: Locale): Promise<Buffer> {
  const { picture, ...texts } = card;
  const pictureHash = createHash("sha256").update(picture).digest("base64");
  const key = JSON.stringify([locale, texts, pictureHash]);
  return cachedImage(`share ${key}`, () => renderShareImage(card, locale));
}
