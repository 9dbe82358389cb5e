"use client";

import { useLocale, useTranslations } from "next-intl";
import { useEffect, useId, useRef, useState } from "react";
import { countryOptions } from "@/components/accounts/billing/country-options";
import { Checkbox } from "@/components/ui/checkbox";
import { Dated } from "@/components/ui/dated";
import { FieldError } from "@/components/ui/field";
import { Notice } from "@/components/ui/notice";
import { type Option, Select } from "@/components/ui/select";
import { showToast } from "@/components/ui/toast";
import type { OrderDetail } from "@/lib/orders/contract";
import { isPayable, mustChooseDelivery } from "@/lib/orders/rules";
import { api } from "@/lib/platform/api/client";

/** How the codes are delivered: by email immediately, or to the Library, unopened. A gift's codes stay unrevealed. */
export function CheckoutDelivery({
  delivery,
  given,
  immediateOnly,
  free,
  taxed,
}: {
  delivery: DeliveryChoice;
  /** The shop sells to the buyer with immediate delivery only. */
  immediateOnly: boolean;
  /** The order is a gift, whose codes stay unrevealed. */
  given: boolean;
  /** The order costs nothing, so that no country gives a right to return it. */
  free: boolean;
  /** The price includes the tax of the buyer's country. */
  taxed: boolean;
}) {
  return (
    <div className="flex flex-col">
      {!free && (
        <div className="max-w-80 pb-4">
          <Country
            country={delivery.country}
            asked={delivery.withdrawal}
            taxed={taxed}
            onChoose={delivery.chooseCountry}
          />
        </div>
      )}
      {!given && <DeliveryWays delivery={delivery} immediateOnly={immediateOnly} />}
    </div>
  );
}

const WAYS = ["email", "library"] as const;
type DeliveryWay = (typeof WAYS)[number];

/** Two equal choices with their consequences. Where the law asks for a consent, none is preselected. */
function DeliveryWays({ delivery, immediateOnly }: { delivery: DeliveryChoice; immediateOnly: boolean }) {
  const t = useTranslations("orders.checkout.delivery");
  const errorId = useId();
  const hints = delivery.withdrawal
    ? ({ email: "email_hint", library: "library_hint" } as const)
    : ({ email: "email_hint_plain", library: "library_hint_plain" } as const);
  return (
    <fieldset
      aria-describedby={delivery.missing ? errorId : undefined}
      className="flex min-w-0 flex-col gap-2"
    >
      <legend className="pb-2 font-medium">{t("legend")}</legend>
      {immediateOnly && <Notice kind="warn">{t("immediate_only")}</Notice>}
      <div className="grid gap-3 @min-[30rem]:grid-cols-2">
        {WAYS.filter((way) => way === "email" || !immediateOnly).map((way) => (
          <div
            key={way}
            className="rounded-control border border-control bg-raised px-4 py-1 has-checked:border-ink has-checked:ring-1 has-checked:ring-ink has-focus-visible:outline-2"
          >
            <Checkbox
              ref={way === "email" ? delivery.firstWay : undefined}
              type="radio"
              name="delivery"
              value={way}
              aria-invalid={delivery.missing || undefined}
              checked={delivery.way === way}
              onChange={() => delivery.choose(way)}
              label={<span className="font-medium">{t(way)}</span>}
              hint={<Dated>{t(hints[way])}</Dated>}
            />
          </div>
        ))}
      </div>
      <div role="alert">{delivery.missing && <FieldError id={errorId}>{t("missing")}</FieldError>}</div>
    </fieldset>
  );
}

/**
 * Asks once where the buyer lives, where the answer changes their rights (`asked`: the law asks for a consent, as far as is
 * known); a known country, or the one that the time zone suggests, can be corrected. Elsewhere the tax follows the card. The server
 * renders no names, because they differ between its and the browser's data.
 */
