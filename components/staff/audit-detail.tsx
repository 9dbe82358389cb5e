"use client";

import { useFormatter, useTranslations } from "next-intl";
import { Fragment } from "react";
import { ShortTime } from "@/components/console/time";
import { useSurface } from "@/components/ui/surface";
import { formatDate } from "@/lib/platform/format";
import { formatPrice } from "@/lib/platform/money";
import type { AuditEntryView } from "@/lib/staff/audit/contract";
import { type DetailValue, describeDetail } from "@/lib/staff/audit/rules-detail";

/** An entry's detail in words. */
export function AuditDetail({ entry }: { entry: AuditEntryView }) {
  const t = useTranslations("console.audit");
  const nameOf = useTranslations("console.audit.field");
  const { detail, names } = entry;
  const { rows, rest } = describeDetail(detail);
  const label = (name: string) =>
    nameOf.has(name as "reason") ? nameOf(name as "reason") : name.replaceAll("_", " ");
  return (
    <span>
      {rows.length > 0 && (
        <dl className="inline">
          {rows.map((row, i) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: rows keep their order
            <div key={i} className="inline">
              <dt className="inline text-quiet">{label(row.name)}</dt>{" "}
              <dd className="inline wrap-anywhere">
                {"value" in row ? (
                  <Value value={row.value} names={names} />
                ) : (
                  <>
                    <Value value={row.before} names={names} />
                    {" → "}
                    <Value value={row.after} names={names} />
                  </>
                )}
                {i < rows.length - 1 && <span className="text-quiet"> · </span>}
              </dd>{" "}
            </div>
          ))}
        </dl>
      )}
      {rest.length > 0 && (
        <span className="text-quiet">{t("also", { fields: rest.map(label).join(", ") })} </span>
      )}
    </span>
  );
}

/** The stored entry, behind a disclosure. */
export function AuditRaw({ entry }: { entry: AuditEntryView }) {
  const t = useTranslations("console.audit");
  return (
    <details className="inline-block align-top open:block">
      <summary className="text-quiet cursor-pointer">{t("raw")}</summary>
      <pre className="max-w-[36rem] overflow-x-auto pt-1 font-mono text-13 whitespace-pre-wrap wrap-anywhere">
        {JSON.stringify(
          {
            entry: entry.entry_id,
            actor: entry.by.id,
            action: entry.action,
            subject: entry.subject,
            detail: entry.detail,
          },
          null,
          2,
        )}
      </pre>
    </details>
  );
}

/** An id that stands for an account or an order, with its address or number before it. */
const Text = ({ text, names }: { text: string; names: AuditEntryView["names"] }) =>
  names[text] ? (
    <>
      {names[text]} <code className="font-mono text-quiet">{text}</code>
    </>
  ) : (
    text
  );

function Value({ value, names }: { value: DetailValue; names: AuditEntryView["names"] }) {
  const t = useTranslations("console.audit");
  const word = useTranslations("console.audit.word");
  const status = useTranslations("console.order_status");
  const mail = useTranslations("console.mail_events");
  const stuck = useTranslations("console.stuck.kind");
  const format = useFormatter();
  const { locale } = useSurface();
  const wordText = (text: string) => {
    const key = text.replaceAll(" ", "_");
    if (word.has(key as "open")) return word(key as "open");
    if (status.has(key as "paid")) return status(key as "paid");
    if (mail.has(key as "keys")) return mail(key as "keys");
    return stuck.has(key as "order") ? stuck(key as "order") : text;
  };
  switch (value.kind) {
    case "none":
      return "–";
    case "text":
      return <Text text={value.text} names={names} />;
    case "word":
      return wordText(value.word);
    case "number":
      return format.number(value.value);
    case "percent":
      return `${format.number(value.value)} %`;
    case "money":
      return formatPrice(value.cents, locale);
    case "moment":
      return <ShortTime at={value.at} />;
    case "day":
      return formatDate(value.at, locale);
    case "flag":
      return t(value.yes ? "yes" : "no");
    case "list":
      return value.items.length === 0
        ? "–"
        : value.items.map((item, i) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: items keep their order
            <Fragment key={i}>
              {i > 0 && ", "}
              <Value value={item} names={names} />
            </Fragment>
          ));
  }
}
