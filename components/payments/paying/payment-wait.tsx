"use client";

import { useTranslations } from "next-intl";
import { useEffect, useRef } from "react";
import { Spinner } from "@/components/ui/spinner";

/** Shown while the result is pending. It states what happens and that the shopper may leave the page. */
export function PaymentWait({ email, offline }: { email: string; offline: boolean }) {
  const t = useTranslations("payments.wait");
  const container = useRef<HTMLDivElement>(null);
  useEffect(() => {
    container.current?.scrollIntoView({ block: "center" });
  }, []);
  return (
    <div
      ref={container}
      role="status"
      className="flex flex-col items-center gap-4 rounded-ticket border border-hairline bg-raised px-6 py-10 text-center"
    >
      <Spinner size={32} className="text-quiet" />
      <h2 className="text-21">{t("title")}</h2>
      <p className="max-w-text">{t("text", { email })}</p>
      <p className="max-w-text text-13 text-quiet">{offline ? t("offline") : t("once")}</p>
    </div>
  );
}
