"use client";

import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { useFieldNames } from "@/components/catalog/editor/field-names";
import { useShownText } from "@/components/catalog/editor/plan-effect";
import { ConsoleLink } from "@/components/console/link";
import { Pill } from "@/components/console/pill";
import { RecordSection, RecordTable } from "@/components/console/record";
import { RecordBar } from "@/components/console/record-page";
import { ShortTime } from "@/components/console/time";
import { CHANGE_TONES } from "@/components/merchants/changes/tones";
import { Button } from "@/components/ui/button";
import { Link } from "@/components/ui/link";
import { ErrorNotice, Notice } from "@/components/ui/notice";
import { useReauthentication } from "@/components/ui/reauthentication";
import { useSurface } from "@/components/ui/surface";
import { showToast } from "@/components/ui/toast";
import { useCall } from "@/components/ui/use-call";
import type { EditedPlan } from "@/lib/catalog/console/contract-editor";
import type { ProductRecord } from "@/lib/catalog/import/contract";
import { planKind } from "@/lib/catalog/import/rules-line";
import type { MerchantChange, MerchantProduct } from "@/lib/merchants/changes/contract";
import { api } from "@/lib/platform/api/client";
import { formatMoment } from "@/lib/platform/format";
import { formatPrice, toCents } from "@/lib/platform/money";
import { PriceDialog } from "./price-dialog";
import { PRODUCT_TONES } from "./product-list";

type Props = {
  home: string;
  product: Pick<MerchantProduct, "product_id" | "state" | "plans" | "shop_change" | "commission"> & {
    line: ProductRecord;
  };
  /** the newest changes of the product */
  changes: readonly MerchantChange[];
  mayWrite: boolean;
};

