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
