import { useLocale, useTranslations } from "next-intl";
import { ButtonLink } from "@/components/ui/button";
import { DefinitionRows } from "@/components/ui/definition-rows";
import { Notice } from "@/components/ui/notice";
import { Page } from "@/components/ui/page";
import { passNameKey } from "@/lib/catalog/pricing/rules";
import type { VendorConfirmation } from "@/lib/orders/vendor-confirmation/contract";
import { formatDate, formatMoment } from "@/lib/platform/format";
import { VendorAnswerButton } from "./vendor-answer-button";

/**
 * The page that the links of a vendor confirmation open: the question and the answer button. Opening the page has no
 * effect.
 */
export function VendorConfirmationScreen({
  token,
  question,
}: {
  token: string;
  question: VendorConfirmation | null;
}) {
  const t = useTranslations("orders.vendor_confirmation");
  const all = useTranslations();
  const errors = useTranslations("errors");
  const locale = useLocale();
  if (!question)
    return (
      <Page narrow title={t("title")} lead={errors("link_invalid")}>
        <ButtonLink href="/">{t("home")}</ButtonLink>
      </Page>
    );
  const pass = passNameKey({ vip_type: question.vip_type, duration_days: question.duration_days });
  const lang = question.language === locale ? undefined : question.language;
  const over = question.state !== "asked" || question.late;
  return (
    <Page narrow title={t("title")} lead={over ? undefined : t(`lead_${question.answer}`)}>
      <div className="flex flex-col gap-6">
        <DefinitionRows
          rows={[
            { term: t("product"), value: <span lang={lang}>{question.product}</span> },
            { term: t("pass"), value: all(pass.key, pass.values) },
            { term: t("sold"), value: formatDate(question.sold_at, locale) },
            { term: t("until"), value: formatMoment(question.answer_by, locale) },
          ]}
        />
        {over ? (
          <Notice>{t(question.state === "asked" ? "late" : `was_${question.state}`)}</Notice>
        ) : (
          <VendorAnswerButton
            token={token}
            labels={{
              press: t(`press_${question.answer}`),
              done: t(`done_${question.answer}`),
              already: t("already"),
              network: errors("network"),
            }}
          />
        )}
      </div>
    </Page>
  );
}
