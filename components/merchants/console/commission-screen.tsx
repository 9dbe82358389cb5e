"use client";

import { useTranslations } from "next-intl";
import { type FormEvent, useState } from "react";
import { FormDialog } from "@/components/console/form-dialog";
import { NumberInput } from "@/components/console/number-input";
import { ConsoleHeader } from "@/components/console/page-header";
import { Pill } from "@/components/console/pill";
import { RecordTable } from "@/components/console/record";
import { ShortTime } from "@/components/console/time";
import { Button } from "@/components/ui/button";
import { useReauthentication } from "@/components/ui/reauthentication";
import { Select } from "@/components/ui/select";
import { useSurface } from "@/components/ui/surface";
import { TextInput } from "@/components/ui/text-input";
import { showToast } from "@/components/ui/toast";
import { useCall } from "@/components/ui/use-call";
import { PASS_TYPES } from "@/lib/catalog/rules";
import type { CommissionRule, CommissionRuleList } from "@/lib/merchants/console/contract-commission";
import { api } from "@/lib/platform/api/client";
import { formatPrice, toCents } from "@/lib/platform/money";
import { parseTypedAmount } from "@/lib/platform/typed-number";

const APPROVAL_REQUIRED = "40941";

/** The commission rules. `mayAdd`: the viewer may propose a new one. */
export function CommissionScreen({ list, mayAdd }: { list: CommissionRuleList; mayAdd: boolean }) {
  const t = useTranslations("console.commission");
  const { locale } = useSurface();
  const [adding, setAdding] = useState(false);
  const percent = new Intl.NumberFormat(locale, { style: "percent", maximumFractionDigits: 2 });
  const sales = ({ merchant_name, category, pass_type }: CommissionRule) =>
    [merchant_name, category, pass_type && t(`types.${pass_type}`)].filter(Boolean).join(" · ") || t("all");
  return (
    <>
      <ConsoleHeader title={t("title")} lead={t("lead")}>
        {mayAdd && <Button onClick={() => setAdding(true)}>{t("add")}</Button>}
      </ConsoleHeader>
      <RecordTable
        label={t("title")}
        columns={[
          { name: t("who"), cell: sales },
          {
            name: t("share"),
            end: true,
            cell: ({ percent: share, fixed }) =>
              [
                percent.format(share / 100),
                fixed > 0 && t("fixed_part", { amount: formatPrice(toCents(fixed), locale) }),
              ]
                .filter(Boolean)
                .join(" "),
          },
          { name: t("from"), cell: ({ valid_from }) => <ShortTime at={valid_from} /> },
          { name: t("by"), cell: ({ created_by }) => created_by },
          {
            name: t("state"),
            cell: ({ current }) => (
              <Pill tone={current ? "good" : "plain"}>{t(current ? "current" : "other")}</Pill>
            ),
          },
        ]}
        rows={list.items}
        rowId={({ rule_id }) => rule_id}
        empty={t("empty")}
      />
      {adding && <AddDialog onClose={() => setAdding(false)} />}
    </>
  );
}

function AddDialog({ onClose }: { onClose: () => void }) {
  const t = useTranslations("console.commission");
  const network = useTranslations("errors")("network");
  const withReauthentication = useReauthentication();
  const { pending, problem, setProblem, run } = useCall(network);
  async function add(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const fields = new FormData(event.currentTarget);
    const text = (name: string) => String(fields.get(name) ?? "").trim() || undefined;
    const from = text("valid_from");
    const pass_type = PASS_TYPES.find((type) => type === text("pass_type"));
    const body = {
      merchant: text("merchant"),
      category: text("category"),
      pass_type,
      percent: parseTypedAmount(String(text("percent"))),
      fixed: parseTypedAmount(String(text("fixed") ?? 0)),
      valid_from: from && `${from}T00:00:00Z`,
    };
    const result = await run((options) =>
      withReauthentication(() => api.post("/admin/commission", body, options)),
    );
    // Each rule waits for a second person.
    if (result.ok || result.code !== APPROVAL_REQUIRED) return;
    setProblem("");
    showToast(t("waits"), "good");
    onClose();
  }
  return (
    <FormDialog
      title={t("add")}
      submit={t("send")}
      pending={pending}
      problem={problem}
      onSubmit={add}
      onClose={onClose}
    >
      <TextInput
        name="merchant"
        label={t("merchant")}
        hint={t("merchant_hint")}
        maxLength={80}
        autoComplete="off"
      />
      <TextInput name="category" label={t("category")} maxLength={120} autoComplete="off" />
      <Select
        name="pass_type"
        label={t("type")}
        defaultValue=""
        options={[
          { value: "", label: t("any") },
          ...PASS_TYPES.map((type) => ({ value: type, label: t(`types.${type}`) })),
        ]}
      />
      <NumberInput name="percent" label={t("percent")} required />
      <NumberInput name="fixed" label={t("fixed")} />
      <TextInput name="valid_from" label={t("valid_from")} hint={t("valid_from_hint")} type="date" />
    </FormDialog>
  );
}
