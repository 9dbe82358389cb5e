"use client";

import { Appearance } from "@/components/shell/appearance";
import { LanguageSelect } from "@/components/shell/language-select";
import { FOOTER_COLUMNS } from "@/components/shell/site-links";
import { LocalSupportHours } from "@/components/shell/support-hours";
import { Icon } from "@/components/ui/icon";
import { LinkList } from "@/components/ui/link-list";
import { useSurface } from "@/components/ui/surface";
import { writeCookie } from "@/lib/platform/http/browser-cookie";
import { DESKTOP_COOKIE, localizedPath, toDesktopPath } from "@/lib/platform/routing/paths";
import type { MobileFooterLabels } from "./labels";
import type { FooterProps } from "./site-footer";

/**
 * The footer of mobile pages: the links that are not in the navigation bar, and the link to the desktop version. A
 * client component, so that the page carries the footer's text only and not its markup a second time.
 */
export function MobileFooter({
  supportEmail,
  social = [],
  labels,
}: Omit<FooterProps, "brand"> & { labels: MobileFooterLabels }) {
  return (
    <footer className="measure mt-auto border-t border-hairline pt-2 pb-8 [&_li>a]:flex [&_li>a]:min-h-11 [&_li>a]:items-center">
      <nav aria-label={labels.nav}>
        {FOOTER_COLUMNS.map(({ heading, links }, column) => {
          const [title, ...texts] = labels.columns[column] ?? [];
          return (
            <details key={heading} className="group border-b border-hairline">
              <summary className="flex min-h-12 cursor-pointer items-center justify-between font-medium">
                {title}
                <Icon name="down" size={18} className="text-quiet group-open:rotate-180" />
              </summary>
              <LinkList
                links={links.map(({ href }, i) => [href, texts[i] ?? ""])}
                className="grid grid-cols-2 gap-x-6 pb-3 max-[359px]:text-13"
              />
            </details>
          );
        })}
      </nav>
      <div className="flex flex-wrap items-center justify-between gap-x-4 py-3">
        <span className="-ml-2.5 flex flex-wrap">
          <LanguageSelect label={labels.language} />
          <Appearance labels={labels.appearance} />
        </span>
        <DesktopLink text={labels.desktop} />
      </div>
      <div className="text-13 text-quiet">
        {supportEmail && (
          <a href={`mailto:${supportEmail}`} className="flex min-h-11 items-center underline">
            {supportEmail}
          </a>
        )}
        <p>{labels.hours}</p>
        <LocalSupportHours template={labels.localHours} />
        {social.length > 0 && (
          <ul aria-label={labels.social} className="flex flex-wrap gap-x-4">
            {social.map((link) => (
              <li key={link.href}>
                <a href={link.href} rel="me noopener" className="underline">
                  {link.name}
                </a>
              </li>
            ))}
          </ul>
        )}
        <p className="pt-2">{labels.promise}</p>
      </div>
    </footer>
  );
}

/** The desktop version of this page. The cookie keeps the server from redirecting a phone back. */
function DesktopLink({ text }: { text: string }) {
  const { locale } = useSurface();
  return (
    <a
      href={localizedPath("/", { locale, surface: "desktop" })}
      rel="nofollow"
      className="flex min-h-11 items-center gap-2 text-quiet"
      onClick={(event) => {
        writeCookie(DESKTOP_COOKIE);
        event.currentTarget.href = toDesktopPath(location.pathname) + location.search;
      }}
    >
      <Icon name="desktop" size={18} />
      {text}
    </a>
  );
}
