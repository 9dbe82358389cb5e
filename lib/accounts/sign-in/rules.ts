import { isSignInProblem, type SignInProblem } from "@/lib/accounts/social-sign-in/rules";
import { foldCode } from "@/lib/platform/fold-text";
import { localizedPath, type PageLocation, safeRedirect } from "@/lib/platform/routing/paths";

/** The page where a guest continues after signing in. */
export type SignInReturn = {
  /** The path to continue at: always a known page of this shop. */
  target: string;
  /** The product to add to the cart first (cart/auto-add, docs/product.md#74-cart-and-coupons). */
  add: { product_id: number; vip_id: number } | null;
  /** The invite code, if any (`invited_account`, docs/product.md#72-accounts). */
  invite?: string;
  /** The same values as a query, for the link between login and registration; "" without any. */
  query: string;
  problem?: SignInProblem;
};

type Query = Record<string, string | string[] | null | undefined>;

/**
 * Parses `redirect`, `add` ("PRODUCT-PLAN"), `invited_account` and `error` from a query; ignores invalid values. The
 * target is the redirect, else the cart when `add` is set, else the profile.
 */
export function parseSignInReturn(query: Query, location: PageLocation): SignInReturn {
  const firstValue = (name: string) => [query[name]].flat()[0] ?? "";
  const problem = firstValue("error");
  const redirect = safeRedirect(firstValue("redirect"));
  // A product's form that was sent before its script ran leads to the cart, with `add` in the cart's own query.
  const add = firstValue("add") || new URLSearchParams(redirect?.split("?")[1]).get("add") || "";
  const [, product, plan] = /^(\d{1,9})-(\d{1,9})$/.exec(add) ?? [];
  const [invite] = /^[\w-]{1,64}$/.exec(foldCode(firstValue("invited_account"))) ?? [];
  const linkQuery = new URLSearchParams();
  if (redirect) linkQuery.set("redirect", redirect);
  if (product) linkQuery.set("add", `${product}-${plan}`);
  if (invite) linkQuery.set("invited_account", invite);
  return {
    target: redirect ?? localizedPath(product ? "/cart" : "/profile", location),
    add: product ? { product_id: Number(product), vip_id: Number(plan) } : null,
    invite,
    query: linkQuery.size > 0 ? `?${linkQuery}` : "",
    ...(isSignInProblem(problem) && { problem }),
  };
}
