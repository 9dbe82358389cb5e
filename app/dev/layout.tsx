import "@/app/globals.css";
import type { Metadata } from "next";
import type { ReactNode } from "react";
import { typeface } from "@/components/ui/typeface";

export { viewport } from "@/components/ui/viewport";

export const dynamic = "force-dynamic";

export const metadata: Metadata = {
  title: { default: "Mailbox", template: "%s · Mailbox" },
  robots: { index: false, follow: false },
};

/** The root layout of the tools for demo and development, in English only. */
export default function DevLayout({ children }: { children: ReactNode }) {
  return (
    <html lang="en" className={typeface.variable}>
      <body>{children}</body>
    </html>
  );
}
