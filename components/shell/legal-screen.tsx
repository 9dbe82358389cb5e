import { useTranslations } from "next-intl";
import { Breadcrumb } from "@/components/ui/breadcrumb";
import { JsonLd } from "@/components/ui/json-ld";
import { Page } from "@/components/ui/page";
import { Prose } from "@/components/ui/prose";

/** A legal text in one column. */
export function LegalScreen({ title, html, jsonLd }: { title: string; html: string; jsonLd: unknown }) {
  const t = useTranslations("ui.legal");
  return (
    <Page
      above={<Breadcrumb label={t("path")} items={[{ text: t("home"), href: "/" }, { text: title }]} />}
      title={title}
    >
      <JsonLd of={jsonLd} />
      <Prose html={html} />
    </Page>
  );
}
