"use client";

import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { type FormEvent, useState } from "react";
import { FormDialog } from "@/components/console/form-dialog";
import { columnsOf } from "@/components/console/list/columns";
import { NumberInput } from "@/components/console/number-input";
import { useFraudType } from "@/components/console/use-fraud-type";
import { isSeen, Shown } from "@/components/orders/console/warning-codes";
import { type WarningChoice, WarningDialog } from "@/components/orders/console/warning-dialog";
import { StaffList } from "@/components/staff/staff-list";
import { Button } from "@/components/ui/button";
import { useReauthentication } from "@/components/ui/reauthentication";
import { useSurface } from "@/components/ui/surface";
import { showToast } from "@/components/ui/toast";
import { useCall } from "@/components/ui/use-call";
import type {
  ConsoleWarning,
  ConsoleWarningList,
  FraudSettings,
} from "@/lib/orders/console/contract-warnings";
import { api } from "@/lib/platform/api/client";
import { mayStaff } from "@/lib/platform/auth/permissions";
import { formatPrice, toCents } from "@/lib/platform/money";
import { parseTypedAmount } from "@/lib/platform/typed-number";
import type { StaffListData } from "@/lib/staff/lists/contract";

const column = columnsOf<ConsoleWarning>();
const isOpen = ({ decided_at }: ConsoleWarning) => decided_at === null;
const STATES = ["open", "decided"] as const;

/** Early fraud warnings: those that wait for a decision, with what was shown when, and how the others ended. */
export function ConsoleWarnings({
  dispute_cost: cost,
  ...data
}: StaffListData<ConsoleWarningList> & FraudSettings) {
  const t = useTranslations("console.fraud_warnings");
  const fraudType = useFraudType();
  const { locale } = useSurface();
  const [setting, setSetting] = useState(false);
  const dialog = (decision: WarningChoice["decision"]) => (row: ConsoleWarning, onClose: () => void) => (
    <WarningDialog choice={{ decision, warning: row }} onClose={onClose} />
  );
  return (
    <>
      <StaffList
        {...data}
        declared={{
          title: t("title"),
          lead: t("lead", { cost: formatPrice(toCents(cost), locale) }),
          empty: t("empty"),
          rowId: ({ warning_id }) => warning_id,
          rowName: ({ order_number, email }) => `${order_number}, ${email}`,
          tools: mayStaff(data.roles, "fraud.settings") && (
            <Button onClick={() => setSetting(true)}>{t("cost")}</Button>
          ),
          texts: { values: { state: (value) => t(`views.${value as (typeof STATES)[number]}`) } },
          views: STATES.map((state) => ({
            id: state,
            label: t(`views.${state}`),
            filters: state === "open" ? {} : { state },
          })),
          columns: [
            column.order(t("order"), ({ order_number }) => order_number, { main: true }),
            column.customer("buyer", t("buyer"), (row) => row),
            column.money("amount", t("amount"), ({ amount }) => amount),
            column.text("type", t("type"), ({ fraud_type }) => fraud_type && fraudType(fraud_type)),
            column.text("seen", t("seen"), ({ codes }) => seenOf(codes), { width: 110 }),
            column.state("state", t("state"), ({ state }) => ({
              text: t(`states.${state}`),
              tone: state === "refunded" ? "bad" : state === "open" ? "warn" : undefined,
            })),
            column.time("warned", t("warned"), ({ created_at }) => created_at),
            column.cell("shown", t("shown"), ({ codes }) => <Shown codes={codes} />, { panel: true }),
            column.time("decided", t("decided"), ({ decided_at }) => decided_at, { panel: true }),
            column.text("by", t("by"), ({ decided_by }) => (decided_by === "rule" ? t("rule") : decided_by), {
              panel: true,
            }),
            column.longText("note", t("note"), ({ note }) => note),
          ],
          actions: [
            { id: "release", key: "a", label: t("release"), when: isOpen, dialog: dialog("release") },
            {
              id: "refund",
              key: "r",
              label: t("refund"),
              danger: true,
              when: isOpen,
              dialog: dialog("refund"),
            },
          ],
        }}
      />
      {setting && <CostDialog cost={cost} onClose={() => setSetting(false)} />}
    </>
  );
}

const seenOf = (codes: ConsoleWarning["codes"]) => `${codes.filter(isSeen).length} / ${codes.length}`;

function CostDialog({ cost, onClose }: { cost: number; onClose: () => void }) {
  const t = useTranslations("console.fraud_warnings");
  const network = useTranslations("errors")("network");
  const withReauthentication = useReauthentication();
  const router = useRouter();
  const { pending, problem, run } = useCall(network);
  async function save(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const dispute_cost = parseTypedAmount(String(new FormData(event.currentTarget).get("cost")));
    const result = await run((options) =>
      withReauthentication(() => api.post("/admin/fraud-warnings/settings", { dispute_cost }, options)),
    );
    if (!result.ok) return;
    showToast(t("cost_set"), "good");
    router.refresh();
    onClose();
  }
  return (
    <FormDialog
      title={t("cost")}
      submit={t("save")}
      pending={pending}
      problem={problem}
      onSubmit={save}
      onClose={onClose}
    >
      <p>{t("cost_text")}</p>
      <NumberInput name="cost" label={t("cost_usd")} defaultValue={String(cost)} required />
    </FormDialog>
  );
}
