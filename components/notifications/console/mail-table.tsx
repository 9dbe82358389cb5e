"use client";

import { useTranslations } from "next-intl";
import { Pill } from "@/components/console/pill";
import { RecordTable } from "@/components/console/record";
import { ShortTime } from "@/components/console/time";
import { MAIL_TONES } from "@/components/notifications/console/mail-list";
import { useMailError, useMailName } from "@/components/notifications/console/mail-name";
import type { ConsoleMail } from "@/lib/notifications/console/contract";

/** The emails of an order or a customer. */
export function MailTable({ mails }: { mails: readonly ConsoleMail[] }) {
  const t = useTranslations("console.mails");
  const mailName = useMailName();
  const mailError = useMailError();
  return (
    <RecordTable
      label={t("title")}
      rows={mails}
      rowId={({ mail_id }) => mail_id}
      empty={t("empty")}
      columns={[
        { name: t("event"), cell: mailName },
        { name: t("email"), cell: ({ to_address }) => to_address },
        {
          name: t("state"),
          cell: ({ state }) => <Pill tone={MAIL_TONES[state]}>{t(`states.${state}`)}</Pill>,
        },
        { name: t("attempts"), end: true, cell: ({ attempts }) => attempts },
        { name: t("created"), cell: ({ created_at }) => <ShortTime at={created_at} /> },
        { name: t("sent"), cell: ({ sent_at }) => (sent_at ? <ShortTime at={sent_at} /> : "–") },
        { name: t("error"), cell: (mail) => mailError(mail) ?? "–" },
      ]}
    />
  );
}
