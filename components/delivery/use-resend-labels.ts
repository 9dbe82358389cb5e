import { useTranslations } from "next-intl";

/** The labels of the resend button. `email` is the delivery email. */
export function useResendLabels() {
  const t = useTranslations("delivery.resend");
  const errors = useTranslations("errors");
  return { button: t("button"), done: t("done", { email: "{email}" }), network: errors("network") };
}

export type ResendLabels = ReturnType<typeof useResendLabels>;
