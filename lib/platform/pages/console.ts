import type { Metadata } from "next";
import { notFound, redirect } from "next/navigation";
import { getTranslations, setRequestLocale } from "next-intl/server";
import { cache } from "react";
import type { StaffAccess } from "@/lib/platform/api/declaration";
import { pageViewer } from "@/lib/platform/auth/page-viewer";
import { extendStaffSession, type StaffViewer } from "@/lib/platform/auth/session";
import { type ErrorName, isShopError } from "@/lib/platform/errors";
import { type ConsoleMessageKey, consoleText } from "@/lib/platform/i18n/console-messages";
import { isLocale, type Locale } from "@/lib/platform/i18n/locales";
import { localizedPath } from "@/lib/platform/routing/paths";
import { respondNotFound } from "./page";

/** The props of a page below app/[locale]/(console); `Names` are the parameters of its own folders. */
export type ConsoleProps<Names extends string = never> = {
  params: Promise<Record<"locale" | Names, string>>;
  searchParams: Promise<Record<string, string | string[] | undefined>>;
};
export type ConsolePage = { locale: Locale; viewer: StaffViewer };

export const CONSOLE_ENTRANCE = "/console/enter";

/** The language of a console page. Every layout and page calls this first. */
export async function consoleLocale(params: Promise<{ locale: string }>): Promise<Locale> {
  const { locale } = await params;
  if (!isLocale(locale)) notFound();
  setRequestLocale(locale);
  return locale;
}

/** The staff member who opens a console page; null for everyone else. Notes the use of the console. */
export const consoleViewer = cache(async (locale: Locale): Promise<StaffViewer | null> => {
  const viewer = await pageViewer(locale);
  if (viewer.kind !== "user" || !viewer.staff) return null;
  if (viewer.staff.active) await extendStaffSession(viewer);
  return { ...viewer, staff: viewer.staff };
});

const isAllowed = ({ staff }: StaffViewer, { roles }: StaffAccess) =>
  roles.some((role) => staff.roles.includes(role));

/**
 * Guards a console page at `path`: redirects staff without the second factor to the entrance. For everyone without
 * access the page does not exist: returns null with status 404, and the page renders the not-found screen.
 */
export async function consolePage(
  { params, searchParams }: ConsoleProps,
  access: StaffAccess,
  path: string,
): Promise<ConsolePage | null> {
  const locale = await consoleLocale(params);
  const viewer = await consoleViewer(locale);
  if (viewer && access.factor && !viewer.staff.active) {
    const returnAddress = localizedPath(path, { locale, surface: "desktop" }) + toQuery(await searchParams);
    const entrance = localizedPath(CONSOLE_ENTRANCE, { locale, surface: "desktop" });
    redirect(`${entrance}?redirect=${encodeURIComponent(returnAddress)}`);
  }
  if (viewer && isAllowed(viewer, access)) return { locale, viewer };
  respondNotFound();
  return null;
}

function toQuery(params: Record<string, string | string[] | undefined>): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(params))
    for (const item of [value].flat()) if (item !== undefined) query.append(name, item);
  return query.size > 0 ? `?${query}` : "";
}

/** The first value of each query parameter. */
export async function queryValues(
  searchParams: ConsoleProps["searchParams"],
): Promise<Record<string, string>> {
  const entries = Object.entries(await searchParams).flatMap(([name, value]) => {
    const [first] = [value].flat();
    return first ? [[name, first] as const] : [];
  });
  return Object.fromEntries(entries);
}

/**
 * The metadata of a console page: its title for those with access, and noindex. Without a title the page's record does
 * not exist.
 */
export async function consoleMetadata(
  { params }: Pick<ConsoleProps, "params">,
  access: StaffAccess,
  title: (locale: Locale) => Promise<string | null>,
): Promise<Metadata> {
  const locale = await consoleLocale(params);
  const viewer = await consoleViewer(locale);
  const robots = { index: false, follow: false };
  const found = viewer && isAllowed(viewer, access) && (await title(locale));
  if (found) return { title: found, robots };
  const t = await getTranslations({ locale, namespace: "ui.not_found" });
  return { title: t("title"), robots };
}

type RecordOptions<Found> = {
  /** The page's address, with `[id]`. */
  path: string;
  /** A text of the console, or what names the record. */
  title: ConsoleMessageKey | ((found: Found, locale: Locale) => string);
  read: (id: string, page: ConsolePage) => Promise<Found | null>;
  /** What `read` throws without the record, where it does not answer null. */
  unknown?: ErrorName;
};

/** A console page with one record, which is read once for title and page. Without it both are those of an unknown page. */
export function consoleRecord<Found>(
  access: StaffAccess,
  { path, title, read, unknown }: RecordOptions<Found>,
) {
  const find = cache(async (locale: Locale, id: string): Promise<Found | null> => {
    const viewer = await consoleViewer(locale);
    if (!viewer?.staff.active) return null;
    try {
      return await read(id, { locale, viewer });
    } catch (error) {
      if (unknown === undefined || !isShopError(error, unknown)) throw error;
      return null;
    }
  });
  return {
    async metadata(props: ConsoleProps<"id">): Promise<Metadata> {
      const { id } = await props.params;
      return consoleMetadata(props, access, async (locale) => {
        const found = await find(locale, id);
        if (found === null) return null;
        return typeof title === "function" ? title(found, locale) : consoleText(locale, title);
      });
    },
    /** As `consolePage`, with the record. */
    async page(props: ConsoleProps<"id">): Promise<(ConsolePage & { found: Found }) | null> {
      const { id } = await props.params;
      const page = await consolePage(props, access, path.replace("[id]", encodeURIComponent(id)));
      if (!page) return null;
      const found = await find(page.locale, id);
      if (found !== null) return { ...page, found };
      respondNotFound();
      return null;
    },
  };
}
