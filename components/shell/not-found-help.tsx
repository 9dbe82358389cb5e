"use client";

import { useEffect, useState } from "react";
import type { NotFoundHelpProps } from "@/components/shell/error-screen";
import { SearchForm } from "@/components/shell/search/search-form";
import { Link } from "@/components/ui/link";
import { useSurface } from "@/components/ui/surface";
import { localizedPath, parsePath } from "@/lib/platform/routing/paths";

const SHOWN = 4;

type Suggested = { slug: string; product_name: string; maker: string; language: string };

/** A search, and links to the products that the mistyped address may have meant, else to popular ones. */
export function NotFoundHelp({ search, title }: NotFoundHelpProps) {
  const { locale, surface } = useSurface();
  const [products, setProducts] = useState<readonly Suggested[]>([]);
  useEffect(() => {
    let isCurrent = true;
    findProducts(location.pathname).then(
      (found) => isCurrent && setProducts(found),
      () => {}, // The search and the links remain.
    );
    return () => {
      isCurrent = false;
    };
  }, []);
  return (
    <>
      <div className="flex">
        <SearchForm
          action={localizedPath("/search", { locale, surface })}
          labels={search}
          name={search.label}
        />
      </div>
      {products.length > 0 && (
        <section aria-labelledby="suggestions" className="pt-8">
          <h2 id="suggestions" className="pb-1 text-21">
            {title}
          </h2>
          <ul>
            {products.map(({ slug, product_name, maker, language }) => (
              <li key={slug} className="flex min-h-11 flex-wrap items-center gap-x-3">
                <Link
                  href={`/product/${slug}`}
                  lang={language === locale ? undefined : language}
                  className="text-link font-medium"
                >
                  {product_name}
                </Link>
                <span className="text-13 text-quiet">{maker}</span>
              </li>
            ))}
          </ul>
        </section>
      )}
    </>
  );
}

/** The words of the last part of a path: `/product/quillon-drft` has "quillon drft". */
function pathWords(pathname: string): string[] {
  const last = parsePath(pathname).path.split("/").at(-1) ?? "";
  try {
    return decodeURIComponent(last)
      .split(/[^\p{L}\p{N}]+/u)
      .filter(Boolean)
      .slice(0, 6);
  } catch {
    return [];
  }
}

async function findProducts(pathname: string): Promise<readonly Suggested[]> {
  const { api } = await import("@/lib/platform/api/client");
  const words = pathWords(pathname);
  // The first word of a product's name is usually its own, so it counts alone too.
  for (const keyword of new Set([words.join(" "), words[0] ?? ""])) {
    if (keyword.length < 3) continue;
    const result = await api.get("/product/suggest", { keyword });
    if (result.ok && result.data.products.length > 0) return result.data.products.slice(0, SHOWN);
  }
  const popular = await api.get("/product/hot", {});
  return popular.ok ? popular.data.items.slice(0, SHOWN) : [];
}
