import { formatMoment } from "@/lib/platform/format";
import type { ReportKind, ReportReason } from "@/lib/support/reports/rules";
import { Paragraph, Quiet, Title } from "./parts";
import type { MailTemplate } from "./template";

export type ReportReceivedProps = {
  reference: string;
  kind: ReportKind;
  /** of what was reported, from the shop */
  name: string;
  reason: ReportReason;
  at: Date;
};

/** The receipt of a report. It holds nothing that was typed, because the address may be another's. */
export const reportReceivedMail: MailTemplate<ReportReceivedProps> = {
  subject: ({ reference }, { t }) => t("report_received.subject", { reference }),
  preview: (_, { t }) => t("report_received.lead"),
  body: ({ reference, kind, name, reason, at }, { t, locale, timeZone }) => (
    <>
      <Title>{t("report_received.title")}</Title>
      <Paragraph>{t(`report_received.about.${kind}`, { name })}</Paragraph>
      <Paragraph>
        {t("report_received.facts", {
          reason: t(`report_received.reasons.${reason}`),
          moment: formatMoment(at, locale, timeZone),
          reference,
        })}
      </Paragraph>
      <Paragraph>{t("report_received.lead")}</Paragraph>
      <Quiet>{t("report_received.not_you")}</Quiet>
    </>
  ),
};
