import { useTranslations } from "next-intl";
import { Breadcrumb } from "@/components/ui/breadcrumb";
import { Link } from "@/components/ui/link";
import { Page } from "@/components/ui/page";
import { listChapters, Prose } from "@/components/ui/prose";
import type { Seller } from "@/lib/platform/seller";

/** A legal text with its contents, with the seller below. */
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
      jsonLd={jsonLd}
      above={<Breadcrumb label={t("path")} items={[{ text: t("home"), href: "/" }, { text: title }]} />}
      title={title}
    >
      <div className="grid gap-x-16 gap-y-8 lg:grid-cols-[minmax(0,33rem)_minmax(0,1fr)]">
        <nav aria-labelledby="contents" className="lg:order-1">
          <h2 id="contents" className="text-13 text-quiet">
            {t("contents")}
          </h2>
          <ol className="lg:border-s lg:border-hairline lg:ps-4">
            {listChapters(html).map(({ id, title: part }) => (
              <li key={id}>
                <a href={`#${id}`} className="flex min-h-11 items-center hover:underline">
                  {part}
                </a>
              </li>
            ))}
          </ol>
        </nav>
        <Prose html={html} />
      </div>
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
