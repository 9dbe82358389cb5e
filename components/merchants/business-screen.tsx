import { useFormatter, useLocale, useTranslations } from "next-intl";
import { Page } from "@/components/ui/page";
import { BusinessForm } from "./business-form";

const REASONS = ["reach", "codes", "money"] as const;
const STEPS = ["apply", "join", "file", "product", "codes"] as const;
const TERMS = ["commission", "payday", "coupon", "answer"] as const;

/** The page for partner merchants: benefits, procedure, commission, payday and application form (docs/product.md#21-pages). */
export function BusinessScreen({ brand, commission }: { brand: string; commission: number }) {
  const t = useTranslations("merchants");
  const percent = useFormatter().number(commission / 100, { style: "percent", maximumFractionDigits: 2 });
  return (
    <Page title={t("title", { brand })} lead={t("lead")}>
      <div className="grid grid-cols-[minmax(0,1fr)_26rem] items-start gap-x-16 gap-y-10 max-lg:grid-cols-1">
        <div className="flex flex-col gap-10">
          <ul className="flex flex-col gap-6">
            {REASONS.map((reason) => (
              <li key={reason} className="border-t-2 border-ink pt-4">
                <h2 className="text-17">{t(`reason.${reason}`)}</h2>
                <p className="max-w-text pt-1 text-quiet">{t(`reason.${reason}_text`)}</p>
              </li>
            ))}
          </ul>
          <section aria-labelledby="how">
            <h2 id="how" className="pb-3 text-21">
              {t("how")}
            </h2>
            <ol className="flex list-decimal flex-col gap-2 pl-5">
              {STEPS.map((step) => (
                <li key={step}>{t(`step.${step}`)}</li>
              ))}
            </ol>
          </section>
          <section aria-labelledby="terms">
            <h2 id="terms" className="pb-3 text-21">
              {t("terms.title")}
            </h2>
            <ul className="flex max-w-text list-disc flex-col gap-2 pl-5">
              {TERMS.map((term) => (
                <li key={term}>{t(`terms.${term}`, { percent })}</li>
              ))}
            </ul>
          </section>
        </div>
        <section aria-labelledby="apply" className="rounded-ticket border border-hairline bg-raised p-6">
          <h2 id="apply" className="pb-4 text-21">
            {t("apply")}
          </h2>
          <BusinessForm labels={useFormLabels()} locale={useLocale()} />
        </section>
      </div>
    </Page>
  );
}

export type BusinessLabels = ReturnType<typeof useFormLabels>;

function useFormLabels() {
  const t = useTranslations("merchants");
  const errors = useTranslations("errors");
  return {
    email: t("form.email"),
    url: t("form.url"),
    urlHint: t("form.url_hint"),
    phone: t("form.phone"),
    phoneHint: t("form.phone_hint"),
    submit: t("form.submit"),
    done: t("form.done"),
    doneText: t("form.done_text"),
    emailInvalid: errors("email_invalid"),
    urlInvalid: errors("product_url_invalid"),
    phoneInvalid: errors("phone_invalid"),
    network: errors("network"),
  };
}
