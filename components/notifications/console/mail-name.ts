import { useTranslations } from "next-intl";
import { useCallback } from "react";
import type { ConsoleMail } from "@/lib/notifications/console/contract";
import type { MailEvent } from "@/lib/notifications/rules";

/** The name of an email. One about codes says when it holds only some of them, or none. */
export function useMailName(): (mail: { event: string; codes?: ConsoleMail["codes"] | undefined }) => string {
  const t = useTranslations("console.mail_events");
  const mails = useTranslations("console.mails");
  return useCallback(
    ({ event, codes }) => {
      if (codes === "some") return mails("codes_some");
      return codes === "none" ? mails("codes_none") : t(event as MailEvent);
    },
    [t, mails],
  );
}

/** Why an email was not sent, as the machine said it; of one that was not needed, in words, unless it no longer had a cause. */
export function useMailError(): (mail: Pick<ConsoleMail, "state" | "last_error">) => string | null {
  const t = useTranslations("console.mails");
  return ({ state, last_error }) => {
    if (state !== "dropped") return last_error;
    return last_error?.includes("unsubscribed") ? t("unsubscribed") : null;
  };
}
