"use client";

import { useTranslations } from "next-intl";
import { type FormEvent, useState } from "react";
import { Button } from "@/components/ui/button";
import { Checkbox } from "@/components/ui/checkbox";
import { FieldError } from "@/components/ui/field";
import { Notice } from "@/components/ui/notice";
import { TextArea, TextInput } from "@/components/ui/text-input";
import { useCall } from "@/components/ui/use-call";
import type { OrderDetail } from "@/lib/orders/contract";
import type { OrderTax } from "@/lib/orders/tax/contract";
import { SANDBOX_VAT_IDS } from "@/lib/payments/tax/rules-vat-id";
import { api } from "@/lib/platform/api/client";

/**
 * For whom an order is bought: a private person, or a business of the EU, whose VAT id is checked while one waits, or of another country
 * whose id the invoice names.
 */
export function CheckoutBusiness({
  order,
  sandbox,
  reload,
}: {
  order: OrderDetail;
  sandbox: boolean;
  reload: () => Promise<unknown>;
}) {
  const t = useTranslations("orders.tax.business");
  const business = order.tax?.business ?? null;
  const { eu, example } = order.tax?.business_id ?? { eu: true, example: "" };
  const [editing, setEditing] = useState(false);
  const { pending, problem, setProblem, run } = useCall(useTranslations("errors")("network"));

  async function save(business?: { vat_id: string; company: string; address: string }) {
    const body = { order_id: order.order_id, business };
    const result = await run((options) => api.post("/order/tax/business", body, options));
    if (!result.ok) return;
    setEditing(false);
    await reload();
  }

  if (business && !editing)
    return (
      <BusinessResult tax={order.tax!} pending={pending} onChange={() => setEditing(true)} onRemove={save} />
    );
  return (
    <div className="flex flex-col">
      <Checkbox
        checked={editing}
        onChange={() => {
          setProblem("");
          setEditing(!editing);
        }}
        label={t(eu ? "toggle" : "toggle_other")}
        hint={t(eu ? "hint" : "hint_other")}
      />
      {editing && (
        <BusinessForm
          business={business}
          eu={eu}
          example={example}
          sandbox={sandbox}
          pending={pending}
          problem={problem}
          onSave={save}
          onRemove={business ? () => save() : undefined}
        />
      )}
    </div>
  );
}

type Business = NonNullable<OrderTax["business"]>;

function BusinessForm({
  business,
  eu,
  example,
  sandbox,
  pending,
  problem,
  onSave,
  onRemove,
}: {
  business: Business | null;
  eu: boolean;
  example: string;
  sandbox: boolean;
  pending: boolean;
  problem: string;
  onSave: (business: Pick<Business, "vat_id" | "company" | "address">) => Promise<void>;
  onRemove?: () => Promise<void>;
}) {
  const t = useTranslations("orders.tax.business");
  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const data = new FormData(event.currentTarget);
    const text = (name: string) => String(data.get(name) ?? "").trim();
    if (!pending) void onSave({ vat_id: text("vat_id"), company: text("company"), address: text("address") });
  }
  return (
    <form method="post" onSubmit={submit} className="flex max-w-100 flex-col gap-3 pt-2 pb-1">
      <TextInput
        label={t(eu ? "vat_id" : "tax_id")}
        hint={example ? t(eu ? "vat_id_hint" : "tax_id_hint", { example }) : undefined}
        name="vat_id"
        required
        maxLength={30}
        autoComplete="off"
        autoCapitalize="characters"
        spellCheck={false}
        defaultValue={business?.vat_id}
      />
      <TextInput
        label={t("company")}
        name="company"
        required
        maxLength={100}
        autoComplete="organization"
        defaultValue={business?.company}
      />
      <TextArea
        label={t("address")}
        name="address"
        required
        rows={3}
        maxLength={300}
        autoComplete="street-address"
        defaultValue={business?.address}
      />
      {sandbox && eu && <p className="text-13 text-quiet wrap-anywhere">{t("sandbox", SANDBOX_VAT_IDS)}</p>}
      <div role="alert">{problem && <FieldError>{problem}</FieldError>}</div>
      <div className="flex flex-wrap gap-3">
        <Button type="submit" pending={pending}>
          {t(eu ? "save" : "save_other")}
        </Button>
        {onRemove && (
          <Button look="quiet" disabled={pending} onClick={() => void onRemove()}>
            {t("remove")}
          </Button>
        )}
      </div>
    </form>
  );
}

function BusinessResult({
  tax,
  pending,
  onChange,
  onRemove,
}: {
  tax: OrderTax;
  pending: boolean;
  onChange: () => void;
  onRemove: () => Promise<void>;
}) {
  const t = useTranslations("orders.tax.business");
  const { check, company, vat_id } = tax.business!;
  const isHome = check === "valid" && tax.treatment !== "reverse_charge";
  return (
    <Notice
      kind={check === "valid" || check === "recorded" ? "good" : "warn"}
      title={`${company} · ${vat_id}`}
      live
      action={
        <div className="flex flex-wrap gap-3">
          <Button disabled={pending} onClick={onChange}>
            {t("change")}
          </Button>
          <Button look="quiet" pending={pending} onClick={() => void onRemove()}>
            {t("remove")}
          </Button>
        </div>
      }
    >
      {isHome ? t("valid_home", { company }) : t(check, { company })}
    </Notice>
  );
}
