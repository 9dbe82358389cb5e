import { getTranslations } from "next-intl/server";
import { BrandMark } from "@/components/shell/brand-mark";
import { Link } from "@/components/ui/link";

/** The head of a phone page: the name, and a way past it. All else is in the bar below. */
export async function MobileTop({ brand }: { brand: string }) {
  const t = await getTranslations("ui");
  return (
    <div className="measure flex h-14 items-center">
      <a
        href="#content"
        className="sr-only focus:not-sr-only focus:absolute focus:top-2 focus:left-2 focus:z-50 focus:rounded-control focus:bg-ink focus:px-4 focus:py-2.5 focus:text-paper"
      >
        {t("header.skip")}
      </a>
      <Link href="/" className="hit -ml-1 flex items-center gap-2 rounded-control px-1 text-17 font-semibold">
        <BrandMark size={22} />
        {brand}
      </Link>
    </div>
  );
}
