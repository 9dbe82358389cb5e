"use client";

import { useId, useState } from "react";
import { Button } from "@/components/ui/button";
import { Checkbox } from "@/components/ui/checkbox";
import { Notice } from "@/components/ui/notice";
import { useSurface } from "@/components/ui/surface";
import type { WithdrawLine, WithdrawView } from "@/lib/orders/withdrawal/contract";
import { durationSpan, formatMoment } from "@/lib/platform/format";
import { formatPrice, toCents } from "@/lib/platform/money";
import type { WithdrawLabels } from "./use-withdraw-labels";

/** The lines of the order, selectable where withdrawal is possible and with a reason where it is not. */
export function WithdrawReview({
  view,
  labels,
  pending,
  problem,
  onConfirm,
}: {
  view: WithdrawView;
  labels: WithdrawLabels;
  pending: boolean;
  problem: string | null;
  onConfirm: (ids: string[]) => void;
}) {
  const { locale } = useSurface();
  const title = useId();
  const withdrawable = view.lines.filter((line) => line.units > 0);
  const [excluded, setExcluded] = useState<string[]>([]);
  const selected = withdrawable.filter((line) => !excluded.includes(line.order_product_id));
  const amount = formatPrice(
    selected.reduce((sum, line) => sum + toCents(line.amount), 0),
    locale,
  );
  const toggle = (id: string, checked: boolean) =>
    setExcluded((ids) => (checked ? ids.filter((other) => other !== id) : [...ids, id]));
  return (
    <section aria-labelledby={title} className="flex flex-col gap-5">
      <h2 id={title} className="text-21">
        {labels.reviewTitle}
      </h2>
      {view.withdraw_until && withdrawable.length > 0 && (
        <p className="text-quiet">{labels.until.replace("%s", formatMoment(view.withdraw_until, locale))}</p>
      )}
      <ul className="divide-y divide-hairline">
        {view.lines.map((line) => (
          <li key={line.order_product_id} className="flex items-start justify-between gap-6 py-2">
            {line.units > 0 ? (
              <Checkbox
                label={<Name line={line} lifetime={labels.lifetime} />}
                hint={partialHint(line, labels)}
                checked={!excluded.includes(line.order_product_id)}
                onChange={(event) => toggle(line.order_product_id, event.target.checked)}
              />
            ) : (
              <div className="py-2.5">
                <Name line={line} lifetime={labels.lifetime} />
                <p className="text-13 text-quiet">{labels.reasons[line.reason]}</p>
              </div>
            )}
            {line.units > 0 && (
              <span className="figures pt-2.5">{formatPrice(toCents(line.amount), locale)}</span>
            )}
          </li>
        ))}
      </ul>
      {problem !== null && (
        <Notice kind="bad" live>
          {problem}
        </Notice>
      )}
      {withdrawable.length === 0 ? (
        <Notice>{labels.nothing}</Notice>
      ) : (
        <>
          <p className="text-13 text-quiet">{labels.note}</p>
          <div>
            <Button
              look="danger"
              large
              pending={pending}
              disabled={selected.length === 0}
              onClick={() => onConfirm(selected.map((line) => line.order_product_id))}
            >
              {labels.confirm.replace("%s", amount)}
            </Button>
          </div>
        </>
      )}
    </section>
  );
}

function Name({ line, lifetime }: { line: WithdrawLine; lifetime: string }) {
  const { locale } = useSurface();
  const { value, unit } = durationSpan(line.duration_days, locale);
  return (
    <>
      <span lang={line.language === locale ? undefined : line.language}>{line.product_name}</span>
      <span className="text-quiet"> · {line.duration_days === null ? lifetime : `${value} ${unit}`}</span>
    </>
  );
}

function partialHint(line: WithdrawLine, labels: WithdrawLabels): string | undefined {
  if (line.units === line.quantity) return undefined;
  const part = labels.part.replace("%u", String(line.units)).replace("%q", String(line.quantity));
  return `${part} ${labels.reasons[line.reason]}`;
}
