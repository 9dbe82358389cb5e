import { ADULT_AGE, GUARDIAN_AGE } from "@/lib/accounts/rules";
import { imageVersion } from "@/lib/catalog/images/rules";
import { DAILY_VOUCHER, INVITER_VOUCHER, NEW_USER_VOUCHER } from "@/lib/coupons/rules";
import { HOLD_MINUTES, LOW_STOCK_HOLD_MINUTES } from "@/lib/orders/rules";
import { REFUND_DAYS, REFUNDABLE_FROM_DAYS, VENDOR_CONFIRMATION_HOURS } from "@/lib/payments/refunds/rules";
import type { Locale } from "@/lib/platform/i18n/locales";
import { formatPrice } from "@/lib/platform/money";
import { RETENTION_DAYS } from "@/lib/tracking/rules";

export const POST_LISTS = ["newest", "hot", "recommended"] as const;
export type PostList = (typeof POST_LISTS)[number];

export const BLOG_SIZE = 8;
export const SIDEBAR_SIZE = 4;
/** Views of this many days decide what is hot. */
export const HOT_DAYS = 30;

/** The address of a post's picture; `v` changes with the picture, so responses are immutable. */
export const postImagePath = (slug: string, image: string) =>
  `/api/v1/blog/image/${slug}?v=${imageVersion(image)}`;

/**
 * A figure in a text is a line `![caption](file.svg)`. The import stores the picture and writes its hash and size for
 * the file: `![caption](figure/HASH/960x480)`.
 */
export const FIGURE_LINE = /^!\[([^\]]+)\]\(([\w-]+\.(?:png|jpe?g|webp|svg|avif))\)$/i;

/** A figure in a stored text. */
export const STORED_FIGURE_LINE = /^!\[([^\]]+)\]\(figure\/([0-9a-f]{64})\/\d{1,5}x\d{1,5}\)$/;

/** The start of a stored figure's target. */
export const figureTarget = (hash: string) => `](figure/${hash}/`;

const FIGURE_TARGET = /^figure\/([0-9a-f]{64})\/(\d{1,5})x(\d{1,5})$/;

/** The widths of figures in a post, in pixels: the line length at one and two pixels a CSS pixel. */
const FIGURE_WIDTHS = [480, 960] as const;

/** The image of a figure's target in the post; null for another target. */
export const figureImage = (slug: string, target: string) =>
  imageOfTarget(
    target,
    (hash, px) => `/api/v1/blog/image/${slug}?figure=${hash}&v=${imageVersion(hash)}&width=${px}`,
  );

/** The same for a text that is not published, which only staff see. */
export const draftFigureImage = (target: string) =>
  imageOfTarget(target, (hash, px) => `${postPictureSource(hash)}&width=${px}`);

/** The address of a stored picture for staff, without its width. */
export const postPictureSource = (hash: string) =>
  `/api/v1/admin/images/${hash}?shape=figure&v=${imageVersion(hash)}`;

function imageOfTarget(target: string, addressOf: (hash: string, px: number) => string) {
  const [, hash, width, height] = FIGURE_TARGET.exec(target) ?? [];
  if (hash === undefined) return null;
  const address = (px: number) => addressOf(hash, px);
  return {
    src: address(960),
    srcset: FIGURE_WIDTHS.map((px) => `${address(px)} ${px}w`).join(", "),
    width: Number(width),
    height: Number(height),
  };
}

/** "$5" · "US$5": whole dollars without cents. */
const formatWholePrice = (cents: number, locale: Locale) => formatPrice(cents, locale).replace(/\.00$/, "");

/** Values of placeholders such as `{refund_days}` in posts and legal texts, so that no text repeats a constant. */
export const placeholderValues = (locale: Locale) => ({
  refund_days: String(REFUND_DAYS),
  refundable_from_days: String(REFUNDABLE_FROM_DAYS),
  merchant_hours: String(VENDOR_CONFIRMATION_HOURS),
  hold_minutes: String(HOLD_MINUTES),
  low_stock_hold_minutes: String(LOW_STOCK_HOLD_MINUTES),
  daily_amount: formatWholePrice(DAILY_VOUCHER.amountCents, locale),
  daily_hours: String(DAILY_VOUCHER.hours),
  new_user_amount: formatWholePrice(NEW_USER_VOUCHER.amountCents, locale),
  new_user_min: formatWholePrice(NEW_USER_VOUCHER.minimumCents, locale),
  inviter_amount: formatWholePrice(INVITER_VOUCHER.amountCents, locale),
  adult_age: String(ADULT_AGE),
  minor_age: String(GUARDIAN_AGE),
});

type LegalShop = { locale: Locale; brand: string; support: string };

/** The same with what legal texts need besides. `support` is the support address. */
export const legalPlaceholderValues = ({ locale, brand, support }: LegalShop) => ({
  ...placeholderValues(locale),
  brand,
  support_email: support,
  retention_days: String(RETENTION_DAYS),
});

/** Reading time in minutes: 220 words, or 450 full-width characters, a minute. */
export function readingMinutes(text: string): number {
  const fullWidthCharacters =
    text.match(/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/gu)?.length ?? 0;
  const words = text.match(/[\p{Script=Latin}\d]+/gu)?.length ?? 0;
  return Math.max(1, Math.round(fullWidthCharacters / 450 + words / 220));
}
