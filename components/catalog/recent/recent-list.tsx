"use client";

import { useTranslatedNames } from "@/components/catalog/recent/use-translated-names";
import { Emblem } from "@/components/ui/emblem";
import { Link } from "@/components/ui/link";
import { clearRecentProducts, useRecentProducts } from "./recent-products";
import type { RecentProps } from "./recent-section";

const SHOWN = 6;

/** The recently viewed products of this browser, except the current one. Renders nothing without any. */
export function RecentList({ labels, current }: RecentProps) {
  const viewed = useRecentProducts();
  const shown = viewed.filter(({ slug }) => slug !== current?.slug).slice(0, SHOWN);
  const names = useTranslatedNames(shown);
  if (shown.length === 0) return null;
  return (
    <section aria-labelledby="recent-products" className="pt-12">
      <div className="flex items-center justify-between gap-4 pb-2">
        <h2 id="recent-products" className="text-21">
          {labels.title}
        </h2>
        <button type="button" onClick={clearRecentProducts} className="text-link hit cursor-pointer text-13">
          {labels.clear}
        </button>
      </div>
      <ul className="recent-products">
        {shown.map(({ slug, image, maker }, i) => (
          <li key={slug}>
            <Link href={`/product/${slug}`} className="flex items-center gap-3 hover:underline">
              <Emblem src={image} size={56} className="w-14 flex-none rounded-control" />
              <span className="min-w-0">
                <span className="block truncate font-medium" lang={names[i]?.lang}>
                  {names[i]?.text}
                </span>
                <span className="block truncate text-13 text-quiet">{maker}</span>
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}
