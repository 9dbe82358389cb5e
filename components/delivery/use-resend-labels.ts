import { useTranslations } from "next-intl";

/** The finished words of the button that sends codes again; `email` is where they go. */
export function useResendLabels() {
  const t = useTranslations("delivery.resend");
  const errors = useTranslations("errors");
  return { button: t("button"), done: t("done", { email: "{email}" }), network: errors("network") };
}

export type ResendLabels = ReturnType<typeof useResendLabels>;
