import { useTranslations } from "next-intl";
import { Notice } from "@/components/ui/notice";

/** Says that the orders and codes of the demo account were made up (docs/product.md#15-modes). */
export function DemoDataNotice() {
  return <Notice className="mb-6">{useTranslations("ui.mode")("demo_data")}</Notice>;
}
