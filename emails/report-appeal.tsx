import type { AppealOutcome, ReportKind } from "@/lib/support/reports/rules";
import { Paragraph, Quiet, Title } from "./parts";
import type { MailTemplate } from "./template";

export type ReportAppealProps = {
  reference: string;
  kind: ReportKind;
  name: string;
  outcome: AppealOutcome;
  statement: string;
};

/** The decision about an objection, made by somebody else than the first one. */
export const reportAppealMail: MailTemplate<ReportAppealProps> = {
  subject: ({ name }, { t }) => t("report_appeal.subject", { name }),
  preview: ({ outcome }, { t }) => t(`report_appeal.lead.${outcome}`),
  body: ({ reference, name, outcome, statement }, { t }) => (
    <>
      <Title>{t("report_appeal.title", { name })}</Title>
      <Paragraph>{t(`report_appeal.lead.${outcome}`)}</Paragraph>
      <Paragraph>{t("report_decided.reasons")}</Paragraph>
      <Paragraph>{statement}</Paragraph>
      <Quiet>{t("report_decided.elsewhere", { reference })}</Quiet>
    </>
  ),
};
