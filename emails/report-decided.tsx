import type { ReportKind, ReportOutcome, ReportParty } from "@/lib/support/reports/rules";
import { Paragraph, Quiet, Title } from "./parts";
import { objectionLink } from "./report-objection";
import type { MailTemplate } from "./template";

export type ReportDecidedProps = {
  reference: string;
  kind: ReportKind;
  name: string;
  outcome: ReportOutcome;
  /** the reasons in the words of staff */
  statement: string;
  /** `affected`: whose product, shop or review it is */
  party: ReportParty;
  /** the secret of the link with which this side objects, until then; null: it has objected */
  token: string | null;
  until: Date;
};

/** The decision about a report with its reasons (DSA art. 16 and 17), and what can be done against it. */
export const reportDecidedMail: MailTemplate<ReportDecidedProps> = {
  subject: ({ name, party }, { t }) => t(`report_decided.subject.${party}`, { name }),
  preview: ({ kind, outcome, party }, { t }) => t(`report_decided.lead.${party}_${outcome}.${kind}`),
  body: ({ reference, kind, name, outcome, statement, party, token, until }, { t, locale, link }) => (
    <>
      <Title>{t(`report_decided.title.${party}`, { name })}</Title>
      <Paragraph>{t(`report_decided.lead.${party}_${outcome}.${kind}`)}</Paragraph>
      <Paragraph>{t("report_decided.reasons")}</Paragraph>
      <Paragraph>{statement}</Paragraph>
      <Paragraph>{t("report_decided.how")}</Paragraph>
      {objectionLink(token, until, { t, locale, link })}
      <Quiet>{t("report_decided.elsewhere", { reference })}</Quiet>
    </>
  ),
};
