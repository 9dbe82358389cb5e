"use client";

import { useEffect, useState } from "react";
import { Appearance } from "@/components/shell/appearance";
import { LanguageSelect } from "@/components/shell/language-select";
import { FOOTER_COLUMNS } from "@/components/shell/site-links";
import { LocalSupportHours } from "@/components/shell/support-hours";
import { LinkList } from "@/components/ui/link-list";
import { writeCookie } from "@/lib/platform/http/browser-cookie";
import { DESKTOP_COOKIE, toMobilePath } from "@/lib/platform/routing/paths";
import type { FooterLabels } from "./labels";
import { Logo } from "./logo";

/** An external profile of the operator. */
type SocialLink = { name: string; href: string };

export type FooterProps = {
  brand: string;
  /** The support email. Without one the line is omitted. */
  supportEmail?: string;
  /** The configured profiles only, so that there are no dead links. */
  social?: readonly SocialLink[];
};

/**
 * The footer of desktop pages: navigation, contact and support hours (docs/product.md#23-header-footer-banners). A
 * client component, so that the page carries the footer's text only and not its markup a second time.
 */
export function SiteFooter({
  brand,
  supportEmail,
  social = [],
  labels,
}: FooterProps & { labels: FooterLabels }) {
  return (
    <footer className="mt-auto border-t border-hairline">
      <div className="site-footer measure">
        <div className="flex max-w-xs flex-col items-start gap-3 max-lg:col-span-4 max-lg:max-w-none">
          <p className="flex items-center gap-2.5 text-17 font-semibold">
            <Logo size={22} />
            {brand}
          </p>
          <p className="text-quiet">{labels.promise}</p>
          <div className="-ml-2.5 flex flex-col items-start">
            <LanguageSelect label={labels.language} />
            <Appearance labels={labels.appearance} />
          </div>
          <MobileLink text={labels.mobile} />
        </div>
        {FOOTER_COLUMNS.map(({ heading, links }, columnIndex) => {
          const [title, ...texts] = labels.columns[columnIndex] ?? [];
          return (
            <nav key={heading} aria-labelledby={`footer-${heading}`}>
              <h2 id={`footer-${heading}`}>{title}</h2>
              <LinkList links={links.map(({ href }, index) => [href, texts[index] ?? ""])} />
            </nav>
          );
        })}
        <div>
          <h2>{labels.contact}</h2>
          <div className="flex flex-col gap-1 pt-3">
            {supportEmail && (
              <a href={`mailto:${supportEmail}`} className="text-link break-all">
                {supportEmail}
              </a>
            )}
            <p>{labels.hours}</p>
            <p className="text-quiet">
              <LocalSupportHours template={labels.localHours} />
            </p>
            {social.length > 0 && (
              <ul aria-label={labels.social} className="flex flex-wrap gap-x-4 pt-2">
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

/** The link back to the mobile version, shown only on phones that chose the desktop version. */
function MobileLink({ text }: { text: string }) {
  const [desktopRequested, setDesktopRequested] = useState(false);
  useEffect(() => setDesktopRequested(document.cookie.includes(DESKTOP_COOKIE)), []);
  if (!desktopRequested) return null;
  return (
    <button
      type="button"
      className="flex min-h-11 cursor-pointer items-center underline"
      onClick={() => {
        writeCookie(DESKTOP_COOKIE, 0);
        location.assign(toMobilePath(location.pathname) + location.search);
      }}
    >
      {text}
    </button>
  );
}
