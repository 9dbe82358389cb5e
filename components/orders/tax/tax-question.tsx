"use client";

import { useRouter } from "next/navigation";
import { useLocale, useTranslations } from "next-intl";
import { useEffect, useState } from "react";
import { countryNames } from "@/components/catalog/product/country-names";
import { Button } from "@/components/ui/button";
import { Checkbox } from "@/components/ui/checkbox";
import { FieldError } from "@/components/ui/field";
import { Link } from "@/components/ui/link";
import { Notice } from "@/components/ui/notice";
import { showToast } from "@/components/ui/toast";
import { useCall } from "@/components/ui/use-call";
import { api } from "@/lib/platform/api/client";

/** Asks the buyer of a paid order where they live, of the countries that checkout and payment named. */
export function TaxQuestion({
  orderId,
  orderNumber,
  countries,
}: {
  orderId: string;
  orderNumber: string;
  countries: readonly string[];
}) {
  const t = useTranslations("orders.tax.question");
  const locale = useLocale();
  const router = useRouter();
  const { pending, problem, setProblem, run } = useCall(useTranslations("errors")("network"));
  const [chosen, setChosen] = useState<string | null>(null);
  // Server and browsers may name countries differently.
  const [names, setNames] = useState<Record<string, string>>({});
  useEffect(
    () => setNames(Object.fromEntries(countries.map((code) => [code, countryNames([code], locale)]))),
    [countries, locale],
  );

  async function save() {
    if (chosen === null) return setProblem(t("missing"));
    const body = { order_id: orderId, country: chosen };
    const result = await run((options) => api.post("/order/tax/answer", body, options));
    if (!result.ok) return;
    showToast(t("saved", { country: names[chosen] ?? chosen }), "good");
    router.refresh();
  }

  return (
    <Notice kind="warn">
      <fieldset className="flex flex-col gap-1">
        <legend className="font-semibold">{t("title")}</legend>
        <p className="text-quiet">{t("text")}</p>
        <div className="flex flex-wrap gap-x-8">
          {countries.map((code) => (
            <Checkbox
              key={code}
              type="radio"
              name="tax-country"
              value={code}
              checked={chosen === code}
              onChange={() => {
                setProblem("");
                setChosen(code);
              }}
              label={names[code] ?? code}
            />
          ))}
        </div>
        <div role="alert">{problem && <FieldError>{problem}</FieldError>}</div>
        <div className="flex flex-wrap items-center gap-x-4 gap-y-2 pt-1">
          <Button pending={pending} onClick={() => void save()}>
            {t("save")}
          </Button>
          <Link href={`/messages?order=${orderNumber}`} className="text-link text-13">
            {t("neither")}
          </Link>
        </div>
      </fieldset>
    </Notice>
  );
}
