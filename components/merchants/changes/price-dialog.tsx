import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { type FormEvent, useState } from "react";
import { useShownText } from "@/components/catalog/editor/plan-effect";
import { FormDialog } from "@/components/console/form-dialog";
import { NumberInput } from "@/components/console/number-input";
import { Notice } from "@/components/ui/notice";
import { useReauthentication } from "@/components/ui/reauthentication";
import { useSurface } from "@/components/ui/surface";
import { showToast } from "@/components/ui/toast";
import { useCall } from "@/components/ui/use-call";
import type { EditedPlan } from "@/lib/catalog/console/contract-editor";
import { toNumber } from "@/lib/catalog/console/rules-draft";
import type { ChangeSaved, MerchantProduct } from "@/lib/merchants/changes/contract";
import { shareSale } from "@/lib/orders/sales/rules";
import { api } from "@/lib/platform/api/client";
import { formatPrice, toCents } from "@/lib/platform/money";

type Props = {
  plan: EditedPlan;
  /** its price without a deal */
  regular: number;
  /** the shop's commission; undefined if no rule is known */
  commission: MerchantProduct["commission"][number] | undefined;
  name: string;
  onClose: () => void;
};

/** Changes the price of a pass, after a preview of what buyers would see. */
export function PriceDialog({ plan, regular, commission, name, onClose }: Props) {
  const t = useTranslations("console.merchant_changes");
  const router = useRouter();
  const withReauthentication = useReauthentication();
  const shownText = useShownText();
  const { pending, problem, setProblem, run } = useCall(useTranslations("errors")("network"));
  const [price, setPrice] = useState(regular.toFixed(2));
  const [effect, setEffect] = useState<ChangeSaved>();
  const { locale } = useSurface();
  const cents = Math.round(toNumber(price) * 100);
  const share =
    commission &&
    cents > 0 &&
    shareSale(
      { units: 1, grossCents: cents, discountCents: 0, fundedBy: "shop" },
      { bps: Math.round(commission.percent * 100), fixedCents: toCents(commission.fixed) },
    );

  async function send(preview: boolean): Promise<ChangeSaved | null> {
    const path = `/merchant/plans/${plan.vip_id}/price`;
    const body = { price: toNumber(price), preview };
    const result = await run((options) =>
      withReauthentication(() => api.post<ChangeSaved>(path, body, options)),
    );
    if (result.ok) return result.data;
    setEffect(undefined);
    if (result.errors[0]) setProblem(result.errors[0].message);
    return null;
  }

  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault();
    if (pending) return;
    if (!effect) {
      const shown = await send(true);
      if (shown) setEffect(shown);
      return;
    }
    const saved = await send(false);
    if (!saved) return;
    showToast(t(saved.state === "approved" ? "price_live" : "price_proposed"), "good");
    onClose();
    router.refresh();
  }

  const shown = effect?.prices.find((one) => one.plan === plan.plan);
  const next =
    effect && (effect.automatic ? "next_live" : effect.needs_approval ? "next_price" : "next_waits");
  const confirm = effect?.automatic ? t("set_price") : t("propose_price");
  return (
    <FormDialog
      title={t("price_title", { plan: name })}
      submit={effect ? confirm : t("see_effect")}
      pending={pending}
      problem={problem}
      onSubmit={submit}
      onClose={onClose}
    >
      <p className="figures text-quiet">
        {t("old_price")}: {formatPrice(toCents(regular), locale)}
      </p>
      <NumberInput
        label={t("new_price")}
        required
        value={price}
        onChange={(event) => {
          setPrice(event.target.value);
          setEffect(undefined);
        }}
      />
      {share && (
        <p className="figures">
          {t("you_get", {
            net: formatPrice(share.netCents, locale),
            price: formatPrice(cents, locale),
            commission: formatPrice(share.commissionCents, locale),
          })}
        </p>
      )}
      {shown && (
        <p className="figures" role="status">
          {t("buyers_will_see")} {shownText(shown)}
        </p>
      )}
      {next && <Notice kind="info">{t(next)}</Notice>}
    </FormDialog>
  );
}
