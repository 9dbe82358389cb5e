import type { Metadata } from "next";
import { headers } from "next/headers";
import { notFound, redirect } from "next/navigation";
import type { MessageKeys, Messages, NestedKeyOf } from "next-intl";
import { getTranslations, setRequestLocale } from "next-intl/server";
import { cache } from "react";
import { pageViewer } from "@/lib/platform/auth/page-viewer";
import type { UserViewer } from "@/lib/platform/auth/session";
import { env } from "@/lib/platform/env";
import { DEFAULT_LOCALE, isLocale, type Locale } from "@/lib/platform/i18n/locales";
import { addCacheTags, MISSING } from "@/lib/platform/page-cache/tags";
import { currentRequest } from "@/lib/platform/request-scope";
import {
  isSurface,
  LOCALE_HEADER,
  localizedPath,
  type PageLocation,
  type Surface,
} from "@/lib/platform/routing/paths";
import { supportAddress } from "@/lib/platform/support-address";
import { type PageUrls, publicMetadata } from "./metadata";

/** The props of a page below app/[locale]/[surface]; `Names` are the parameters of its own folders. */
export type PageProps<Names extends string = never> = {
  params: Promise<Record<"locale" | "surface" | Names, string>>;
  searchParams: Promise<Record<string, string | string[] | undefined>>;
};
type Params = PageProps["params"];

export type MessageKey = MessageKeys<Messages, NestedKeyOf<Messages>>;

/**
 * The language and surface of a page, from its parameters. Sets next-intl's locale, so that rendering reads no
 * header; every layout and page calls it first.
 */
export async function pageLocation(params: Params): Promise<PageUrls & { support: string }> {
  const { locale, surface } = await params;
  if (!isLocale(locale) || !isSurface(surface)) notFound();
  setRequestLocale(locale);
  return createUrls(locale, surface);
}

/**
 * One object per render, so that it can be the key of a `cache`. Next passes different `params` to the metadata and the
 * page.
 */
const createUrls = cache((locale: Locale, surface: Surface): PageUrls & { support: string } => {
  const { APP_URL: origin, APP_NAME: brand } = env();
  return { origin, brand, support: supportAddress(), locale, surface };
});

/**
 * Gives the page status 404; the page then renders the not-found screen itself, so that the first HTML has its language
 * and text. Next's `notFound()` sends an empty document without a language, which a script fills.
 */
export function respondNotFound(): void {
  addCacheTags(MISSING);
  currentRequest()?.onNotFound?.();
}

/** The language of a `not-found` file, which Next renders without parameters before a page has set the locale. */
export async function notFoundLocale(): Promise<Locale> {
  const header = (await headers()).get(LOCALE_HEADER);
  const locale = isLocale(header) ? header : DEFAULT_LOCALE;
  setRequestLocale(locale);
  return locale;
}

/**
 * `generateMetadata` of a personal page: its title and description, noindex. `exact` omits the shop's name (the payment pages have
 * fixed titles).
 */
export function pageTitle(key: MessageKey, description: MessageKey, { exact = false } = {}) {
  return async ({ params }: Pick<PageProps, "params">): Promise<Metadata> => {
    const { locale } = await pageLocation(params);
    const t = await getTranslations({ locale });
    return {
      title: exact ? { absolute: t(key) } : t(key),
      description: t(description),
      robots: { index: false, follow: false },
    };
  };
}

/** `generateMetadata` of a public page with fixed texts. Without a title it has that of the layout. */
export function publicTitle(path: string, keys: { title?: MessageKey; description: MessageKey }) {
  return async ({ params }: Pick<PageProps, "params">): Promise<Metadata> => {
    const location = await pageLocation(params);
    const t = await getTranslations({ locale: location.locale });
    const title = keys.title && { title: t(keys.title) };
    return publicMetadata(path, location, { ...title, description: t(keys.description) });
  };
}

type OrderPageOptions = {
  find: (viewer: UserViewer, orderId: string) => Promise<unknown>;
  exact?: boolean;
  /** The page also works without an order. */
  list?: boolean;
};

/**
 * `generateMetadata` of an order's page: its title, or "Order not found" when the viewer has no such order, because
 * Next would keep the page's title beside `not-found`.
 */
export function orderPageTitle(
  key: MessageKey,
  description: MessageKey,
  { find, exact = false, list = false }: OrderPageOptions,
) {
  const loadMetadata = pageTitle(key, description, { exact });
  return async ({ params, searchParams }: PageProps): Promise<Metadata> => {
    const metadata = await loadMetadata({ params });
    const { locale } = await pageLocation(params);
    const viewer = await pageViewer(locale);
    const orderId = await queryValue(searchParams, "order_id");
    if (viewer.kind === "guest" || (!orderId && list)) return metadata;
    if (orderId && (await find(viewer, orderId))) return metadata;
    const t = await getTranslations({ locale, namespace: "payments.title" });
    return { ...metadata, title: t("unknown") };
  };
}

/** A query value of a page; the first when repeated. */
export async function queryValue(
  searchParams: PageProps["searchParams"],
  name: string,
): Promise<string | undefined> {
  const value = (await searchParams)[name];
  return Array.isArray(value) ? value[0] : value;
}

/**
 * Redirects guests of a login-required page to the login, which returns them to `path`
 * (docs/product.md#24-navigation).
 */
export async function requirePageUser(
  { params, searchParams }: PageProps,
  path: string,
): Promise<PageLocation & { viewer: UserViewer }> {
  const { locale, surface } = await pageLocation(params);
  const viewer = await pageViewer(locale);
  if (viewer.kind === "user") return { viewer, locale, surface };
  const returnAddress = localizedPath(path, { locale, surface }) + (await queryText(searchParams));
  redirect(`${localizedPath("/login", { locale, surface })}?redirect=${encodeURIComponent(returnAddress)}`);
}

/**
 * As `requirePageUser`, with the order of the query's `order_id`. The page is not found when `find` finds no order; without an
 * id it leads to what `leadTo` names.
 */
export async function requirePageOrder<Order>(
  props: PageProps,
  path: string,
  find: (viewer: UserViewer, orderId: string, locale: Locale) => Promise<Order | null | undefined>,
  leadTo: (viewer: UserViewer, path: string) => Promise<string> | string,
) {
  const page = await requirePageUser(props, path);
  const orderId = await queryValue(props.searchParams, "order_id");
  if (!orderId) redirect(localizedPath(await leadTo(page.viewer, path), page));
  const order = await find(page.viewer, orderId, page.locale);
  return { ...page, order: order ?? notFound() };
}

/** Redirects signed-in users of a guest-only page to their profile (docs/product.md#24-navigation). The session row decides. */
export async function requirePageGuest({ params }: Pick<PageProps, "params">): Promise<PageLocation> {
  const { locale, surface } = await pageLocation(params);
  const viewer = await pageViewer(locale);
  if (viewer.kind === "guest") return { locale, surface };
  redirect(localizedPath("/profile", { locale, surface }));
}

async function queryText(searchParams: PageProps["searchParams"]): Promise<string> {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(await searchParams)) {
    for (const item of [value].flat()) if (item !== undefined) query.append(name, item);
  }
  return query.size > 0 ? `?${query}` : "";
}
