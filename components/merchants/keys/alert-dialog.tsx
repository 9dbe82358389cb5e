"use client";

import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { type FormEvent, useState } from "react";
import { FormDialog } from "@/components/console/form-dialog";
import { NumberInput } from "@/components/console/number-input";
import { Checkbox } from "@/components/ui/checkbox";
import { showToast } from "@/components/ui/toast";
import { useCall } from "@/components/ui/use-call";
import type { MerchantStock } from "@/lib/merchants/key-files/contract";
import { STOCK_ALERTS } from "@/lib/merchants/rules";
import { api } from "@/lib/platform/api/client";
import { parseTypedAmount } from "@/lib/platform/typed-number";

/** When the owners are notified that the codes of a plan run low. */
export function AlertDialog({ plan, onClose }: { plan: MerchantStock; onClose: () => void }) {
  const t = useTranslations("console.merchant_keys");
  const network = useTranslations("errors")("network");
  const router = useRouter();
  const { pending, problem, run } = useCall(network);
  const [kind, setKind] = useState(plan.alert.kind);
  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const value =
      kind === "off" ? 0 : parseTypedAmount(String(new FormData(event.currentTarget).get("value")));
    const result = await run((options) =>
      api.post(`/merchant/stock/${plan.plan_id}`, { kind, value }, options),
    );
    if (!result.ok) return;
    showToast(t("alert_set"));
    onClose();
    router.refresh();
  }
  return (
    <FormDialog
      title={t("alert_of", { plan: `${plan.product_name} · ${plan.plan_label}` })}
      submit={t("save")}
      pending={pending}
      problem={problem}
      onSubmit={submit}
      onClose={onClose}
    >
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
        <NumberInput
          key={kind}
          name="value"
          label={t(`alert_values.${kind}`)}
          inputMode="numeric"
          required
          defaultValue={plan.alert.kind === kind ? plan.alert.value : undefined}
        />
      )}
    </FormDialog>
  );
}
