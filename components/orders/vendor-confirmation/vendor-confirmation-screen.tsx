import { useLocale, useTranslations } from "next-intl";
import { usePassLabels } from "@/components/catalog/use-pass-labels";
import { LinkAction } from "@/components/notifications/link-action";
import { ButtonLink } from "@/components/ui/button";
import { DefinitionRows } from "@/components/ui/definition-rows";
import { LocalTime } from "@/components/ui/local-time";
import { Notice } from "@/components/ui/notice";
import { Page } from "@/components/ui/page";
import type { VendorConfirmation } from "@/lib/orders/vendor-confirmation/contract";

/** The page that a vendor confirmation links to. Opening it has no effect; its button answers. */
export function VendorConfirmationScreen({ confirmation }: { confirmation: VendorConfirmation | null }) {
  const t = useTranslations("orders.vendor_confirmation");
  const pass = usePassLabels();
  const errors = useTranslations("errors");
  const locale = useLocale();
  if (!confirmation)
    return (
      <Page narrow title={t("title")} lead={errors("link_invalid")}>
        <ButtonLink href="/">{t("home")}</ButtonLink>
      </Page>
    );
  const lang = confirmation.language === locale ? undefined : confirmation.language;
  const { codes } = confirmation;
  const closed = confirmation.state !== "asked" || confirmation.late;
  return (
    <Page narrow title={t("title")} lead={closed ? undefined : t(`lead_${confirmation.answer}`)}>
      <div className="flex flex-col gap-6">
        <DefinitionRows
          rows={[
            { term: t("product"), value: <span lang={lang}>{confirmation.product}</span> },
            { term: t("pass"), value: pass.name(confirmation) },
            { term: t("sold"), value: <LocalTime at={confirmation.sold_at} format="date" /> },
            ...(codes.length > 0
              ? [
                  {
                    term: t("codes"),
                    value: codes.map(({ digest, ending }) => (
                      <span key={digest} className="block wrap-anywhere">
                        {ending === null
                          ? t("reference_short", { digest })
                          : t("reference", { digest, ending })}
                      </span>
                    )),
                  },
                ]
              : []),
            { term: t("until"), value: <LocalTime at={confirmation.answer_by} /> },
          ]}
        />
        {closed ? (
          <Notice>{t(confirmation.state === "asked" ? "late" : `was_${confirmation.state}`)}</Notice>
        ) : (
          <LinkAction
            call="vendor-confirmation"
            token={confirmation.token}
            actions={[
              {
                label: t(`press_${confirmation.answer}`),
                done: t(`done_${confirmation.answer}`),
                already: t("already"),
              },
            ]}
            network={errors("network")}
          />
        )}
      </div>
    </Page>
  );
}
