import { useLocale, useTranslations } from "next-intl";
import type { ProductItem } from "@/lib/catalog/contract";

/** The mark of a product without texts in the reader's language. Renders nothing for others. */
export function EnglishOnly({ of: product }: { of: Pick<ProductItem, "language"> }) {
  const t = useTranslations("catalog");
  if (product.language === useLocale()) return null;
  return <span className="mark">{t("english_only")}</span>;
}
