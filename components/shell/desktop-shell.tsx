import type { ReactNode } from "react";
import type { FooterProps } from "@/components/shell/footer-body";
import { SiteFooter } from "@/components/shell/site-footer";
import { SiteHeader } from "@/components/shell/site-header";

/** The header and footer around a desktop page. */
export function DesktopShell({ children, ...footer }: FooterProps & { children: ReactNode }) {
  return (
    <>
      <SiteHeader brand={footer.brand} />
      {children}
      <SiteFooter {...footer} />
    </>
  );
}
