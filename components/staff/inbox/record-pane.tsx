"use client";

import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { createContext, type FormEvent, type ReactNode, use, useEffect, useState } from "react";
import { ConsoleLink } from "@/components/console/link";
import { ReasonArea, type ReasonKind } from "@/components/console/reason-area";
import { ShortTime } from "@/components/console/time";
import { useFraudType } from "@/components/console/use-fraud-type";
import { useStartAgain } from "@/components/console/use-start-again";
import { ActionDialog } from "@/components/staff/action-dialog";
import { WAITING_CHANGED } from "@/components/staff/use-waiting";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { ErrorNotice, Notice } from "@/components/ui/notice";
import { useReauthentication } from "@/components/ui/reauthentication";
import { useSurface } from "@/components/ui/surface";
import { TextArea } from "@/components/ui/text-input";
import { showToast } from "@/components/ui/toast";
import { useCall } from "@/components/ui/use-call";
import { api } from "@/lib/platform/api/client";
import { formatPrice } from "@/lib/platform/money";
import type { InboxRecord } from "@/lib/staff/inbox/contract";

/** A decision that was chosen in the list: the record opens its dialog, once. */
export const ChosenDecision = createContext<{ key: string; action: string; done: () => void } | null>(null);

type Action = InboxRecord["actions"][number];
type Fact = InboxRecord["facts"][number];

/** The usual reasons of a queue's refusals. */
const REASONS_OF: Partial<Record<InboxRecord["queue"], ReasonKind>> = {
  refund_requests: "refund",
  replacements: "replacement",
  changes: "change",
  applications: "application",
  failed_mails: "mail",
};

/** One thing of the inbox: what decides, and the buttons that do. */
export function RecordPane({ record }: { record: InboxRecord }) {
  const t = useTranslations("console.inbox");
  const [action, setAction] = useState<Action>();
  const { key, facts, quote, actions, blocked_by } = record;
  const chosen = use(ChosenDecision);
  useEffect(() => {
    if (chosen?.key !== key) return;
    setAction(actions.find(({ name }) => name === chosen.action));
    chosen.done();
  }, [chosen, key, actions]);
  const about = facts.find(({ name }) => name === "about")?.value;
  return (
    <div className="flex flex-col gap-4">
      {blocked_by && <Notice kind="warn">{t(`blocked.${blocked_by}` as "blocked.disputed")}</Notice>}
      {quote && (
        <blockquote className="rounded-control bg-tint px-3 py-2 wrap-anywhere whitespace-pre-line">
          {quote}
        </blockquote>
      )}
      <dl className="grid grid-cols-[repeat(auto-fill,minmax(11rem,1fr))] gap-x-6 gap-y-3">
        {facts.map((fact) => (
          <div key={`${fact.name} ${fact.value}`}>
            <dt className="text-13 text-quiet">{t(`fact.${fact.name}` as "fact.amount")}</dt>
            <dd className="wrap-anywhere">
              <FactValue fact={fact} about={about} />
            </dd>
          </div>
        ))}
      </dl>
      {actions.length > 0 && (
        <div className="sticky bottom-0 flex flex-wrap gap-3 border-t border-hairline bg-raised py-3">
          {actions.map((one, index) => (
            <Button
              key={one.name}
              look={index === 0 ? "primary" : "secondary"}
              data-press={index === 0 ? "a" : "r"}
              aria-keyshortcuts={index === 0 ? "a" : "r"}
              onClick={() => setAction(one)}
            >
              {t(`action.${one.name}` as "action.approve")}
            </Button>
          ))}
        </div>
      )}
      {action && <Decision record={record} action={action} onClose={() => setAction(undefined)} />}
    </div>
  );
}

