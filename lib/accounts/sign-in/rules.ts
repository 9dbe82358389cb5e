import { isSignInProblem, type SignInProblem } from "@/lib/accounts/social-sign-in/rules";
import { localizedPath, type PageLocation, safeRedirect } from "@/lib/platform/routing/paths";

/** What a guest wanted before the login came between. */
export type SignInReturn = {
  /** The address to go to afterwards: always a known page of this shop. */
  target: string;
  /** What goes into the cart first (spec §7 cart/auto-add). */
  add: { product_id: number; vip_id: number } | null;
  /** The invite code of the link that led here, if any (spec §7 `invited_account`). */
  invite?: string;
  /** The same wish for a link between login and registration; "" without one. */
  query: string;
  /** How the sign-in with a provider ended that led back here without one. */
  problem?: SignInProblem;
};

type Query = Record<string, string | string[] | undefined>;

/**
 * Reads `redirect`, `add` ("PRODUCT-PLAN") and `invited_account` from the query of the login and registration pages,
 * and `error`, which says how a sign-in with a provider ended; what is not valid is left out. Without a redirect the
 * way leads to the cart when something goes into it, else to the profile.
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
