import { useTranslations } from "next-intl";
import { Breadcrumb } from "@/components/ui/breadcrumb";
import { JsonLd } from "@/components/ui/json-ld";
import { Link } from "@/components/ui/link";
import { Page } from "@/components/ui/page";
import { Prose } from "@/components/ui/prose";
import type { Seller } from "@/lib/platform/seller";

/** A legal text in one column, with the seller below. */
export function LegalScreen({
  title,
  html,
  seller,
  jsonLd,
}: {
  title: string;
  html: string;
  seller: Seller;
  jsonLd: unknown;
}) {
  const t = useTranslations("ui.legal");
  return (
    <Page
      above={<Breadcrumb label={t("path")} items={[{ text: t("home"), href: "/" }, { text: title }]} />}
      title={title}
    >
      <JsonLd of={jsonLd} />
      <Prose html={html} />
      <p className="mt-10 max-w-text border-t border-hairline pt-4 text-13 text-quiet">
        {[seller.name, ...seller.address].join(", ")}
        {" · "}
        <Link href="/legal/seller" className="underline">
          {t("seller")}
        </Link>
      </p>
    </Page>
  );
}