function FactValue({
  fact: { kind, value, path, name },
  about = "",
}: {
  fact: Fact;
  /** what a second person decides about */
  about?: string | undefined;
}): ReactNode {
  const { locale } = useSurface();
  const mail = useTranslations("console.mail_events");
  const approval = useTranslations("console.approvals.kind");
  const report = useTranslations("console.reports");
  const fraudType = useFraudType();
  if (kind === "time") return <ShortTime at={value} />;
  if (kind === "money") return <span className="figures">{formatPrice(Number(value), locale)}</span>;
  if (kind === "count")
    return <span className="figures">{new Intl.NumberFormat(locale).format(Number(value))}</span>;
  if (kind === "link" && path)
    return (
      <ConsoleLink href={path} className="text-link">
        {value}
      </ConsoleLink>
    );
  if (name === "approval" && approval.has(value as "goodwill"))
    return approval(value as "goodwill", { subject: about });
  if (name === "report_reason" && report.has(`reasons.${value as "other"}`))
    return report(`reasons.${value as "other"}`);
  if (name === "decision" && report.has(`outcomes.${value as "kept"}`))
    return report(`outcomes.${value as "kept"}`);
  if (name === "fraud_type") return fraudType(value);
  return name === "mail" && mail.has(value as "keys") ? mail(value as "keys") : value;
}

function Decision({ record, action, onClose }: { record: InboxRecord; action: Action; onClose: () => void }) {
  const t = useTranslations("console.inbox");
  const name = t(`action.${action.name}` as "action.approve");
  const title = `${t(`kind.${record.queue}`)}: ${name}`;
  const { note, body, path, danger } = action;
  const readBody = (values: FormData) => {
    const text = note ? String(values.get(note.field) ?? "").trim() : "";
    return { ...body, ...(note && text && { [note.field]: text }) };
  };
  const kind = note?.required && danger ? REASONS_OF[record.queue] : undefined;
  const area = note && {
    name: note.field,
    label: t(note.required ? "reason_label" : "reason_optional"),
    required: note.required,
    minLength: note.required ? 3 : undefined,
    maxLength: 500,
    rows: 3,
  };
  const field =
    area &&
    (kind ? (
      <ReasonArea {...area} kind={kind} reader={record.reader} sends={action.preview} />
    ) : (
      <TextArea {...area} />
    ));
  if (action.preview)
    return (
      <ActionDialog
        open
        title={title}
        confirm={name}
        danger={danger}
        done={t("done")}
        path={path}
        body={readBody}
        fields={field ?? undefined}
        quotes={note?.field}
        onClose={onClose}
      />
    );
  return (
    <PlainDecision
      title={title}
      confirm={name}
      path={path}
      danger={danger}
      readBody={readBody}
      onClose={onClose}
    >
      {field}
    </PlainDecision>
  );
}

type PlainProps = {
  title: string;
  confirm: string;
  path: string;
  danger: boolean;
  readBody: (values: FormData) => object;
  onClose: () => void;
  children: ReactNode;
};

/** A decision whose effects are plain, so that its call has no preview. */
function PlainDecision({ title, confirm, path, danger, readBody, onClose, children }: PlainProps) {
  const t = useTranslations("console.inbox");
  const router = useRouter();
  const withReauthentication = useReauthentication();
  const { pending, problem, run } = useCall(useTranslations("errors")("network"));
  const startAgain = useStartAgain();
  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const body = readBody(new FormData(event.currentTarget));
    const result = await run((options) => withReauthentication(() => api.post<unknown>(path, body, options)));
    if (startAgain(result, onClose) || !result.ok) return;
    onClose();
    showToast(t("done"), "good");
    document.dispatchEvent(new Event(WAITING_CHANGED));
    router.refresh();
  }
  return (
    <Dialog open onClose={onClose} title={title} closeLabel={t("close")}>
      <form className="flex flex-col gap-4" onSubmit={submit}>
        {children}
        <ErrorNotice>{problem}</ErrorNotice>
        <Button type="submit" look={danger ? "danger" : "primary"} pending={pending} className="self-end">
          {confirm}
        </Button>
      </form>
    </Dialog>
  );
}
