import "@/app/globals.css";
import type { Metadata } from "next";
import { getTranslations, setRequestLocale } from "next-intl/server";
import type { ReactNode } from "react";
import { Announcement } from "@/components/shell/announcement";
import { ErrorTextsProvider } from "@/components/shell/error-screen";
import { MessageBanners } from "@/components/shell/message-banners";
import { ModeNotice } from "@/components/shell/mode-notice";
import { ToastHost } from "@/components/ui/toast";
import { typeface } from "@/components/ui/typeface";
import { env } from "@/lib/platform/env";
import { DEFAULT_LOCALE, HTML_LANG, isLocale } from "@/lib/platform/i18n/locales";
import { HEAD_SCRIPT } from "@/lib/platform/pages/head-script";

export { viewport } from "@/components/ui/viewport";

type Props = { params: Promise<{ locale: string }>; children: ReactNode };

// An unknown first segment gets status 404 from the surface layouts. Here it falls back to the default locale.
async function getLocale(params: Props["params"]) {
  const { locale } = await params;
  return isLocale(locale) ? locale : DEFAULT_LOCALE;
}

export async function generateMetadata({ params }: Pick<Props, "params">): Promise<Metadata> {
  const t = await getTranslations({ locale: await getLocale(params) });
  const name = env().APP_NAME;
  return {
    metadataBase: new URL(env().APP_URL),
    title: { default: t("ui.tagline", { brand: name }), template: `%s · ${name}` },
    description: t("catalog.home.description"), // for pages without their own
    applicationName: name,
  };
}

export default async function RootLayout({ params, children }: Props) {
  const locale = await getLocale(params);
  setRequestLocale(locale);
  const t = await getTranslations("ui");
  const systemError = (await getTranslations("errors"))("system_error");
  const { APP_MODE, PAYMENT_MODE, ANNOUNCEMENT } = env();
  const banners = { offline: t("banner.offline"), shared: t("banner.shared"), close: t("banner.close") };
  const errorTexts = { title: t("failure.title"), text: t("failure.text"), retry: t("failure.retry") };
  return (
    <html lang={HTML_LANG[locale]} className={typeface.variable} suppressHydrationWarning>
      <head>
        {/* biome-ignore lint/security/noDangerouslySetInnerHtml: a constant; it must run before the first paint. */}
        <script dangerouslySetInnerHTML={{ __html: HEAD_SCRIPT }} />
      </head>
      <body className="flex flex-col" data-system-error={systemError}>
        <ModeNotice demo={APP_MODE === "demo"} sandbox={PAYMENT_MODE === "sandbox"} />
        <Announcement texts={ANNOUNCEMENT} locale={locale} label={t("banner.announcement")} />
        <MessageBanners labels={banners} />
        <ErrorTextsProvider texts={errorTexts}>{children}</ErrorTextsProvider>
        <ToastHost />
      </body>
    </html>
  );
}
