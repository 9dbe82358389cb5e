import { getLocale, getTranslations } from "next-intl/server";
import { BrandMark } from "@/components/shell/brand-mark";
import { LanguageSelect } from "@/components/shell/language-select";
import { MobileLink } from "@/components/shell/mobile-link";
import { FOOTER_COLUMNS } from "@/components/shell/site-links";
import { LocalSupportHours } from "@/components/shell/support-hours";
import { Link } from "@/components/ui/link";
import { HTML_LANG } from "@/lib/i18n";

/** Somewhere else where the operator can be found. */
export type SocialLink = { name: string; href: string };

export type FooterProps = {
  brand: string;
  /** Where mail to the shop goes; without one the line is left out. */
  supportEmail?: string;
  /** Only those that are configured: no dead links. */
  social?: readonly SocialLink[];
};

/** The footer of desktop pages: navigation, contact, working hours (spec §2). */
export async function SiteFooter({ brand, supportEmail, social = [] }: FooterProps) {
  const [t, locale] = await Promise.all([getTranslations("ui"), getLocale()]);
  return (
    <footer className="mt-auto border-t border-hairline">
      <div className="measure grid grid-cols-[minmax(0,1.5fr)_repeat(3,minmax(0,1fr))_minmax(0,1.4fr)] gap-x-8 gap-y-8 py-12 max-lg:grid-cols-[repeat(3,minmax(0,1fr))_minmax(0,1.45fr)]">
        <div className="flex max-w-xs flex-col items-start gap-3 max-lg:col-span-4 max-lg:max-w-none">
          <p className="flex items-center gap-2.5 text-17 font-semibold">
            <BrandMark size={22} />
            {brand}
          </p>
          <p className="text-quiet">{t("footer.promise")}</p>
          <div className="-ml-2.5">
            <LanguageSelect label={t("header.language")} />
          </div>
          <MobileLink text={t("footer.mobile")} />
        </div>
        {FOOTER_COLUMNS.map((column) => (
          <nav key={column.heading} aria-labelledby={`footer-${column.heading}`}>
            <h2 id={`footer-${column.heading}`} className="text-13 text-quiet">
              {t(`footer.${column.heading}`)}
            </h2>
            <ul className="pt-1">
              {column.links.map((link) => (
                <li key={link.href}>
                  <Link href={link.href} className="flex min-h-10 items-center hover:underline">
                    {t(`links.${link.text}`)}
                  </Link>
                </li>
              ))}
            </ul>
          </nav>
        ))}
        <div>
          <h2 className="text-13 text-quiet">{t("footer.contact")}</h2>
          <div className="flex flex-col gap-1 pt-3">
            {supportEmail && (
              <a href={`mailto:${supportEmail}`} className="text-link break-all">
                {supportEmail}
              </a>
            )}
            <p>{t("footer.hours")}</p>
            <p className="text-quiet">
              <LocalSupportHours
                lang={HTML_LANG[locale]}
                template={t("footer.local_hours", { hours: "%s" })}
              />
            </p>
            {social.length > 0 && (
              <ul aria-label={t("footer.social")} className="flex flex-wrap gap-x-4 pt-2">
                {social.map((link) => (
                  <li key={link.href}>
                    <a href={link.href} rel="me noopener" className="flex min-h-8 items-center text-link">
                      {link.name}
                    </a>
                  </li>
                ))}
              </ul>
            )}
          </div>
        </div>
      </div>
    </footer>
  );
}
