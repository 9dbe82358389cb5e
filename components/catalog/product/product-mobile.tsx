import { useTranslations } from "next-intl";
import { RatingLine, Reviews } from "@/components/reviews/review-list";
import { Emblem } from "@/components/ui/emblem";
import { StickyBar } from "@/components/ui/sticky-bar";
import { Activation } from "./activation-card";
import { BuyButton, ChosenPrice } from "./buy-box";
import { PlanFacts, PlanLinks, PlanPicker } from "./plan-choice";
import { PlanComparison } from "./plan-comparison";
import {
  About,
  Includes,
  type ProductParts,
  ProductRows,
  Related,
  useBuyLabels,
  useComparisonLabels,
  useTextLang,
} from "./product-parts";
import { ShareLink } from "./share-link";

/** The mobile product page: the same parts in one column, with price and button always visible. */
export function MobileProduct({ product, reviews, related }: ProductParts) {
  const t = useTranslations("catalog.product");
  const lang = useTextLang(product);
  const labels = useBuyLabels();
  return (
    <>
      <header className="grid grid-cols-[6rem_minmax(0,1fr)] items-center gap-4">
        <Emblem src={product.product_image} size={96} priority className="rounded-ticket" />
        <div>
          <h1 className="text-28" lang={lang}>
            {product.product_name}
          </h1>
          <p className="text-quiet">{product.maker}</p>
          <RatingLine summary={reviews.summary} />
        </div>
      </header>
      <p className="pt-4 pb-5 text-17 text-quiet" lang={lang}>
        {product.product_tagline}
      </p>
      <PlanPicker legend={t("choose")} />
      <div className="pt-5">
        <PlanFacts label={t("facts")} />
        <PlanLinks text={t("no_script")} />
      </div>
      <div className="flex flex-col gap-10 pt-10 pb-8">
        <Includes product={product} />
        <About product={product} />
        <Activation product={product} lang={lang} />
        <PlanComparison labels={useComparisonLabels()} />
        <Reviews productId={product.product_id} reviews={reviews} />
        <div>
          <ProductRows product={product} />
          <div className="-ml-3 pt-3">
            <ShareLink
              slug={product.slug}
              name={product.product_name}
              defaultPlanId={product.vip_id}
              labels={labels}
            />
          </div>
        </div>
        <Related items={related} />
      </div>
      <StickyBar>
        <ChosenPrice />
        <div className="min-w-0 flex-1">
          <BuyButton productId={product.product_id} slug={product.slug} labels={labels} brief />
        </div>
      </StickyBar>
    </>
  );
}
