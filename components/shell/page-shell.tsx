import type { ReactNode } from "react";
import { SearchBox } from "@/components/shell/search/search-box";
import { SurfaceProvider } from "@/components/ui/surface";
import type { Announcement } from "@/lib/notifications/announcements/contract";
import type { PageLocation } from "@/lib/platform/routing/paths";
import { AnnouncementBanner } from "./announcement-banner";
import {
  announcementLabels,
  footerLabels,
  headerLabels,
  mobileBarLabels,
  mobileFooterLabels,
} from "./labels";
import { MobileBar } from "./mobile-bar";
import { MobileFooter } from "./mobile-footer";
import { MobileHeader } from "./mobile-header";
import { Observers } from "./observers";
import { IdlePrefetch } from "./prefetch";
import { type FooterProps, SiteFooter } from "./site-footer";
import { SiteHeader } from "./site-header";

type Props = PageLocation &
  FooterProps & {
    announcement: Announcement | null;
    /** What nouns run on every page, beside the observers of the shell. */
    observers: ReactNode;
    children: ReactNode;
  };

/** The header, footer and navigation of a page by its surface, its location context and the client-side observers. */
export async function PageShell({
  locale,
  surface,
  brand,
  announcement,
  observers,
  children,
  ...footer
}: Props) {
  return (
    <SurfaceProvider locale={locale} surface={surface}>
      <Observers />
      {observers}
      {announcement && <AnnouncementBanner {...announcement} labels={await announcementLabels()} />}
      {surface === "mobile" ? (
        <>
          <IdlePrefetch />
          <MobileHeader brand={brand} />
          {children}
          <MobileFooter {...footer} labels={await mobileFooterLabels(brand)} />
          <MobileBar {...(await mobileBarLabels())} />
        </>
      ) : (
        <>
          <SiteHeader brand={brand} labels={await headerLabels()} search={<SearchBox surface="desktop" />} />
          {children}
          <SiteFooter brand={brand} {...footer} labels={await footerLabels()} />
        </>
      )}
    </SurfaceProvider>
  );
}
