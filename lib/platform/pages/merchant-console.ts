import type { Metadata } from "next";
import { getTranslations } from "next-intl/server";
import { cache } from "react";
import type { MerchantAccess } from "@/lib/platform/api/declaration";
import { findMemberships, type MerchantViewer } from "@/lib/platform/auth/merchant-access";
import { pageViewer } from "@/lib/platform/auth/page-viewer";
import { extendStaffSession } from "@/lib/platform/auth/session";
import type { Locale } from "@/lib/platform/i18n/locales";
import { type ConsoleProps, consoleLocale } from "./console";
import { respondNotFound } from "./page";

/** The props of a page below app/[locale]/(console)/merchant/[handle]. */
export type MerchantProps<Names extends string = never> = ConsoleProps<"handle" | Names>;
export type MerchantMember = MerchantViewer & {
  role: NonNullable<MerchantViewer["role"]>;
  user: NonNullable<MerchantViewer["user"]>;
};
export type MerchantPage = { locale: Locale; viewer: MerchantMember };

/** The member who opens a page of this merchant's console; null for everybody else. */
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

/** Guards a page of a merchant's console. To everybody without the access it does not exist: null, with status 404. */
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

/** The metadata of a page of a merchant's console: its title, which nobody else learns, and never an index. */
export async function merchantMetadata(
  { params }: Pick<MerchantProps, "params">,
  access: MerchantAccess,
  title: (locale: Locale) => Promise<string>,
): Promise<Metadata> {
  const locale = await consoleLocale(params);
  const viewer = await merchantMember(locale, (await params).handle);
  const robots = { index: false, follow: false };
  if (viewer && access.roles.includes(viewer.role)) return { title: await title(locale), robots };
  const t = await getTranslations({ locale, namespace: "ui.not_found" });
  return { title: t("title"), robots };
}
