"use client";

import { useTranslations } from "next-intl";
import { useState } from "react";
import { Pill } from "@/components/console/pill";
import { ShortTime } from "@/components/console/time";
import { MAIL_TONES } from "@/components/notifications/console/mail-list";
import { useMailError, useMailName } from "@/components/notifications/console/mail-name";
import { ErrorNotice } from "@/components/ui/notice";
import { Spinner } from "@/components/ui/spinner";
import type { ConsoleMail } from "@/lib/notifications/console/contract";
import type { MailContent } from "@/lib/notifications/console/contract-again";
import { api } from "@/lib/platform/api/client";

/** The emails of an order, the newest first; a press shows what one says. */
export function MailCards({ mails }: { mails: readonly ConsoleMail[] }) {
  const t = useTranslations("console.mails");
  if (mails.length === 0) return <p className="text-13 text-quiet">{t("empty")}</p>;
  return (
    <ul>
      {mails.toReversed().map((mail) => (
        <li key={mail.mail_id} className="border-t border-hairline first:border-t-0">
          <MailCard mail={mail} />
        </li>
      ))}
    </ul>
  );
}

function MailCard({ mail }: { mail: ConsoleMail }) {
  const t = useTranslations("console.mails");
  const network = useTranslations("errors")("network");
  const mailName = useMailName();
  const error = useMailError()(mail);
  const [content, setContent] = useState<MailContent>();
  const [problem, setProblem] = useState("");
  async function load() {
    if (content) return;
    setProblem("");
    const result = await api.get(`/admin/mails/${mail.mail_id}/content`, {}, { networkMessage: network });
    if (result.ok) setContent(result.data);
    else setProblem(result.message);
  }
  return (
    <details onToggle={(event) => event.currentTarget.open && void load()}>
      <summary className="flex min-h-8 cursor-pointer list-none items-center gap-2 text-13 hover:bg-tint max-[899px]:min-h-11">
        <span className="min-w-0 truncate">{mailName(mail)}</span>
        <span className="ml-auto flex flex-none items-center gap-2 text-quiet">
          <ShortTime at={mail.sent_at ?? mail.created_at} />
          <Pill tone={MAIL_TONES[mail.state]}>{t(`states.${mail.state}`)}</Pill>
        </span>
      </summary>
      <div className="pb-2 text-13">
        <p className="wrap-anywhere text-quiet">
          {mail.to_address} · {mail.locale}
        </p>
        {error && <p className="text-bad wrap-anywhere">{error}</p>}
        <ErrorNotice>{problem}</ErrorNotice>
        {!content && !problem && <Spinner />}
        {content && content.missing === null && (
          <>
            <p className="pt-1 font-medium wrap-anywhere">{content.subject}</p>
            <p className="text-quiet">{t("content_now")}</p>
            <pre
              lang={mail.locale}
              className="mt-1 max-h-80 overflow-y-auto rounded-control bg-tint p-2 font-sans whitespace-pre-wrap wrap-anywhere"
            >
              {content.text}
            </pre>
          </>
        )}
        {content?.missing && <p className="text-quiet">{t(`content_${content.missing}`)}</p>}
      </div>
    </details>
  );
}
