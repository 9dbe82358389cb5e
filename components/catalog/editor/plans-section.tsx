import { useTranslations } from "next-intl";
import { ConsoleLink } from "@/components/console/link";
import { RecordSection } from "@/components/console/record";
import { Button } from "@/components/ui/button";
import { Icon } from "@/components/ui/icon";
import { Select } from "@/components/ui/select";
import { TextArea, TextInput } from "@/components/ui/text-input";
import type { EditedPlan } from "@/lib/catalog/console/contract-editor";
import { type DraftDeal, type DraftPlan, newDraftPlan, toDraftPlan } from "@/lib/catalog/console/rules-draft";
import { planEffect } from "@/lib/catalog/console/rules-effect";
import type { PlanRecord, ProductRecord } from "@/lib/catalog/import/contract";
import { planKind } from "@/lib/catalog/import/rules-line";
import { AVAILABILITIES, defaultRedeemMargin, PASS_DAYS, PASS_TYPES } from "@/lib/catalog/rules";
import { byLocale, HTML_LANG, LOCALES } from "@/lib/platform/i18n/locales";
import { useAudience } from "./audience";
import { useFieldNames } from "./field-names";
import { GuideFields } from "./guide-fields";
import { EffectLine } from "./plan-effect";
import type { SectionProps } from "./section";

type Props = SectionProps & {
  /** the record of the draft */
  line: ProductRecord;
  /** the record as it is stored; null: the product is new */
  base: ProductRecord | null;
  stored: readonly EditedPlan[];
  /** plans that are no longer listed */
  earlier: readonly PlanRecord[];
};

/** The plans as rows, each with what its prices will show; and those that are no longer sold. */
export function PlansSection({ draft, change, problemAt, line, base, stored, earlier }: Props) {
  const t = useTranslations("console.editor");
  const { planName } = useFieldNames();
  const setPlans = (plans: DraftPlan[]) => change({ plans });
  const nextKey = () => `new-${Date.now()}`;
  const kinds = line.plans.map(planKind);
  const removed = [...(base?.plans ?? []), ...earlier].filter((plan) => !kinds.includes(planKind(plan)));
  return (
    <RecordSection id="plans" title={t("section.plans")}>
      <ol className="flex flex-col gap-4">
        {draft.plans.map((plan, i) => (
          <li key={plan.key} className="rounded-control border border-hairline bg-raised p-4">
            <PlanRow
              plan={plan}
              index={i}
              line={line.plans[i]}
              base={base?.plans.find((other) => planKind(other) === kinds[i])}
              stored={stored.find(({ plan: kind }) => kind === kinds[i])}
              problemAt={problemAt}
              onChange={(fields) =>
                setPlans(
                  draft.plans.map((other) => (other.key === plan.key ? { ...other, ...fields } : other)),
                )
              }
              onRemove={() => setPlans(draft.plans.filter(({ key }) => key !== plan.key))}
              onUp={i > 0 ? () => setPlans(draft.plans.toSpliced(i, 1).toSpliced(i - 1, 0, plan)) : undefined}
            />
          </li>
        ))}
      </ol>
      {problemAt("plans") && <p className="pt-3 text-13 text-bad">{problemAt("plans")}</p>}
      <div className="flex flex-wrap gap-2 pt-4">
        <Button onClick={() => setPlans([...draft.plans, newDraftPlan(nextKey())])}>
          <Icon name="plus" size={18} />
          {t("add_plan")}
        </Button>
        {removed.map((plan) => (
          <Button
            key={planKind(plan)}
            look="quiet"
            onClick={() => setPlans([...draft.plans, toDraftPlan(plan, nextKey())])}
          >
            {t("sell_again", { name: planName(planKind(plan)) })}
          </Button>
        ))}
      </div>
      {removed.length > 0 && <p className="pt-2 text-13 text-quiet">{t("hint.removed_plans")}</p>}
    </RecordSection>
  );
}

