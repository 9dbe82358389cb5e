import type { Metadata } from "next";
import { headers } from "next/headers";
import { notFound, redirect } from "next/navigation";
import type { MessageKeys, Messages, NestedKeyOf } from "next-intl";
import { getTranslations, setRequestLocale } from "next-intl/server";
import { pageViewer } from "@/lib/platform/auth/page-viewer";
import type { UserViewer } from "@/lib/platform/auth/session";
import { env } from "@/lib/platform/env";
import { DEFAULT_LOCALE, isLocale, type Locale } from "@/lib/platform/i18n/locales";
import {
  isSurface,
  LOCALE_HEADER,
  localizedPath,
  type PageLocation,
  type Surface,
  safeRedirect,
} from "@/lib/platform/routing/paths";
import type { PageUrls } from "./metadata";
import { supportAddress } from "./page-urls";

/** What Next gives a page below app/[locale]/[surface]; `Names` are the parameters of its own folders. */
export type PageProps<Names extends string = never> = {
  params: Promise<Record<"locale" | "surface" | Names, string>>;
  searchParams: Promise<Record<string, string | string[] | undefined>>;
};
type Params = PageProps["params"];

export type MessageKey = MessageKeys<Messages, NestedKeyOf<Messages>>;

/**
 * The language and surface of a page, which the rewrites of next.config.ts put into its parameters. Tells next-intl the
 * language, so that rendering reads no header. Every layout and page starts with it. A page of one surface only is
 * missing on the other.
 */
export async function pageLocation(params: Params, only?: Surface): Promise<PageUrls & { support: string }> {
  const { locale, surface } = await params;
  if (!isLocale(locale) || !isSurface(surface) || (only && surface !== only)) notFound();
  setRequestLocale(locale);
  const { APP_URL: origin, APP_NAME: brand } = env();
  return { origin, brand, support: supportAddress(), locale, surface };
}

/**
 * The language of a `not-found` file below a page's folder: Next renders it beside the page, before anything has told
 * next-intl the language, and gives it no parameters.
 */
export async function notFoundLocale(): Promise<Locale> {
  const told = (await headers()).get(LOCALE_HEADER);
  const locale = isLocale(told) ? told : DEFAULT_LOCALE;
  setRequestLocale(locale);
  return locale;
}

/**
 * `generateMetadata` of a personal page: its own title, kept out of search engines. `exact` leaves the shop's name off
 * (the payment pages, whose titles are fixed to the character).
 */
export function pageTitle(key: MessageKey, { exact = false } = {}) {
  return async ({ params }: Pick<PageProps, "params">): Promise<Metadata> => {
    const { locale } = await pageLocation(params);
    const t = await getTranslations({ locale });
    return { title: exact ? { absolute: t(key) } : t(key), robots: { index: false, follow: false } };
  };
}

type OfOne = {
  find: (viewer: UserViewer, orderId: string) => Promise<unknown>;
  exact?: boolean;
  /** The page has something to show without an order, too. */
  list?: boolean;
};

/**
 * `generateMetadata` of a page about one order: its own title, or "Order not found" where the viewer has no such order.
 * Next would keep the page's title beside the screen of `not-found`.
 */
export function orderPageTitle(key: MessageKey, { find, exact = false, list = false }: OfOne) {
  const titled = pageTitle(key, { exact });
  return async ({ params, searchParams }: PageProps): Promise<Metadata> => {
    const metadata = await titled({ params });
    const { locale } = await pageLocation(params);
    const [viewer, orderId] = [await pageViewer(locale), await queryValue(searchParams, "order_id")];
    if (viewer.kind === "guest" || (orderId === undefined && list)) return metadata;
    if (orderId !== undefined && (await find(viewer, orderId))) return metadata;
    const t = await getTranslations({ locale, namespace: "payments.title" });
    return { ...metadata, title: t("unknown") };
  };
}

/** One query value of a page; the first when it is given twice. */
export async function queryValue(
  searchParams: PageProps["searchParams"],
  name: string,
): Promise<string | undefined> {
  const value = (await searchParams)[name];
  return Array.isArray(value) ? value[0] : value;
}

/**
 * A login-required page checks for itself: guests go to the login, which brings them back to `path` (docs/product.md#24-navigation).
 */
export async function requirePageUser(
  { params, searchParams }: PageProps,
  path: string,
): Promise<PageLocation & { viewer: UserViewer }> {
  const { locale, surface } = await pageLocation(params);
  const viewer = await pageViewer(locale);
  if (viewer.kind === "user") return { viewer, locale, surface };
  const back = localizedPath(path, { locale, surface }) + (await queryText(searchParams));
  redirect(`${localizedPath("/login", { locale, surface })}?redirect=${encodeURIComponent(back)}`);
}

/** A guest-only page sends the signed-in where they wanted to go, else to their profile. Decided by the session row. */
export async function requirePageGuest({ params, searchParams }: PageProps): Promise<PageLocation> {
  const { locale, surface } = await pageLocation(params);
  const viewer = await pageViewer(locale);
  if (viewer.kind === "guest") return { locale, surface };
  const wanted = safeRedirect(await queryValue(searchParams, "redirect"));
  redirect(wanted ?? localizedPath("/profile", { locale, surface }));
}

async function queryText(searchParams: PageProps["searchParams"]): Promise<string> {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(await searchParams)) {
    for (const one of [value].flat()) if (one !== undefined) query.append(name, one);
  }
  return query.size > 0 ? `?${query}` : "";
}