function Country({
  country,
  asked,
  taxed,
  onChoose,
}: {
  country: string | null;
  asked: boolean;
  taxed: boolean;
  onChoose: (country: string) => void;
}) {
  const t = useTranslations("orders.checkout.country");
  const locale = useLocale();
  const [countries, setCountries] = useState<Option[]>([]);
  const [asking, setAsking] = useState(country === null && asked);
  useEffect(() => setCountries(countryOptions(locale)), [locale]);
  const known = countries.find(({ value }) => value === country)?.label;
  if (!asking)
    return (
      <p className="min-h-11 text-13 text-quiet">
        {country === null ? t("elsewhere") : known && t("known", { country: known })}{" "}
        <button type="button" className="text-link" onClick={() => setAsking(true)}>
          {t("change")}
        </button>
      </p>
    );
  return (
    <Select
      label={t("label")}
      hint={t(taxed ? "hint_tax" : "hint")}
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

/** What the buyer has chosen before: on this page, or by a call. The default of a call is not a choice. */
function chosenWay(order: OrderDetail): DeliveryWay | null {
  if (order.gift) return null; // Its codes stay unrevealed because it is a gift.
  const lines = order.order_products;
  if (lines.some((line) => line.keep_in_library || line.immediate_delivery === false)) return "library";
  return lines.every((line) => line.consent_source === "ticked") ? "email" : null;
}

/**
 * The delivery choices of the order. Immediate delivery by email is preselected, except where the law asks for a consent to it.
 * Each change is saved immediately, and the payment saves what this page shows once more, because another tab may show
 * something else. `reload` reloads the order, because a refused change may mean that another tab has paid it.
 */
export function useDeliveryChoice(order: OrderDetail, reload: () => Promise<OrderDetail | null>) {
  const networkMessage = useTranslations("errors")("network");
  const [chosen, setChosen] = useState(() => chosenWay(order));
  const [withdrawal, setWithdrawal] = useState(() => mustChooseDelivery(order));
  const [country, setCountry] = useState(order.country);
  const [missing, setMissing] = useState(false);
  const firstWay = useRef<HTMLInputElement>(null);
  const saving = useRef<Promise<boolean>>(Promise.resolve(true));
  const way = chosen ?? (withdrawal ? null : "email");
  // A save that is under way may change what the page shows before the payment asks for it.
  const shown = useRef(way);
  shown.current = way;

  async function save(previousSave: Promise<boolean>, choice: Choice, undo?: () => void): Promise<boolean> {
    await previousSave;
    const body = { order_id: order.order_id, ...choice };
    const result = await api.post("/order/update-delivery", body, { networkMessage });
    if (result.ok) {
      const { withdrawal_applies, immediate_delivery } = result.data;
      const needed = mustChooseDelivery({ ...order, withdrawal_applies });
      setWithdrawal(needed);
      // A consent in the words of a country without the right does not count in one with it.
      if (choice.country && needed && immediate_delivery === null) {
        setChosen(null);
        shown.current = null;
      }
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

  const toChoice = (way: DeliveryWay): Choice => ({
    immediate_delivery: way === "email",
    ...(way === "email" && { keep_in_library: false }),
  });

  /** Whether a choice is made; if not, says so and scrolls to it. `given`: the order is a gift, which needs none. */
  function check(given: boolean): boolean {
    if (given || shown.current) return true;
    setMissing(true);
    firstWay.current?.focus();
    firstWay.current?.scrollIntoView({ block: "center" });
    return false;
  }

  return {
    /** what the page shows as chosen; null: nothing yet */
    way,
    /** the law asks for a consent, which is named beside the choices */
    withdrawal,
    /** a payment was tried without a choice */
    missing,
    firstWay,
    country,
    chooseCountry(chosen: string) {
      setCountry(chosen);
      saving.current = save(saving.current, { country: chosen }, () => setCountry(country));
    },
    choose(way: DeliveryWay) {
      setChosen(way);
      setMissing(false);
      saving.current = save(saving.current, toChoice(way), () => setChosen(chosen));
    },
    check,
    /**
     * Saves what the page shows. Returns false when it cannot be saved: then nothing is paid. `given`: the order is a
     * gift, whose codes stay unrevealed.
     */
    async settle(given: boolean): Promise<boolean> {
      await saving.current;
      if (given) return true;
      if (!check(false) || !shown.current) return false;
      saving.current = save(saving.current, toChoice(shown.current));
      return saving.current;
    },
  };
}