type RowProps = Pick<SectionProps, "problemAt"> & {
  plan: DraftPlan;
  index: number;
  line: PlanRecord | undefined;
  base: PlanRecord | undefined;
  stored: EditedPlan | undefined;
  onChange: (fields: Partial<DraftPlan>) => void;
  onRemove: () => void;
  onUp: (() => void) | undefined;
};

type TextField =
  | "days"
  | "price"
  | "list_price"
  | "purchase_limit"
  | "redeem_margin_days"
  | "region"
  | "releases_on";

function PlanRow({ plan, index, line, base, stored, problemAt, onChange, onRemove, onUp }: RowProps) {
  const t = useTranslations("console.editor");
  const { planName } = useFieldNames();
  const path = `plans.${index}`;
  const effect = line ? planEffect(line, base, stored) : null;
  const prices = (one: PlanRecord | undefined) => JSON.stringify([one?.price, one?.list_price, one?.deal]);
  const name = line ? planName(planKind(line)) : "";
  const text = (field: TextField, problemPath: string = field) => ({
    value: plan[field],
    error: problemAt(`${path}.${problemPath}`),
    autoComplete: "off",
    onChange: ({ target }: { target: { value: string } }) => onChange({ [field]: target.value }),
  });
  return (
    <fieldset className="flex min-w-0 flex-col gap-4" aria-label={name}>
      <div className="flex flex-wrap items-center justify-between gap-2">
        <p className="font-semibold">
          {name}
          {stored && <Codes stored={stored} />}
        </p>
        <div className="flex gap-1">
          {onUp && (
            <Button look="quiet" onClick={onUp} aria-label={t("move_up", { name })}>
              <Icon name="down" size={18} className="rotate-180" />
            </Button>
          )}
          <Button look="quiet" onClick={onRemove} aria-label={t("remove_plan", { name })}>
            <Icon name="trash" size={18} />
          </Button>
        </div>
      </div>
      {problemAt(path) && <p className="text-13 text-bad">{problemAt(path)}</p>}
      <div className="grid grid-cols-2 items-start gap-x-4 gap-y-3 sm:grid-cols-4">
        <Select
          label={t("field.type")}
          value={plan.type}
          options={PASS_TYPES.map((type) => ({ value: type, label: t(`type.${type}`) }))}
          onChange={(event) => {
            const type = PASS_TYPES.find((candidate) => candidate === event.target.value) ?? plan.type;
            onChange({ type, days: String(PASS_DAYS[type] ?? "") });
          }}
        />
        {plan.type !== "lifetime" && (
          <TextInput
            label={t("field.duration_days")}
            inputMode="numeric"
            {...text("days", "duration_days")}
          />
        )}
        <TextInput label={t("field.price")} inputMode="decimal" {...text("price")} />
        <TextInput label={t("field.list_price")} inputMode="decimal" {...text("list_price")} />
        <Select
          label={t("field.availability")}
          value={plan.availability}
          error={problemAt(`${path}.availability`)}
          options={AVAILABILITIES.map((value) => ({ value, label: t(`availability.${value}`) }))}
          onChange={(event) =>
            onChange({
              availability:
                AVAILABILITIES.find((candidate) => candidate === event.target.value) ?? plan.availability,
            })
          }
        />
        {plan.availability === "pre_order" && (
          <TextInput
            label={t("field.releases_on")}
            type="datetime-local"
            {...text("releases_on")}
            hint="UTC"
          />
        )}
        <TextInput label={t("field.purchase_limit")} inputMode="numeric" {...text("purchase_limit")} />
        <TextInput
          label={t("field.redeem_margin_days")}
          inputMode="numeric"
          placeholder={String(
            defaultRedeemMargin({ type: plan.type, days: line?.duration_days ?? PASS_DAYS[plan.type] }),
          )}
          {...text("redeem_margin_days")}
        />
        <TextInput label={t("field.region")} placeholder={t("worldwide")} {...text("region")} />
      </div>
      <DealFields plan={plan} path={path} problemAt={problemAt} onChange={onChange} />
      {effect && <EffectLine effect={effect} changed={prices(line) !== prices(base)} />}
      <PlanExtras plan={plan} path={path} problemAt={problemAt} onChange={onChange} />
    </fieldset>
  );
}

