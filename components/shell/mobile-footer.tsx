import { getLocale, getTranslations } from "next-intl/server";
import { DesktopLink } from "@/components/shell/desktop-link";
import { LanguageSelect } from "@/components/shell/language-select";
import type { FooterProps } from "@/components/shell/site-footer";
import { FOOTER_COLUMNS } from "@/components/shell/site-links";
import { LocalSupportHours } from "@/components/shell/support-hours";
import { Link } from "@/components/ui/link";
import { HTML_LANG } from "@/lib/i18n";

/** The footer of phone pages: what the bar has no room for, and the quiet way to the desktop page. */
export async function MobileFooter({ brand, supportEmail, social = [] }: FooterProps) {
  const [t, locale] = await Promise.all([getTranslations("ui"), getLocale()]);
  return (
    <footer className="measure mt-auto border-t border-hairline pt-6 pb-8">
      <nav aria-label={t("footer.nav")}>
        <ul className="grid grid-cols-2 gap-x-6">
          {FOOTER_COLUMNS.flatMap((column) => column.links).map((link) => (
            <li key={link.href}>
              <Link href={link.href} className="flex min-h-11 items-center max-[359px]:text-13">
                {t(`links.${link.text}`)}
              </Link>
            </li>
          ))}
        </ul>
      </nav>
      <div className="flex flex-wrap items-center justify-between gap-x-4 py-3">
        <span className="-ml-2.5">
          <LanguageSelect label={t("header.language")} />
        </span>
        <DesktopLink className="flex min-h-11 items-center gap-2 text-quiet">
          {t("footer.desktop")}
        </DesktopLink>
      </div>
      <div className="text-13 text-quiet">
        {supportEmail && (
          <a href={`mailto:${supportEmail}`} className="flex min-h-11 items-center underline">
            {supportEmail}
          </a>
        )}
        <p>{t("footer.hours")}</p>
        <LocalSupportHours lang={HTML_LANG[locale]} template={t("footer.local_hours", { hours: "%s" })} />
        {social.length > 0 && (
          <ul aria-label={t("footer.social")} className="flex flex-wrap gap-x-4">
            {social.map((link) => (
              <li key={link.href}>
                <a href={link.href} rel="me noopener" className="flex min-h-11 items-center underline">
                  {link.name}
                </a>
              </li>
            ))}
          </ul>
        )}
        <p className="pt-2">
          {brand}. {t("footer.promise")}
        </p>
      </div>
    </footer>
  );
}
