import type { Metadata } from "next";
import { getTranslations } from "next-intl/server";
import { type ComponentType, cache, createElement, type ReactNode } from "react";
import type { z } from "zod";
import type { MerchantAccess } from "@/lib/platform/api/declaration";
import { findMemberships, type MerchantViewer } from "@/lib/platform/auth/merchant-access";
import { pageViewer } from "@/lib/platform/auth/page-viewer";
import { extendStaffSession } from "@/lib/platform/auth/session";
import { type ListFields, listFields } from "@/lib/platform/console/filter-spec";
import { type ErrorName, isShopError } from "@/lib/platform/errors";
import { type ConsoleMessageKey, consoleText } from "@/lib/platform/i18n/console-messages";
import type { Locale } from "@/lib/platform/i18n/locales";
import { type ConsoleProps, consoleLocale } from "./console";
import { readConsoleList } from "./console-list";
import { respondNotFound } from "./page";

/** The props of a page below app/[locale]/(console)/merchant/[handle]. */
export type MerchantProps<Names extends string = never> = ConsoleProps<"handle" | Names>;
export type MerchantMember = MerchantViewer & {
  role: NonNullable<MerchantViewer["role"]>;
  user: NonNullable<MerchantViewer["user"]>;
};
export type MerchantPage = { locale: Locale; viewer: MerchantMember };

/** The member who opens a page of this merchant's console; null for everyone else. */
export const merchantMember = cache(
  async (locale: Locale, handle: string): Promise<MerchantMember | null> => {
    const user = await pageViewer(locale);
    if (user.kind !== "user") return null;
    const membership = (await findMemberships(user.userId)).find((one) => one.handle === handle);
    if (!membership) return null;
    await extendStaffSession(user);
    const { role, ...merchant } = membership;
    return { kind: "merchant", merchant, actor: user.userId, role, user, locale };
  },
);

/**
 * Guards a page of a merchant's console. For everyone without access it does not exist: returns null with status 404.
 */
export async function merchantPage(
  { params }: Pick<MerchantProps, "params">,
  access: MerchantAccess,
): Promise<MerchantPage | null> {
  const locale = await consoleLocale(params);
  const viewer = await merchantMember(locale, (await params).handle);
  if (viewer && access.roles.includes(viewer.role)) return { locale, viewer };
  respondNotFound();
  return null;
}

/** The metadata of a page of a merchant's console: its title for those with access, and noindex. */
async function merchantMetadata(
  { params }: Pick<MerchantProps, "params">,
  access: MerchantAccess,
  title: (locale: Locale) => Promise<string | null>,
): Promise<Metadata> {
  const locale = await consoleLocale(params);
  const viewer = await merchantMember(locale, (await params).handle);
  const robots = { index: false, follow: false };
  const found = viewer && access.roles.includes(viewer.role) && (await title(locale));
  if (found) return { title: found, robots };
  const t = await getTranslations({ locale, namespace: "ui.not_found" });
  return { title: t("title"), robots };
}

/** The `generateMetadata` of a page of a merchant's console with a fixed title. */
export const merchantTitle =
  (access: MerchantAccess, title: ConsoleMessageKey) => (props: Pick<MerchantProps, "params">) =>
    merchantMetadata(props, access, (locale) => consoleText(locale, title));

/** The address of a merchant's console, or of a page below it. */
export const merchantPath = ({ viewer }: MerchantPage, path = ""): string =>
  `/merchant/${viewer.merchant.handle}${path}`;

/**
 * Guards a page with a list, and reads it with the filters of its address.
 * @param path of the page, below the merchant's console
 */
export async function merchantList<Schema extends z.ZodType, List>(
  props: MerchantProps,
  access: MerchantAccess,
  path: string,
  schema: Schema,
  read: (viewer: MerchantViewer, input: z.output<Schema>, locale: Locale) => Promise<List>,
) {
  const page = await merchantPage(props, access);
  if (!page) return null;
  const { viewer, locale } = page;
  const address = merchantPath(page, path);
  const { values, list } = await readConsoleList(props, page, address, schema, (input) =>
    read(viewer, input, locale),
  );
  return { ...page, path: address, home: merchantPath(page), values, list };
}

/** The data that the page of a merchant's list passes to its screen. */
type ListPageData<List> = {
  path: string;
  list: List;
  values: Record<string, string>;
  fields: ListFields;
  /** of the merchant's console */
  home: string;
  handle: string;
};
type ListOptions<Input extends z.ZodObject, List, More extends object> = {
  /** below the merchant's console */
  path: string;
  title: ConsoleMessageKey;
  access: MerchantAccess;
  input: Input;
  read: (viewer: MerchantViewer, input: z.output<Input>, locale: Locale) => Promise<List>;
  /** What the screen needs besides the list. */
  more?: (page: MerchantPage) => Promise<More>;
  screen: ComponentType<ListPageData<List> & More>;
  notFound: ComponentType;
};

/** The page of a merchant's list: its guard, and the rows with the filters of its address. */
export function merchantListPage<Input extends z.ZodObject, List, More extends object = object>(
  options: ListOptions<Input, List, More>,
) {
  const { path, title, access, input, read, more, screen, notFound } = options;
  const fields = listFields(input);
  return {
    metadata: merchantTitle(access, title),
    page: async (props: MerchantProps): Promise<ReactNode> => {
      const page = await merchantList(props, access, path, input, read);
      if (!page) return createElement(notFound);
      const { list, values, home } = page;
      const data = { path: page.path, list, values, fields, home, handle: page.viewer.merchant.handle };
      return createElement(screen, { ...data, ...(await more?.(page)) } as ListPageData<List> & More);
    },
  };
}

type RecordOptions<Found> = {
  title: ConsoleMessageKey;
  read: (id: string, page: MerchantPage) => Promise<Found>;
  unknown: ErrorName;
};

/**
 * A page with one record, which is read once for title and page. It does not exist without access or without the
 * record.
 */
export function merchantRecord<Found>(
  access: MerchantAccess,
  { title, read, unknown }: RecordOptions<Found>,
) {
  const find = cache(async (locale: Locale, handle: string, id: string): Promise<Found | null> => {
    const viewer = await merchantMember(locale, handle);
    if (!viewer) return null;
    try {
      return await read(id, { locale, viewer });
    } catch (error) {
      if (!isShopError(error, unknown)) throw error;
      return null;
    }
  });
  return {
    async metadata(props: MerchantProps<"id">): Promise<Metadata> {
      const { handle, id } = await props.params;
      return merchantMetadata(props, access, async (locale) =>
        (await find(locale, handle, id)) === null ? null : consoleText(locale, title),
      );
    },
    /** As `merchantPage`, with the record. */
    async page(props: MerchantProps<"id">): Promise<(MerchantPage & { home: string; found: Found }) | null> {
      const { handle, id } = await props.params;
      const page = await merchantPage(props, access);
      if (!page) return null;
      const found = await find(page.locale, handle, id);
      if (found !== null) return { ...page, home: merchantPath(page), found };
      respondNotFound();
      return null;
    },
  };
}
