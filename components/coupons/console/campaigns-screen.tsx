"use client";

import { useTranslations } from "next-intl";
import { useMemo, useState } from "react";
import { type Column, DataTable } from "@/components/console/data-table";
import { NumberInput } from "@/components/console/number-input";
import { ConsoleHeader } from "@/components/console/page-header";
import { Pill, type Tone } from "@/components/console/pill";
import { RecordSection } from "@/components/console/record";
import { ShortTime } from "@/components/console/time";
import { ActionDialog } from "@/components/staff/action-dialog";
import { useCouponTerms } from "@/components/staff/coupon-terms";
import { Button } from "@/components/ui/button";
import { Checkbox } from "@/components/ui/checkbox";
import { useSurface } from "@/components/ui/surface";
import type { ConsoleCampaign, ConsoleCoupon } from "@/lib/coupons/console/contract";
import { COUNTED_COUPONS } from "@/lib/coupons/console/rules";
import { formatPrice, toCents } from "@/lib/platform/money";
import { parseTypedAmount } from "@/lib/platform/typed-number";
import { CouponLookup } from "./coupon-lookup";
import { NewCampaign } from "./new-campaign";

type Choice = { kind: "switch" | "budget" | "daily" | "minimum" | "free"; campaign: ConsoleCampaign };
const TONES: Record<ConsoleCampaign["state"], Tone> = {
  running: "good",
  scheduled: "warn",
  spent: "warn",
  spent_today: "warn",
  off: "bad",
  ended: "plain",
};

/** Anyone who manages campaigns may take the free mark off; few may set it. */
const kindsFor = ({ free }: ConsoleCampaign, mayMarkFree: boolean) =>
  (["switch", "budget", "daily", "minimum", "free"] as const).filter(
    (kind) => kind !== "free" || free || mayMarkFree,
  );

function actionName(kind: Choice["kind"], { enabled, free }: ConsoleCampaign) {
  if (kind === "switch") return enabled ? "switch_off" : "switch_on";
  if (kind === "free") return free ? "mark_paid" : "mark_free";
  return `set_${kind}` as const;
}

/** Campaigns with their budgets and switches, and a coupon by its code. */
export function CampaignsScreen({
  campaigns,
  mayMarkFree,
  typed,
  coupon,
}: {
  campaigns: ConsoleCampaign[];
  mayMarkFree: boolean;
  /** the code that was looked for */
  typed: string;
  coupon: ConsoleCoupon | null;
}) {
  const t = useTranslations("console.campaigns");
  const { locale } = useSurface();
  const { worth } = useCouponTerms();
  const [choice, setChoice] = useState<Choice>();
  const [creates, setCreates] = useState(false);

  const columns = useMemo((): Column<ConsoleCampaign>[] => {
    const usd = (amount: number) => formatPrice(toCents(amount), locale);
    const count = (value: number) => (value >= COUNTED_COUPONS ? `${COUNTED_COUPONS}+` : String(value));
    return [
      {
        id: "title",
        header: t("campaign"),
        main: true,
        cell: ({ title, campaign, coupon_code }) => (
          <span className="block min-[900px]:min-w-32">
            <span className="font-medium">{title}</span>
            <span className="block text-13 text-quiet">
              {campaign}
              {coupon_code && ` · ${t("public_code")} ${coupon_code}`}
            </span>
          </span>
        ),
      },
      {
        id: "state",
        header: t("state_name"),
        cell: ({ state }) => <Pill tone={TONES[state]}>{t(`state.${state}`)}</Pill>,
      },
      {
        id: "worth",
        header: t("worth"),
        align: "end",
        cell: (campaign) => (
          <span className="block">
            {worth(campaign)}
            {campaign.free && <span className="block whitespace-normal text-13 text-quiet">{t("free")}</span>}
          </span>
        ),
      },
      {
        id: "minimum",
        header: t("minimum"),
        align: "end",
        cell: ({ minimum }) => (minimum > 0 ? usd(minimum) : "–"),
      },
      {
        id: "budget",
        header: t("budget"),
        align: "end",
        cell: ({ promised, monthly_budget, promised_today, daily_budget }) => (
          <span className="inline-block min-[900px]:min-w-28">
            {usd(promised)} / {monthly_budget === null ? t("no_cap") : usd(monthly_budget)}
            {monthly_budget !== null && <Share part={promised} whole={monthly_budget} />}
            {daily_budget !== null && (
              <span className="block pt-1 whitespace-normal text-13 text-quiet">
                {t("budget_today", { given: usd(promised_today), budget: usd(daily_budget) })}
              </span>
            )}
          </span>
        ),
      },
      {
        id: "coupons",
        header: t("used"),
        align: "end",
        cell: ({ used, coupons }) => `${count(used)} / ${count(coupons)}`,
      },
      {
        id: "ends",
        header: t("ends_at"),
        cell: ({ ends_at }) => (ends_at ? <ShortTime at={ends_at} /> : t("open_end")),
      },
      {
        id: "actions",
        header: t("actions"),
        main: true,
        cell: (campaign) => (
          <span className="flex flex-wrap gap-x-3 min-[900px]:min-w-32">
            {kindsFor(campaign, mayMarkFree).map((kind) => (
              <button
                key={kind}
                type="button"
                className="text-link min-h-11 cursor-pointer min-[900px]:min-h-9"
                onClick={() => setChoice({ kind, campaign })}
              >
                {t(actionName(kind, campaign))}
              </button>
            ))}
          </span>
        ),
      },
    ];
  }, [t, locale, worth, mayMarkFree]);

  return (
    <>
      <ConsoleHeader title={t("title")} lead={t("lead")}>
        <Button look="primary" onClick={() => setCreates(true)}>
          {t("new")}
        </Button>
      </ConsoleHeader>
      <DataTable
        name="campaigns"
        label={t("title")}
        columns={columns}
        rows={campaigns}
        rowId={({ campaign }) => campaign}
        rowName={({ title }) => title}
        empty={t("empty")}
      />
      <div className="pt-8">
        <RecordSection title={t("coupon")}>
          <CouponLookup typed={typed} coupon={coupon} />
        </RecordSection>
      </div>
      {choice && <ChangeDialog choice={choice} onClose={() => setChoice(undefined)} />}
      <NewCampaign open={creates} mayMarkFree={mayMarkFree} onClose={() => setCreates(false)} />
    </>
  );
}

