import { useTranslations } from "next-intl";
import { Breadcrumb } from "@/components/ui/breadcrumb";
import { Page } from "@/components/ui/page";
import { Prose } from "@/components/ui/prose";

/** A legal text in one column. */
export function LegalScreen({ title, html }: { title: string; html: string }) {
  const t = useTranslations("ui.legal");
  return (
    <Page
      above={<Breadcrumb label={t("path")} items={[{ text: t("home"), href: "/" }, { text: title }]} />}
      title={title}
    >
      <Prose html={html} />
    </Page>
  );
}
