import { useTranslations } from "next-intl";
import { Notice } from "@/components/ui/notice";
import { declineReason } from "./decline-reason";

/** Explains why a payment failed, what was kept and what to do. `code` is the provider's. */
export function DeclineNotice({ code, live = false }: { code: string; live?: boolean }) {
  const t = useTranslations("payments.decline");
  return (
    <Notice kind="bad" title={t("title")} live={live}>
      <p>{t(`reason.${declineReason(code)}`)}</p>
      <p>{t("kept")}</p>
    </Notice>
  );
}
