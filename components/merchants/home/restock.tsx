"use client";

import { useTranslations } from "next-intl";
import { type FormEvent, useState } from "react";
import { ConsoleLink } from "@/components/console/link";
import { Pill } from "@/components/console/pill";
import { useAction } from "@/components/merchants/portal/use-action";
import { Button } from "@/components/ui/button";
import { ErrorNotice } from "@/components/ui/notice";
import { TextArea } from "@/components/ui/text-input";
import type { KeyBatchStarted } from "@/lib/merchants/key-files/contract";
import { KEYS_PER_CALL } from "@/lib/merchants/key-files/rules";
import { api } from "@/lib/platform/api/client";

export type LowPlan = {
  plan_id: number;
  product_name: string;
  plan_label: string;
  available: number;
  waiting: number;
  suggested: number;
};
type Props = { handle: string; plans: readonly LowPlan[]; mayAdd: boolean };

/** Plans that the page names. */
const SHOWN_PLANS = 3;

/** Plans whose codes run low, and a field to paste codes of one of them. */
export function Restock({ handle, plans, mayAdd }: Props) {
  const t = useTranslations("console.merchant_home");
  const shown = plans.slice(0, SHOWN_PLANS);
  const [chosen, setChosen] = useState<number>();
  const plan = shown.find(({ plan_id }) => plan_id === chosen) ?? shown[0];
  if (!plan) return <p className="text-quiet">{t("no_low")}</p>;
  return (
    <div className="overflow-hidden rounded-control border border-hairline bg-raised">
      <fieldset>
        <legend className="sr-only">{t("restock")}</legend>
        {shown.map(({ plan_id, product_name, plan_label, available, waiting, suggested }) => (
          <label
            key={plan_id}
            className="flex min-h-11 cursor-pointer flex-wrap items-center gap-x-3 gap-y-1 border-b border-hairline px-4 py-2 has-checked:bg-tint"
          >
            <input
              type="radio"
              name="plan"
              checked={plan_id === plan.plan_id}
              disabled={!mayAdd}
              onChange={() => setChosen(plan_id)}
              className="flex-none accent-ink"
            />
            <span className="min-w-0 flex-1 wrap-anywhere">
              {product_name} · {plan_label}
              {waiting > 0 && (
                <span className="block text-13 text-quiet">{t("people_wait", { count: waiting })}</span>
              )}
            </span>
            {suggested > 0 && <span className="figures text-13">{t("to_add", { count: suggested })}</span>}
            <Pill tone={available === 0 ? "bad" : "warn"}>{t("codes_left", { count: available })}</Pill>
          </label>
        ))}
      </fieldset>
      {plans.length > SHOWN_PLANS && (
        <p className="border-b border-hairline px-4 py-2 text-13">
          <ConsoleLink href={`/merchant/${handle}/keys`} className="text-link">
            {t("more_low", { count: plans.length - SHOWN_PLANS })}
          </ConsoleLink>
        </p>
      )}
      {mayAdd && <PasteBox key={plan.plan_id} handle={handle} plan={plan} />}
    </div>
  );
}

function PasteBox({ handle, plan }: { handle: string; plan: LowPlan }) {
  const t = useTranslations("console.merchant_home");
  const { pending, problem, setProblem, act } = useAction();
  const [text, setText] = useState("");
  const [batch, setBatch] = useState<KeyBatchStarted>();
  const codes = text.split("\n").flatMap((line) => line.trim() || []);
  async function add(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    if (codes.length === 0) return setProblem(t("paste_missing"));
    if (codes.length > KEYS_PER_CALL) return setProblem(t("paste_many", { count: KEYS_PER_CALL }));
    const body = { plan_id: plan.plan_id, keys: codes };
    const result = await act<KeyBatchStarted>((options) => api.post("/merchant/keys/import", body, options));
    if (!result.ok) return;
    setBatch(result.data);
    // Rejected codes stay in the field, so that they can be corrected.
    setText(result.data.refused.map(({ line }) => codes[line - 1]).join("\n"));
  }
  return (
    <form onSubmit={add} noValidate className="flex flex-col gap-2 px-4 py-3">
      <TextArea
        label={t("paste", { plan: `${plan.product_name} · ${plan.plan_label}` })}
        rows={2}
        spellCheck={false}
        autoComplete="off"
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <Button type="submit" pending={pending}>
          {t("add_now", { count: codes.length })}
        </Button>
        <p className="text-13 text-quiet">
          {t.rich("paste_hint", {
            file: (words) => (
              <ConsoleLink href={`/merchant/${handle}/keys/import`} className="text-link">
                {words}
              </ConsoleLink>
            ),
          })}
        </p>
      </div>
      <ErrorNotice>{problem}</ErrorNotice>
      {batch && (
        <div role="status" className="text-13">
          <p>{t("added", { ...batch.counts })}</p>
          <ul>
            {batch.refused.map(({ line, message }, i) => (
              <li key={line}>{t("refused_line", { line: i + 1, message })}</li>
            ))}
          </ul>
        </div>
      )}
    </form>
  );
}
