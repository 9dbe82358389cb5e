import { isSignInProblem, type SignInProblem } from "@/lib/accounts/social-sign-in/rules";
import { localizedPath, type PageLocation, safeRedirect } from "@/lib/platform/routing/paths";

/** Where a guest continues after signing in. */
export type SignInReturn = {
  /** The address to go to: always a known page of this shop. */
  target: string;
  /** The product to add to the cart first (cart/auto-add, docs/product.md#74-cart-and-coupons). */
  add: { product_id: number; vip_id: number } | null;
  /** The invite code, if any (`invited_account`, docs/product.md#72-accounts). */
  invite?: string;
  /** The same values as a query, for the link between login and registration; "" without any. */
  query: string;
  /** How a failed sign-in with a provider ended. */
  problem?: SignInProblem;
};

type Query = Record<string, string | string[] | undefined>;

/**
 * Parses `redirect`, `add` ("PRODUCT-PLAN"), `invited_account` and `error` from the query of the login and
 * registration pages; ignores invalid values. Without a redirect the target is the cart when `add` is set, else the
 * profile.
 */
export function parseSignInReturn(asked: Query, place: PageLocation): SignInReturn {
  const text = (name: string) => [asked[name]].flat()[0] ?? "";
  const redirect = safeRedirect(text("redirect"));
  const [, product, plan] = /^(\d{1,9})-(\d{1,9})$/.exec(text("add")) ?? [];
  const [invite] = /^[\w-]{1,64}$/.exec(text("invited_account")) ?? [];
  const query = new URLSearchParams();
  if (redirect) query.set("redirect", redirect);
  if (product) query.set("add", `${product}-${plan}`);
  if (invite) query.set("invited_account", invite);
  return {
    target: redirect ?? localizedPath(product ? "/cart" : "/profile", place),
    add: product ? { product_id: Number(product), vip_id: Number(plan) } : null,
    invite,
    query: query.size > 0 ? `?${query}` : "",
    ...(isSignInProblem(text("error")) && { problem: text("error") as SignInProblem }),
  };
}
