import { formatDate } from "@/lib/platform/format";
import { Action, Paragraph } from "./parts";
import type { MailContext } from "./template";

/** Until when its reader can object to a decision, with the link; nothing without the link's secret. */
export const objectionLink = (
  token: string | null,
  until: Date,
  { t, locale, link }: Pick<MailContext, "t" | "locale" | "link">,
) =>
  token && (
    <>
      <Paragraph>{t("report_decided.against", { date: formatDate(until, locale) })}</Paragraph>
      <Action href={link(`/report?appeal=${token}`)}>{t("report_decided.object")}</Action>
    </>
  );
