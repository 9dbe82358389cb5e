"use client";

import { useTranslations } from "next-intl";
import { useState } from "react";
import { columnsOf } from "@/components/console/list/columns";
import { ListScreen, NO_FIELDS, wholeList } from "@/components/console/list/list-screen";
import type { RowAction } from "@/components/console/list/row-actions";
import { NumberInput } from "@/components/console/number-input";
import type { Tone } from "@/components/console/pill";
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

const ACTIONS = [
  { kind: "switch", name: "switch_off" },
  { kind: "switch", name: "switch_on" },
  { kind: "budget", name: "set_budget" },
  { kind: "daily", name: "set_daily" },
  { kind: "minimum", name: "set_minimum" },
  { kind: "free", name: "mark_paid" },
  { kind: "free", name: "mark_free" },
] as const;
const column = columnsOf<ConsoleCampaign>();

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
  const [creates, setCreates] = useState(false);

  const usd = (amount: number) => formatPrice(toCents(amount), locale);
  const count = (value: number) => (value >= COUNTED_COUPONS ? `${COUNTED_COUPONS}+` : String(value));
  const budgetOf = ({ promised, monthly_budget: budget }: ConsoleCampaign) =>
    `${usd(promised)} / ${budget === null ? t("no_cap") : usd(budget)}`;

  return (
    <>
      <ListScreen
        path="/console/campaigns"
        list={wholeList(campaigns)}
        values={{}}
        fields={NO_FIELDS}
        title={t("title")}
        lead={t("lead")}
        empty={t("empty")}
        rowId={({ campaign }) => campaign}
        rowName={({ title }) => title}
        tools={
          <Button look="primary" onClick={() => setCreates(true)}>
            {t("new")}
          </Button>
        }
        columns={[
          column.text("title", t("campaign"), ({ title }) => title, { main: true }),
          column.text("id", t("campaign_id"), ({ campaign }) => campaign, { panel: true }),
          column.text("code", t("public_code"), ({ coupon_code }) => coupon_code, {
            width: 110,
            minor: true,
          }),
          column.state("state", t("state_name"), ({ state, free }) => [
            { text: t(`state.${state}`), tone: TONES[state] },
            free && { text: t("free") },
          ]),
          column.text("worth", t("worth"), worth, { width: 150, end: true, card: "end" }),
          column.money("minimum", t("minimum"), ({ minimum }) => minimum || null, { width: 88 }),
          column.cell(
            "budget",
            t("budget"),
            (campaign) => (
              <span className="relative block">
                {budgetOf(campaign)}
                {campaign.monthly_budget !== null && (
                  <Share part={campaign.promised} whole={campaign.monthly_budget} />
                )}
              </span>
            ),
            { width: 160, end: true, card: "sub" },
          ),
          column.text(
            "today",
            t("today"),
            ({ promised_today, daily_budget }) =>
              daily_budget === null
                ? null
                : t("budget_today", { given: usd(promised_today), budget: usd(daily_budget) }),
            { panel: true },
          ),
          column.text("coupons", t("used"), ({ used, coupons }) => `${count(used)} / ${count(coupons)}`, {
            width: 104,
            end: true,
          }),
          column.cell(
            "ends",
            t("ends_at"),
            ({ ends_at }) => (ends_at ? <ShortTime at={ends_at} /> : t("open_end")),
            { width: 138, minor: true },
          ),
        ]}
        actions={ACTIONS.map(
          ({ kind, name }): RowAction<ConsoleCampaign> => ({
            id: name,
            label: t(name),
            when: (campaign) =>
              kindsFor(campaign, mayMarkFree).includes(kind) && actionName(kind, campaign) === name,
            dialog: (campaign, onClose) => <ChangeDialog choice={{ kind, campaign }} onClose={onClose} />,
          }),
        )}
      />
      <div className="pt-8">
        <RecordSection title={t("coupon")}>
          <CouponLookup typed={typed} coupon={coupon} />
        </RecordSection>
      </div>
      <NewCampaign open={creates} mayMarkFree={mayMarkFree} onClose={() => setCreates(false)} />
    </>
  );
}

/** How much of a budget is committed, as a bar under the figures. */
function Share({ part, whole }: { part: number; whole: number }) {
  const width = whole > 0 ? Math.min(100, (part / whole) * 100) : 100;
  return (
    <span aria-hidden="true" className="absolute inset-x-0 -bottom-0.5 block h-0.5 bg-hairline">
      <span className="block h-0.5 bg-ink" style={{ width: `${width}%` }} />
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