function Codes({ stored }: { stored: EditedPlan }) {
  const t = useTranslations("console.editor");
  const text = t("codes", { count: stored.stock, more: stored.stock_exact ? "no" : "yes" });
  if (useAudience() === "merchant")
    return <span className="pl-3 text-13 font-normal text-quiet">{text}</span>;
  return (
    <span className="inline-flex flex-wrap gap-x-3 pl-3 text-13 font-normal">
      <ConsoleLink href={`/console/keys?vip_id=${stored.vip_id}`} className="text-link">
        {text}
      </ConsoleLink>
      <ConsoleLink href="/console/imports?kind=keys" className="text-link">
        {t("add_codes")}
      </ConsoleLink>
    </span>
  );
}

type PartProps = Pick<RowProps, "plan" | "problemAt" | "onChange"> & { path: string };

function DealFields({ plan: { deal }, path, problemAt, onChange }: PartProps) {
  const t = useTranslations("console.editor");
  if (!deal)
    return (
      <div>
        <Button look="quiet" onClick={() => onChange({ deal: { price: "", ends_at: "", quantity: "" } })}>
          <Icon name="plus" size={18} />
          {t("add_deal")}
        </Button>
      </div>
    );
  const control = (field: keyof DraftDeal) => ({
    value: deal[field],
    error: problemAt(`${path}.deal.${field}`),
    autoComplete: "off",
    onChange: ({ target }: { target: { value: string } }) =>
      onChange({ deal: { ...deal, [field]: target.value } }),
  });
  return (
    <fieldset className="rounded-control border border-hairline p-3">
      <legend className="px-1 font-medium">{t("field.deal")}</legend>
      <div className="grid grid-cols-2 items-start gap-x-4 gap-y-3 sm:grid-cols-4">
        <TextInput label={t("deal_price")} inputMode="decimal" {...control("price")} />
        <TextInput label={t("field.quantity")} inputMode="numeric" {...control("quantity")} />
        <TextInput label={t("field.ends_at")} type="datetime-local" hint="UTC" {...control("ends_at")} />
        <Button look="quiet" className="self-center" onClick={() => onChange({ deal: null })}>
          {t("end_deal")}
        </Button>
      </div>
    </fieldset>
  );
}

function PlanExtras({ plan, path, problemAt, onChange }: PartProps) {
  const t = useTranslations("console.editor");
  const hasExtras = plan.activation !== null || Object.values(plan.includes).some((text) => text !== "");
  return (
    <details open={hasExtras || undefined}>
      <summary className="inline-flex min-h-11 cursor-pointer items-center gap-2 font-medium">
        <Icon name="down" size={18} />
        {t("plan_extras")}
      </summary>
      <div className="flex flex-col gap-4 pt-2">
        <div className="grid gap-x-5 gap-y-4 min-[1100px]:grid-cols-3">
          {LOCALES.map((locale) => (
            <TextArea
              key={locale}
              lang={HTML_LANG[locale]}
              label={`${t("plan_includes")} · ${t(`language.${locale}`)}`}
              rows={2}
              value={plan.includes[locale]}
              error={problemAt(`${path}.includes.${locale}`)}
              onChange={(event) => onChange({ includes: { ...plan.includes, [locale]: event.target.value } })}
            />
          ))}
        </div>
        {plan.activation ? (
          <>
            <GuideFields
              guide={plan.activation}
              path={`${path}.activation`}
              problemAt={problemAt}
              onChange={(activation) => onChange({ activation })}
            />
            <div>
              <Button look="quiet" onClick={() => onChange({ activation: null })}>
                {t("same_activation")}
              </Button>
            </div>
          </>
        ) : (
          <div>
            <Button
              look="quiet"
              onClick={() => onChange({ activation: { url: "", steps: byLocale(() => "") } })}
            >
              {t("own_activation")}
            </Button>
          </div>
        )}
      </div>
    </details>
  );
}
