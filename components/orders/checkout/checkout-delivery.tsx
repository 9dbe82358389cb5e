"use client";

import { useLocale, useTranslations } from "next-intl";
import { useEffect, useRef, useState } from "react";
import { countryOptions } from "@/components/accounts/billing/country-options";
import { Checkbox } from "@/components/ui/checkbox";
import { type Option, Select } from "@/components/ui/select";
import { showToast } from "@/components/ui/toast";
import type { OrderDetail } from "@/lib/orders/contract";
import { isPayable } from "@/lib/orders/rules";
import { api } from "@/lib/platform/api/client";

/** How the codes are delivered: the consent to immediate delivery, and by email or to the library only. */
export function CheckoutDelivery({
  order,
  delivery,
  given,
}: {
  order: OrderDetail;
  delivery: DeliveryChoice;
  /** The order is a gift, whose codes stay unseen. */
  given: boolean;
}) {
  const t = useTranslations("orders.checkout");
  const refundable = order.order_products.some((line) => line.refund.refundable);
  return (
    <div className="flex flex-col">
      <div className="max-w-80 pb-4">
        <Country country={delivery.country} onChoose={delivery.chooseCountry} />
      </div>
      {!given && (
        <Checkbox
          name="agree"
          label={t("agree")}
          hint={
            <>
              {t(delivery.withdrawal ? "agree_hint" : "agree_hint_plain")}
              <span className="mt-1 block">
                {t(delivery.withdrawal ? "agree_without" : "agree_without_plain")}
              </span>
            </>
          }
          checked={delivery.agreed}
          onChange={(event) => delivery.agree(event.target.checked)}
        />
      )}
      {!given && refundable && delivery.agreed && (
        <Checkbox
          name="keep"
          label={t("keep_codes")}
          hint={t("keep_codes_hint")}
          checked={delivery.keep}
          onChange={(event) => delivery.keepCodes(event.target.checked)}
        />
      )}
    </div>
  );
}

/**
 * Asks once where the buyer lives; a known country can be corrected. The server renders no names, because they differ between
 * its and the browser's data.
 */
function Country({ country, onChoose }: { country: string | null; onChoose: (country: string) => void }) {
  const t = useTranslations("orders.checkout.country");
  const locale = useLocale();
  const [countries, setCountries] = useState<Option[]>([]);
  const [asking, setAsking] = useState(country === null);
  useEffect(() => setCountries(countryOptions(locale)), [locale]);
  const known = countries.find(({ value }) => value === country)?.label;
  if (!asking)
    return (
      <p className="min-h-11 text-13 text-quiet">
        {known && t("known", { country: known })}{" "}
        <button type="button" className="text-link" onClick={() => setAsking(true)}>
          {t("change")}
        </button>
      </p>
    );
  return (
    <Select
      label={t("label")}
      hint={t("hint")}
      name="country"
      autoComplete="country"
      value={country ?? ""}
      onChange={(event) => event.target.value && onChoose(event.target.value)}
      options={country === null ? [{ value: "", label: t("choose") }, ...countries] : countries}
    />
  );
}

type Choice = { keep_in_library?: boolean; immediate_delivery?: boolean; country?: string };

type DeliveryChoice = ReturnType<typeof useDeliveryChoice>;

/**
 * The delivery choices of the order. The consent starts unticked, except when its buyer ticked it before on this page.
 * Each change is saved immediately, and the payment saves what this page shows once more, because another tab may show
 * something else. `reload` reloads the order, because a refused change may mean that another tab has paid it.
 */
export function useDeliveryChoice(order: OrderDetail, reload: () => Promise<OrderDetail | null>) {
  const networkMessage = useTranslations("errors")("network");
  const lines = order.order_products;
  const [agreed, setAgreed] = useState(lines.every((line) => line.consent_source === "ticked"));
  const [keep, setKeep] = useState(lines.some((line) => line.keep_in_library));
  const [withdrawal, setWithdrawal] = useState(order.withdrawal_applies);
  const [country, setCountry] = useState(order.country);
  const saving = useRef<Promise<boolean>>(Promise.resolve(true));

  async function save(previousSave: Promise<boolean>, choice: Choice, undo?: () => void): Promise<boolean> {
    await previousSave;
    const body = { order_id: order.order_id, ...choice };
    const result = await api.post("/order/update-delivery", body, { networkMessage });
    if (result.ok) {
      setWithdrawal(result.data.withdrawal_applies);
      // The refund lines say where the right of withdrawal applies.
      if (choice.country) await reload();
      return true;
    }
    if (result.code === "401") return false; // The page asks for the login, and keeps the choice.
    const current = await reload();
    if (current && !isPayable(current.status)) return false; // The page shows the new state of the order.
    undo?.();
    if (current?.status !== "processingPayment") showToast(result.message, "bad");
    return false;
  }

  return {
    agreed,
    keep,
    /** The texts about the right of withdrawal concern the buyer. */
    withdrawal,
    country,
    chooseCountry(chosen: string) {
      setCountry(chosen);
      saving.current = save(saving.current, { country: chosen }, () => setCountry(country));
    },
    agree(checked: boolean) {
      setAgreed(checked);
      saving.current = save(saving.current, { immediate_delivery: checked }, () => setAgreed(!checked));
    },
    keepCodes(checked: boolean) {
      setKeep(checked);
      saving.current = save(saving.current, { keep_in_library: checked }, () => setKeep(!checked));
    },
    /**
     * Saves what the page shows. Returns false when it cannot be saved: then nothing is paid. `given`: the order is a
     * gift, whose codes stay unseen.
     */
    settle(given: boolean): Promise<boolean> {
      const choice = { immediate_delivery: agreed && !given, keep_in_library: keep };
      saving.current = save(saving.current, choice);
      return saving.current;
    },
  };
}