/** How much of a budget is committed, as a bar below the figures. */
function Share({ part, whole }: { part: number; whole: number }) {
  const width = whole > 0 ? Math.min(100, (part / whole) * 100) : 100;
  return (
    <span aria-hidden="true" className="mt-1 block h-1 rounded-full bg-sunk">
      <span className="block h-1 rounded-full bg-ink" style={{ width: `${width}%` }} />
    </span>
  );
}

/** The switch previews its effects immediately; budget and minimum need an amount first. */
function ChangeDialog({ choice: { kind, campaign }, onClose }: { choice: Choice; onClose: () => void }) {
  const t = useTranslations("console.campaigns");
  const budget = kind === "daily" ? campaign.daily_budget : campaign.monthly_budget;
  const [capped, setCapped] = useState(budget !== null);
  const { version } = campaign;
  const name = { name: campaign.title };
  const amountOf = (values: FormData) => parseTypedAmount(String(values.get("amount")));
  const shared = {
    open: true,
    done: t("saved"),
    path: `/admin/campaigns/${campaign.campaign}`,
    onClose,
  };
  const field = (label: string, value: number | null, hint?: string) => (
    <NumberInput name="amount" label={label} hint={hint} required defaultValue={value ?? ""} />
  );
  if (kind === "switch") {
    const action = campaign.enabled ? "switch_off" : "switch_on";
    return (
      <ActionDialog
        {...shared}
        title={t(`${action}_title`, name)}
        confirm={t(action)}
        danger={campaign.enabled}
        body={() => ({ version, enabled: !campaign.enabled })}
      />
    );
  }
  if (kind === "free") {
    const action = campaign.free ? "mark_paid" : "mark_free";
    return (
      <ActionDialog
        {...shared}
        title={t(`${action}_title`, name)}
        confirm={t(action)}
        danger={!campaign.free}
        body={() => ({ version, free: !campaign.free })}
        fields={<p className="text-quiet">{t("free_hint")}</p>}
      />
    );
  }
  if (kind === "minimum")
    return (
      <ActionDialog
        {...shared}
        title={t("minimum_title", name)}
        confirm={t("save")}
        body={(values) => ({ version, minimum: amountOf(values) })}
        fields={field(t("minimum_usd"), campaign.minimum, t("minimum_hint"))}
      />
    );
  const daily = kind === "daily";
  return (
    <ActionDialog
      {...shared}
      title={t(`${kind}_title`, name)}
      confirm={t("save")}
      body={(values) => ({
        version,
        [daily ? "daily_budget" : "monthly_budget"]: values.has("amount") ? amountOf(values) : null,
      })}
      fields={
        <>
          {capped && field(t(`${kind}_usd`), budget, t(`${kind}_hint`))}
          <Checkbox
            name="no_cap"
            label={t("without_cap")}
            hint={daily ? undefined : t("without_cap_hint")}
            checked={!capped}
            onChange={(event) => setCapped(!event.target.checked)}
          />
        </>
      }
    />
  );
}
