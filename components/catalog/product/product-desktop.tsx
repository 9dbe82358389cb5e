import { useTranslations } from "next-intl";
import { RatingLine, Reviews } from "@/components/reviews/review-list";
import { Emblem } from "@/components/ui/emblem";
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

/** The desktop product page: image and facts beside the plans and one button, then the rest in two columns. */
export function DesktopProduct({ product, reviews, related }: ProductParts) {
  const t = useTranslations("catalog.product");
  const lang = useTextLang(product);
  const labels = useBuyLabels();
  return (
    <>
      <div className="grid grid-cols-[20rem_minmax(0,1fr)] items-start gap-12 max-xl:grid-cols-[13rem_minmax(0,1fr)] max-xl:gap-8">
        <div>
          <Emblem src={product.product_image} size={320} priority className="h-auto w-full rounded-ticket" />
          <div className="pt-4">
            <ProductRows product={product} />
          </div>
        </div>
        <div>
          <header className="pb-6">
            <h1 className="text-40" lang={lang}>
              {product.product_name}
            </h1>
            <p className="max-w-text pt-1 text-17 text-quiet" lang={lang}>
              {product.product_tagline}
            </p>
            <RatingLine summary={reviews.summary} />
          </header>
          <PlanPicker legend={t("choose")} />
          <div className="grid grid-cols-[minmax(0,1fr)_18rem] items-start gap-10 pt-6 max-lg:grid-cols-1 max-lg:gap-6">
            <PlanFacts label={t("facts")} />
            <div className="flex flex-col gap-4">
              <ChosenPrice />
              <BuyButton productId={product.product_id} slug={product.slug} labels={labels} />
              <div className="-mt-2 flex justify-center">
                <ShareLink
                  slug={product.slug}
                  name={product.product_name}
                  defaultPlanId={product.vip_id}
                  labels={labels}
                />
              </div>
              <PlanLinks text={t("no_script")} />
            </div>
          </div>
        </div>
      </div>
      <div className="mt-14 grid grid-cols-2 gap-x-16 gap-y-12 border-t border-hairline pt-12 max-lg:grid-cols-1">
        <div className="flex flex-col gap-10">
          <Includes product={product} />
          <About product={product} />
        </div>
        <Activation product={product} lang={lang} />
      </div>
      <div className="pt-12">
        <PlanComparison labels={useComparisonLabels()} />
      </div>
      <div className="pt-12">
        <Reviews productId={product.product_id} reviews={reviews} />
      </div>
      <div className="pt-12">
        <Related items={related} />
      </div>
    </>
  );
}
