"use client";

import { useRouter } from "next/navigation";
import { type ComponentProps, type MouseEvent, useCallback } from "react";
import { mayPrefetch } from "@/components/ui/prefetch-budget";
import { openPage } from "@/components/ui/press";
import { useSurface } from "@/components/ui/surface";
import { withAttribution } from "@/lib/platform/routing/attribution";
import { localizedPath, type PageLocation } from "@/lib/platform/routing/paths";
import { findRoute, isPagePath, type Route } from "@/lib/platform/routing/routes";

/** The page and not only its tree, so that the click needs no request. Next exports the type of the options, and not their enum. */
const WHOLE_PAGE = { kind: "full" } as NonNullable<Parameters<ReturnType<typeof useRouter>["prefetch"]>[1]>;

export type LinkProps = Omit<ComponentProps<"a">, "href"> & {
  /** A desktop path without locale (`/cart?x=1`), or any other URL, which is used unchanged. */
  href: string;
  replace?: boolean;
};

/**
 * The link component of the shop. It adds the locale and `/mobile`, and prefetches public pages on hover, touch and
 * focus within the limits of prefetch-budget.ts. Attribution parameters are added on click, so the served HTML never
 * contains them. A press is answered before its page is there (press.ts). It calls the router itself: `next/link` is 3 kB
 * of every page's scripts, for prefetching what is in sight, which no page here does.
 */
export function Link({ href, replace, onClick, ...rest }: LinkProps) {
  const page = useSurface();
  const router = useRouter();

  if (!isShopPage(href)) return <a href={href} onClick={onClick} {...rest} />;

  const route = findRoute(pathOf(href));
  const address = addressOf(href, page, route);
  // The default action of the click (new tab, new document) follows the attribute, so it is set before that action
  // runs.
  const addAttribution = (event: MouseEvent<HTMLAnchorElement>) => {
    event.currentTarget.href = withAttribution(address);
  };
  const onPress = (event: MouseEvent<HTMLAnchorElement>) => {
    addAttribution(event);
    onClick?.(event);
    if (event.defaultPrevented || opensElsewhere(event) || rest.download !== undefined) return;
    const path = pathOf(href);
    // The browser follows the link.
    if (route?.document) return openPage(path, () => {}, { document: true });
    event.preventDefault();
    const target = withAttribution(address);
    blurOutgoingFocus(pathOf(target));
    openPage(path, () => router[replace ? "replace" : "push"](target));
  };
  const isPublic = route?.access === "public" && !route.personal && !route.document;
  const prefetch = isPublic ? () => mayPrefetch(address) && router.prefetch(address, WHOLE_PAGE) : undefined;
  return (
    <a
      onPointerEnter={prefetch}
      onTouchStart={prefetch}
      onFocus={prefetch}
      {...rest}
      href={address}
      onClick={onPress}
      onAuxClick={addAttribution}
    />
  );
}

/** A press with one of these keys, or of a link with another target, opens a tab, a window or a file. */
function opensElsewhere({
  currentTarget,
  metaKey,
  ctrlKey,
  shiftKey,
  altKey,
}: MouseEvent<HTMLAnchorElement>): boolean {
  const { target } = currentTarget;
  return metaKey || ctrlKey || shiftKey || altKey || (target !== "" && target !== "_self");
}

/**
 * Blurs an element that the next page does not contain. Removing a focused element makes the browser recalculate the
 * styles of the whole outgoing page, which takes a fifth of the time until the next page is painted.
 */
function blurOutgoingFocus(path: string): void {
  const focused = document.activeElement;
  if (path !== location.pathname && focused instanceof HTMLElement && focused.closest("main")) focused.blur();
}

/** Returns a function that navigates with the same rules as the link: `navigate("/checkout?order_id=…")`. */
export function useNavigate(): (href: string, options?: { replace?: boolean }) => void {
  const page = useSurface();
  const router = useRouter();
  return useCallback(
    (href, { replace = false } = {}) => {
      const route = findRoute(pathOf(href));
      const address = withAttribution(addressOf(href, page, route));
      if (route?.document)
        openPage(pathOf(href), () => location[replace ? "replace" : "assign"](address), { document: true });
      else openPage(pathOf(href), () => router[replace ? "replace" : "push"](address));
    },
    [page, router],
  );
}

const pathOf = (href: string) => href.split(/[?#]/, 1)[0] ?? "";
/** The address in the page's language and on its surface; a page for all devices has one. */
const addressOf = (href: string, page: PageLocation, route: Route | undefined) =>
  localizedPath(href, route?.single ? { ...page, surface: "desktop" } : page);
const isShopPage = (href: string) => isPagePath(pathOf(href));
