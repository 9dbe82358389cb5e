import type { ReactNode } from "react";
import { SignInHost } from "@/components/accounts/in-place/sign-in-host";
import { MergeWishes } from "@/components/notifications/wishlist/merge-wishes";
import { PageShell } from "@/components/shell/page-shell";
import { findAnnouncement } from "@/lib/notifications/announcements/find-announcement";
import { env } from "@/lib/platform/env";
import { type PageProps, pageLocation } from "@/lib/platform/pages/page";

type Props = Pick<PageProps, "params"> & { children: ReactNode };

/** The shell of the surface. The configuration is read per request, because it is unknown at build time. */
export default async function SurfaceLayout({ params, children }: Props) {
  const { locale, surface, brand } = await pageLocation(params);
  const { SUPPORT_EMAIL, SOCIAL_LINKS } = env();
  return (
    <PageShell
      {...{ locale, surface, brand }}
      supportEmail={SUPPORT_EMAIL}
      social={SOCIAL_LINKS}
      announcement={await findAnnouncement(locale)}
      observers={
        <>
          <SignInHost />
          <MergeWishes />
        </>
      }
    >
      {children}
    </PageShell>
  );
}
