"use client";

import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { Brand } from "@/components/shell/console-frame";

/** What surrounds the entrance of the staff console: its name, without the frame. */
export function ConsoleEntrance({ brand, children }: { brand: string; children: ReactNode }) {
  const t = useTranslations("console.frame");
  return (
    <>
      <header className="border-b border-hairline px-4 py-1.5">
        <Brand brand={brand} badge={t("badge")} />
      </header>
      <main
        id="content"
        tabIndex={-1}
        className="mx-auto w-full max-w-column flex-1 px-4 pt-10 pb-20 outline-none"
      >
        {children}
      </main>
    </>
  );
}
