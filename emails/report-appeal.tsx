import type { AppealOutcome, ReportKind } from "@/lib/support/reports/rules";
import { Paragraph, Quiet, Title } from "./parts";
import { objectionLink } from "./report-objection";
import type { MailTemplate } from "./template";

export type ReportAppealProps = {
  reference: string;
  kind: ReportKind;
  name: string;
  /** `unchanged`: it was reversed, and shoppers see the same as before */
  outcome: AppealOutcome | "unchanged";
  statement: string;
  /** the secret of the link with which the other side objects to a reversal, until then; null: it cannot, or has */
  token: string | null;
  until: Date;
};

/** The decision about an objection, made by somebody else than the first one. */
export const reportAppealMail: MailTemplate<ReportAppealProps> = {
  subject: ({ name }, { t }) => t("report_appeal.subject", { name }),
  preview: ({ outcome }, { t }) => t(`report_appeal.lead.${outcome}`),
  body: ({ reference, name, outcome, statement, token, until }, { t, locale, link }) => (
    <>
      <Title>{t("report_appeal.title", { name })}</Title>
      <Paragraph>{t(`report_appeal.lead.${outcome}`)}</Paragraph>
      <Paragraph>{t("report_decided.reasons")}</Paragraph>
      <Paragraph>{statement}</Paragraph>
      {objectionLink(token, until, { t, locale, link })}
      <Quiet>{t("report_decided.elsewhere", { reference })}</Quiet>
    </>
  ),
};
