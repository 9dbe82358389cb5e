import type { ReactNode } from "react";
import type { FooterProps } from "@/components/shell/footer-body";
import { IdlePrefetch } from "@/components/shell/idle-prefetch";
import { MobileBar } from "@/components/shell/mobile-bar";
import { MobileFooter } from "@/components/shell/mobile-footer";
import { MobileHeader } from "@/components/shell/mobile-header";

/** The header, navigation bar and footer around a mobile page. */
export function MobileShell({ children, ...footer }: FooterProps & { children: ReactNode }) {
  return (
    <>
      <IdlePrefetch />
      <MobileHeader brand={footer.brand} />
      {children}
      <MobileFooter {...footer} />
      <MobileBar />
    </>
  );
}
