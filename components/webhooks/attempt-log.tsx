"use client";

import { useTranslations } from "next-intl";
import { ConsoleLink } from "@/components/console/link";
import { filterQuery } from "@/components/console/list/filter-values";
import { Pill, type Tone } from "@/components/console/pill";
import { RecordTable } from "@/components/console/record";
import { RowButton } from "@/components/console/row-button";
import { StateTabs } from "@/components/console/state-tabs";
import { ShortTime } from "@/components/console/time";
import type { AttemptList, SentWebhook } from "@/lib/webhooks/contract";
import { DELIVERY_STATES, type DeliveryState } from "@/lib/webhooks/rules";
import { aboutKey } from "./event-key";

const TONES: Record<DeliveryState, Tone> = { waiting: "warn", delivered: "good", failed: "bad" };

type Props = {
  list: AttemptList;
  values: Readonly<Record<string, string | undefined>>;
  /** of the page */
  path: string;
  pending: boolean;
  canSend: boolean;
  onRedeliver: (messageId: string) => void;
};

/** The messages to an endpoint, each with its body, its attempts and the responses. */
export function AttemptLog({ list, values, path, pending, canSend, onRedeliver }: Props) {
  const t = useTranslations("console.merchant_webhooks");
  const tabs = [undefined, ...DELIVERY_STATES].map((state) => ({
    value: state ?? "",
    label: state ? t(`delivery.${state}`) : t("all"),
    href: path + filterQuery({ state }),
  }));
  return (
    <>
      <StateTabs label={t("log")} tabs={tabs} current={values.state ?? ""} />
      <div className="pt-4">
        <RecordTable
          label={t("log")}
          rows={list.items}
          rowId={({ message_id }) => message_id}
          empty={values.state ? t("log_none") : t("log_empty")}
          columns={[
            {
              name: t("event"),
              cell: ({ type }) => (
                <>
                  <code className="font-mono text-15">{type}</code>
                  <span className="block text-13 text-quiet">{t(aboutKey(type))}</span>
                </>
              ),
            },
            {
              name: t("status"),
              cell: ({ state, next_at }) => (
                <>
                  <Pill tone={TONES[state]}>{t(`delivery.${state}`)}</Pill>
                  {next_at && (
                    <span className="block pt-1 text-13 text-quiet">
                      {t("next")} <ShortTime at={next_at} />
                    </span>
                  )}
                </>
              ),
            },
            { name: t("happened"), cell: ({ happened_at }) => <ShortTime at={happened_at} /> },
            { name: t("attempts"), cell: (message) => <Details message={message} /> },
            ...(canSend
              ? [
                  {
                    name: t("actions"),
                    cell: ({ message_id, type }: SentWebhook) => (
                      <RowButton
                        of={`${type}, ${message_id}`}
                        disabled={pending}
                        onClick={() => onRedeliver(message_id)}
                      >
                        {t("redeliver")}
                      </RowButton>
                    ),
                  },
                ]
              : []),
          ]}
        />
      </div>
      {list.next_cursor && (
        <p className="pt-4">
          <ConsoleLink
            href={path + filterQuery({ ...values, cursor: list.next_cursor })}
            className="button button-secondary"
          >
            {t("more")}
          </ConsoleLink>
        </p>
      )}
    </>
  );
}

/** The body and the attempts of a message, folded. */
function Details({ message: { message_id, body, attempts } }: { message: SentWebhook }) {
  const t = useTranslations("console.merchant_webhooks");
  return (
    <details className="min-w-0">
      <summary className="cursor-pointer py-1">{t("attempts_count", { count: attempts.length })}</summary>
      <p className="pt-2 text-13 text-quiet">
        {t("body")} · <code className="font-mono wrap-anywhere">{message_id}</code>
      </p>
      <Text text={format(body)} />
      <ol className="flex flex-col gap-3">
        {attempts.map((attempt) => (
          <li key={attempt.at}>
            <p className="flex flex-wrap items-center gap-2">
              <ShortTime at={attempt.at} />
              <Pill tone={attempt.status !== null && attempt.status < 300 ? "good" : "bad"}>
                {attempt.error ? t(`error.${attempt.error}`) : String(attempt.status)}
              </Pill>
              <span className="figures text-13 text-quiet">{t("took", { ms: attempt.ms })}</span>
            </p>
            {attempt.error === null && (
              <>
                <p className="pt-1 text-13 text-quiet">{t("answer")}</p>
                <Text text={attempt.answer || t("no_answer")} />
              </>
            )}
          </li>
        ))}
      </ol>
    </details>
  );
}

const format = (body: string) => JSON.stringify(JSON.parse(body), null, 2);

const Text = ({ text }: { text: string }) => (
  <pre className="mt-1 mb-2 max-h-60 max-w-text overflow-auto rounded-control border border-hairline bg-raised p-2 font-mono text-13 whitespace-pre-wrap wrap-anywhere">
    {text}
  </pre>
);
