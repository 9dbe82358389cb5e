"use client";

import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { type FormEvent, useId, useState } from "react";
import { Button } from "@/components/ui/button";
import { Checkbox } from "@/components/ui/checkbox";
import { Dialog } from "@/components/ui/dialog";
import { ErrorNotice } from "@/components/ui/notice";
import { TextInput } from "@/components/ui/text-input";
import { showToast } from "@/components/ui/toast";
import { useCall } from "@/components/ui/use-call";
import type { MerchantStock } from "@/lib/merchants/key-files/contract";
import { ALERT_MAX } from "@/lib/merchants/key-files/rules";
import { STOCK_ALERTS } from "@/lib/merchants/rules";
import { api } from "@/lib/platform/api/client";

/** When the owners are told that the codes of a plan run low. */
export function AlertDialog({ plan, onClose }: { plan: MerchantStock; onClose: () => void }) {
  const t = useTranslations("console.merchant_keys");
  const table = useTranslations("console.table");
  const network = useTranslations("errors")("network");
  const router = useRouter();
  const { pending, problem, run } = useCall(network);
  const formId = useId();
  const [kind, setKind] = useState(plan.alert.kind);
  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const value = kind === "off" ? 0 : Number(new FormData(event.currentTarget).get("value"));
    const result = await run((options) =>
      api.post(`/merchant/stock/${plan.plan_id}`, { kind, value }, options),
    );
    if (!result.ok) return;
    showToast(t("alert_set"));
    onClose();
    router.refresh();
  }
  return (
    <Dialog
      open
      onClose={onClose}
      title={t("alert_of", { plan: `${plan.product_name} · ${plan.plan_label}` })}
      closeLabel={table("close")}
      actions={
        <>
          <Button look="quiet" onClick={onClose}>
            {table("cancel")}
          </Button>
          <Button look="primary" type="submit" form={formId} pending={pending}>
            {t("save")}
          </Button>
        </>
      }
    >
      <form id={formId} onSubmit={submit} className="flex flex-col gap-4">
        <p className="text-quiet">{t("alert_lead")}</p>
        <fieldset>
          <legend className="sr-only">{t("alert")}</legend>
          {STOCK_ALERTS.map((one) => (
            <Checkbox
              key={one}
              type="radio"
              name="kind"
              value={one}
              label={t(`alert_kinds.${one}`)}
              checked={kind === one}
              onChange={() => setKind(one)}
            />
          ))}
        </fieldset>
        {kind !== "off" && (
          <TextInput
            key={kind}
            name="value"
            label={t(`alert_values.${kind}`)}
            type="number"
            inputMode="numeric"
            min={0}
            max={ALERT_MAX}
            step={1}
            required
            defaultValue={plan.alert.kind === kind ? plan.alert.value : undefined}
          />
        )}
        <ErrorNotice>{problem}</ErrorNotice>
      </form>
    </Dialog>
  );
}