/** One of the merchant's products: what is sold of it, what waits, and what was changed. */
export function MerchantProductPage({ home, product, changes, mayWrite }: Props) {
  const t = useTranslations("console.merchant_changes");
  const editor = useTranslations("console.editor");
  const { locale } = useSurface();
  const router = useRouter();
  const withReauthentication = useReauthentication();
  const { planName } = useFieldNames();
  const shownText = useShownText();
  const { pending, problem, run } = useCall(useTranslations("errors")("network"));
  const [priced, setPriced] = useState<EditedPlan>();
  const { line, state, plans, product_id, shop_change } = product;
  const lineOf = ({ plan }: EditedPlan) => line.plans.find((one) => planKind(one) === plan);
  const saleOf = (plan: EditedPlan) => lineOf(plan)?.availability;

  async function setPaused({ vip_id }: EditedPlan, paused: boolean): Promise<void> {
    const path = `/merchant/plans/${vip_id}/${paused ? "pause" : "resume"}`;
    const result = await run((options) => withReauthentication(() => api.post(path, {}, options)));
    if (!result.ok) return;
    showToast(t(paused ? "paused" : "resumed"), "good");
    router.refresh();
  }

  const lowest = Math.min(...plans.map(({ shown }) => shown.price));
  const sales = plans.map(saleOf);
  async function setAllPaused(paused: boolean): Promise<void> {
    const path = `/merchant/products/${product_id}/${paused ? "pause" : "resume"}`;
    const result = await run((options) => withReauthentication(() => api.post(path, {}, options)));
    if (!result.ok) return;
    showToast(t(paused ? "paused_all" : "resumed"), "good");
    router.refresh();
  }

  return (
    <>
      <RecordBar
        title={line.texts[locale]?.name ?? line.texts.en.name}
        states={<Pill tone={PRODUCT_TONES[state]}>{t(`product_states.${state}`)}</Pill>}
        sum={lowest === Infinity ? undefined : t("from", { amount: formatPrice(toCents(lowest), locale) })}
      >
        {state === "sold" && (
          <Link href={`/product/${line.slug}`} className="button button-secondary">
            {t("open_shop")}
          </Link>
        )}
        {mayWrite && sales.some((sale) => sale !== "paused") && (
          <Button pending={pending} onClick={() => void setAllPaused(true)}>
            {t("pause_all")}
          </Button>
        )}
        {mayWrite && sales.length > 0 && sales.every((sale) => sale === "paused") && (
          <Button pending={pending} onClick={() => void setAllPaused(false)}>
            {t("resume_all")}
          </Button>
        )}
        {mayWrite && (
          <ConsoleLink href={`${home}/products/${product_id}/edit`} className="button button-primary">
            {t("propose")}
          </ConsoleLink>
        )}
      </RecordBar>
      {state === "blocked" && (
        <Notice kind="warn" className="mb-5">
          {t("blocked")}
        </Notice>
      )}
      {shop_change && (
        <Notice kind="info" className="mb-5">
          {t("shop_changed", { date: formatMoment(shop_change.at, locale) })}{" "}
          <ConsoleLink href={`${home}/changes/${shop_change.change_id}`} className="text-link">
            {t("see_change")}
          </ConsoleLink>
        </Notice>
      )}
      <ErrorNotice className="mb-4">{problem}</ErrorNotice>
      <RecordSection title={t("passes")}>
        <RecordTable
          label={t("passes")}
          rows={plans}
          rowId={({ plan }) => plan}
          empty={t("no_changes")}
          columns={[
            { name: t("pass"), cell: ({ plan }) => planName(plan) },
            { name: t("price"), cell: ({ shown }) => shownText(shown) },
            {
              name: t("sale"),
              cell: (plan) => {
                const sale = saleOf(plan) ?? "in_stock";
                return (
                  <Pill tone={sale === "paused" ? "warn" : "good"}>{editor(`availability.${sale}`)}</Pill>
                );
              },
            },
            {
              name: t("stock"),
              end: true,
              cell: ({ stock, stock_exact }) =>
                t("codes", { count: stock, more: stock_exact ? "no" : "yes" }),
            },
            ...(mayWrite
              ? [
                  {
                    name: t("actions"),
                    cell: (plan: EditedPlan) => (
                      <span className="flex flex-wrap gap-2">
                        <Button
                          pending={pending}
                          aria-label={`${t(saleOf(plan) === "paused" ? "resume" : "pause")}: ${planName(plan.plan)}`}
                          onClick={() => void setPaused(plan, saleOf(plan) !== "paused")}
                        >
                          {t(saleOf(plan) === "paused" ? "resume" : "pause")}
                        </Button>
                        <Button
                          aria-label={`${t("change_price")} ${planName(plan.plan)}`}
                          onClick={() => setPriced(plan)}
                        >
                          {t("change_price")}
                        </Button>
                      </span>
                    ),
                  },
                ]
              : []),
          ]}
        />
      </RecordSection>
      <RecordSection title={t("changes_of")}>
        <RecordTable
          label={t("changes_of")}
          rows={changes}
          rowId={({ change_id }) => change_id}
          empty={t("no_changes")}
          columns={[
            {
              name: t("kind"),
              cell: ({ change_id, kind }) => (
                <ConsoleLink href={`${home}/changes/${change_id}`} className="text-link">
                  {t(`kinds.${kind}`)}
                </ConsoleLink>
              ),
            },
            {
              name: t("state"),
              cell: ({ state: own }) => <Pill tone={CHANGE_TONES[own]}>{t(`states.${own}`)}</Pill>,
            },
            { name: t("created"), cell: ({ created_at }) => <ShortTime at={created_at} /> },
            { name: t("by"), cell: ({ by_shop, created_by }) => (by_shop ? t("by_shop") : created_by) },
            { name: t("note"), cell: ({ note }) => note ?? "–" },
          ]}
        />
      </RecordSection>
      <RecordSection title={t("history")}>
        {plans.map(({ plan, history }) => (
          <details key={plan}>
            <summary className="min-h-11 cursor-pointer py-2 font-medium">{planName(plan)}</summary>
            <ul className="figures pb-3">
              {history.toReversed().map(({ kind, at, price, deal_id }) => (
                <li key={`${at} ${kind} ${deal_id}`} className="flex flex-wrap gap-x-4">
                  <span>{formatMoment(at, locale)}</span>
                  <span className="text-quiet">{t(`price_kinds.${kind}`)}</span>
                  <span>{price === null ? "–" : formatPrice(toCents(price), locale)}</span>
                </li>
              ))}
            </ul>
          </details>
        ))}
      </RecordSection>
      {priced && (
        <PriceDialog
          plan={priced}
          regular={lineOf(priced)?.price ?? priced.shown.price}
          commission={product.commission.find(({ plan }) => plan === priced.plan)}
          name={planName(priced.plan)}
          onClose={() => setPriced(undefined)}
        />
      )}
    </>
  );
}
