import { useTranslations } from "next-intl";
import { Notice } from "@/components/ui/notice";
import { declineReason } from "./decline-reason";

/** Why a payment did not go through, what was kept, what to do. `code` is the provider's. */
export function DeclineNotice({ code, live = false }: { code: string; live?: boolean }) {
  const t = useTranslations("payments.decline");
  return (
    <Notice kind="bad" title={t("title")} live={live}>
      <p>{t(`reason.${declineReason(code)}`)}</p>
      <p>{t("kept")}</p>
    </Notice>
  );
}
