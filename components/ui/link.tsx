"use client";

import NextLink from "next/link";
import { useRouter } from "next/navigation";
import { type ComponentProps, type MouseEvent, useCallback, useState } from "react";
import { mayPrefetch } from "@/components/ui/prefetch-budget";
import { useSurface } from "@/components/ui/surface";
import type { Locale } from "@/lib/platform/i18n/locales";
import { withAttribution } from "@/lib/platform/routing/attribution";
import { localizedPath, type Surface } from "@/lib/platform/routing/paths";
import { isPagePath, routeOf } from "@/lib/platform/routing/routes";

export type LinkProps = Omit<ComponentProps<"a">, "href"> & {
  /** A desktop path without locale (`/cart?x=1`), or any other address, which is left as it is. */
  href: string;
  replace?: boolean;
  scroll?: boolean;
  /** The same page in another language or on the other surface: opened as a document. */
  locale?: Locale;
  surface?: Surface;
};

/**
 * The shop's only link. Adds the locale and `/mobile`; prefetches public pages on hover, touch and focus, as far as
 * prefetch-budget.ts allows; adds the
 * carried query parameters at the click, so that served HTML never holds them.
 */
export function Link({ href, replace, scroll, locale, surface, onClick, ...rest }: LinkProps) {
  const place = useSurface();
  const router = useRouter();
  const [warm, setWarm] = useState(false);

  if (!isOwn(href)) return <a href={href} onClick={onClick} {...rest} />;

  const address = localizedPath(href, { locale: locale ?? place.locale, surface: surface ?? place.surface });
  // The default action of this click (new tab, document) follows the attribute, so it is set just in time.
  const carry = (event: MouseEvent<HTMLAnchorElement>) => {
    event.currentTarget.href = withAttribution(address);
    onClick?.(event);
  };
  if (locale || surface || needsDocument(href))
    return <a href={address} onClick={carry} onAuxClick={carry} {...rest} />;

  const heat = isPublic(href) ? () => mayPrefetch(address) && setWarm(true) : undefined;
  return (
    <NextLink
      onPointerEnter={heat}
      onTouchStart={heat}
      onFocus={heat}
      {...rest}
      href={address}
      replace={replace}
      scroll={scroll}
      prefetch={warm}
      onClick={carry}
      onAuxClick={carry}
      onNavigate={(event) => {
        const carried = withAttribution(address);
        letGo(pathOf(carried));
        if (carried === address) return;
        event.preventDefault();
        router[replace ? "replace" : "push"](carried, { scroll });
      }}
    />
  );
}

/**
 * Takes the focus from what the next page will not have. Removed while it has the focus, it would have the browser work
 * out the styles of the whole page that is on its way out: a fifth of the time until the next one is painted.
 */
function letGo(path: string): void {
  const at = document.activeElement;
  if (path !== location.pathname && at instanceof HTMLElement && at.closest("main")) at.blur();
}

/** Goes to a page from code, by the link's rules: `navigate("/checkout?order_id=…")`. */
export function useNavigate(): (href: string, options?: { replace?: boolean }) => void {
  const place = useSurface();
  const router = useRouter();
  return useCallback(
    (href, { replace = false } = {}) => {
      const address = withAttribution(localizedPath(href, place));
      if (needsDocument(href)) location[replace ? "replace" : "assign"](address);
      else router[replace ? "replace" : "push"](address);
    },
    [place, router],
  );
}

const pathOf = (href: string) => href.split(/[?#]/, 1)[0] ?? "";
const isOwn = (href: string) => isPagePath(pathOf(href));
const needsDocument = (href: string) => routeOf(pathOf(href))?.document === true;
const isPublic = (href: string) => routeOf(pathOf(href))?.access === "public";
