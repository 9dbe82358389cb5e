import { useLocale, useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { Button, ButtonLink } from "@/components/ui/button";
import { DefinitionRows } from "@/components/ui/definition-rows";
import { Link } from "@/components/ui/link";
import { LocalTimes } from "@/components/ui/local-times";
import { Notice } from "@/components/ui/notice";
import { Page } from "@/components/ui/page";
import { Select } from "@/components/ui/select";
import { EmailInput, TextArea } from "@/components/ui/text-input";
import { formatDate, formatMoment } from "@/lib/platform/format";
import type { Surface } from "@/lib/platform/routing/paths";
import type { AppealView, ReportReceipt, ReportTarget } from "@/lib/support/reports/contract";
import { MAX_REPORT, MIN_REPORT, REPORT_REASONS, type ReportKind } from "@/lib/support/reports/rules";

/** A plain form that works without JavaScript, and returns a page. */
function ReportForm({ surface, children }: { surface: Surface; children: ReactNode }) {
  const locale = useLocale();
  return (
    <form method="post" action="/send-report" className="flex flex-col gap-5">
      <input type="hidden" name="target_lang" value={locale} />
      <input type="hidden" name="surface" value={surface} />
      {children}
    </form>
  );
}

/** The form of a report: the reason, a description, and optionally an email address for the decision. */
export function ReportScreen({
  kind,
  target,
  found,
  surface,
}: {
  kind: ReportKind;
  /** as the address names it */
  target: string;
  found: ReportTarget;
  surface: Surface;
}) {
  const t = useTranslations("support.report");
  return (
    <Page narrow title={t("title")} lead={t("lead")}>
      <ReportForm surface={surface}>
        <p>
          <span className="text-quiet">{t(`about.${kind}`)}</span> <strong>{found.name}</strong>
        </p>
        <input type="hidden" name="kind" value={kind} />
        <input type="hidden" name="target" value={target} />
        <Select
          name="reason"
          label={t("reason")}
          options={REPORT_REASONS.map((value) => ({ value, label: t(`reasons.${value}`) }))}
        />
        <TextArea
          name="message"
          label={t("message")}
          hint={t("message_hint")}
          rows={6}
          minLength={MIN_REPORT}
          maxLength={MAX_REPORT}
          required
        />
        <EmailInput name="email" label={t("email")} hint={t("email_hint")} />
        {/* A honeypot: people neither see nor reach this field. */}
        <div className="sr-only" aria-hidden="true">
          <label>
            {t("website")}
            <input name="website" tabIndex={-1} autoComplete="off" />
          </label>
        </div>
        <p className="text-13 text-quiet">
          {t("privacy")}{" "}
          <Link href="/privacy-policy" className="underline">
            {t("privacy_link")}
          </Link>
        </p>
        <Button type="submit" look="primary" large>
          {t("send")}
        </Button>
      </ReportForm>
    </Page>
  );
}

/** The receipt: what was received and when, and what happens next. */
export function ReportReceiptScreen({ receipt }: { receipt: ReportReceipt }) {
  const t = useTranslations("support.report");
  const locale = useLocale();
  const { id, kind, name, reason, at, email } = receipt;
  return (
    <Page narrow title={t("received_title")} lead={t(email ? "received_mailed" : "received")}>
      <DefinitionRows
        rows={[
          { term: t("reference"), value: <span className="font-mono text-13">{id}</span> },
          { term: t(`about.${kind}`), value: name },
          { term: t("reason"), value: t(`reasons.${reason}`) },
          {
            term: t("received_at"),
            value: <LocalTimes of={[at]}>{formatMoment(at, locale)}</LocalTimes>,
          },
        ]}
      />
      <div className="pt-8">
        <ButtonLink href="/">{t("home")}</ButtonLink>
      </div>
    </Page>
  );
}

/** The decision with its reasons, and the form of an objection. */
export function AppealScreen({
  appeal,
  token,
  surface,
}: {
  appeal: AppealView;
  token: string;
  surface: Surface;
}) {
  const t = useTranslations("support.report");
  const locale = useLocale();
  const { kind, name, outcome, statement, until, open, sent } = appeal;
  return (
    <Page narrow title={t("appeal_title")} lead={t("appeal_lead")}>
      <div className="flex flex-col gap-6">
        <DefinitionRows
          rows={[
            { term: t(`about.${kind}`), value: name },
            { term: t("decision"), value: t(`outcomes.${outcome}`) },
          ]}
        />
        <blockquote className="border-l-2 border-hairline pl-4 whitespace-pre-line wrap-anywhere">
          {statement}
        </blockquote>
        {sent && <Notice kind="good">{t("appeal_sent")}</Notice>}
        {!sent && !open && <Notice>{t("appeal_over", { date: formatDate(until, locale) })}</Notice>}
        {open && (
          <ReportForm surface={surface}>
            <input type="hidden" name="token" value={token} />
            <TextArea
              name="message"
              label={t("appeal_message")}
              hint={t("appeal_hint", { date: formatDate(until, locale) })}
              rows={6}
              minLength={MIN_REPORT}
              maxLength={MAX_REPORT}
              required
            />
            <Button type="submit" look="primary" large>
              {t("appeal_send")}
            </Button>
          </ReportForm>
        )}
      </div>
    </Page>
  );
}

/** The page for an address that names nothing reportable. */
export function NothingToReport() {
  const t = useTranslations("support.report");
  return (
    <Page narrow title={t("title")} lead={t("nothing")}>
      <ButtonLink href="/help">{t("help")}</ButtonLink>
    </Page>
  );
}
