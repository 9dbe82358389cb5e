"use client";

import { type FormEvent, useState } from "react";
import { announceCartChange } from "@/components/shell/session-summary";
import { Button } from "@/components/ui/button";
import { Icon } from "@/components/ui/icon";
import { Link, useNavigate } from "@/components/ui/link";
import { ErrorNotice } from "@/components/ui/notice";
import { useSurface } from "@/components/ui/surface";
import { clearToasts, showToast } from "@/components/ui/toast";
import { lazyPost } from "@/lib/platform/api/lazy-client";
import { localizedPath } from "@/lib/platform/routing/paths";
import { EMAIL_UNVERIFIED, PURCHASE_LIMIT } from "./error-codes";

export type AddToCartLabels = {
  added: string;
  viewCart: string;
  network: string;
  verify: string;
  library: string;
};
type Refusal = { code: string; message: string };
type PageLocation = Parameters<typeof localizedPath>[1];

/** A `free` plan is claimed at once (docs/product.md#84-free-passes-and-purchase-limits). */
export type PlanToBuy = { productId: number; vipId: number; slug: string; free: boolean };

/**
 * The main button of a product. It adds the plan to the cart or claims a free plan. A guest is sent to the login and
 * returns to this plan, with the item added (`add=<product>-<plan>`) or ready to be claimed. Refusals show the
 * server's message. Without JavaScript it is a plain form that leads guests through the login to the cart, and
 * signed-in users directly to the cart. Give it a `key` of the plan.
 */
export function AddToCart({
  plan,
  label,
  labels,
  brief = false,
}: {
  plan: PlanToBuy;
  label: string;
  labels: AddToCartLabels;
  /** Shows only a toast on success, for places where the cart link is already visible. */
  brief?: boolean;
}) {
  const [state, setState] = useState<{ pending?: boolean; added?: boolean; problem?: Refusal }>({});
  const navigate = useNavigate();
  const page = useSurface();

  const showProblem = ({ code, message }: Refusal) => {
    if (code === "401") return navigate(loginPath(plan, page));
    clearToasts(); // "Added to cart" must not appear next to a refusal.
    setState({ problem: { code, message } });
  };
  const claim = async () => {
    const module = await import("./claim-free-pass").catch(() => null);
    if (!module) return showProblem({ code: "", message: labels.network });
    const claimed = await module.claimFreePass(plan, labels.network);
    if (claimed.ok) navigate(`/payment/success?order_id=${claimed.data.order_id}`);
    else showProblem(claimed);
  };
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setState({ pending: true });
    if (plan.free) return claim();
    const { productId: product_id, vipId: vip_id } = plan;
    const body = { product_id, vip_id, quantity: 1 };
    const result = await lazyPost("/cart/add", body, labels.network);
    if (!result.ok) return showProblem(result);
    announceCartChange(result.data.total);
    showToast(labels.added, "good", { text: labels.viewCart, run: () => navigate("/cart") });
    setState({ added: true });
  };

  return (
    <form action={localizedPath("/login", page)} onSubmit={submit} className="flex flex-col gap-2">
      {Object.entries(loginFields(plan, page)).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      {state.problem && (
        <ErrorNotice action={<ErrorAction code={state.problem.code} plan={plan} labels={labels} />}>
          {state.problem.message}
        </ErrorNotice>
      )}
      <Button type="submit" look="primary" large block pending={state.pending}>
        {label}
      </Button>
      {state.added && !brief && (
        <p className="flex min-h-11 items-center justify-center gap-2">
          <Icon name="check" size={18} className="text-good" />
          {labels.added}
          <Link href="/cart" className="text-link font-medium">
            {labels.viewCart}
          </Link>
        </p>
      )}
    </form>
  );
}

/** The action after a refusal: verify the email and return, or view the pass that the user already has. */
function ErrorAction({ code, plan, labels }: { code: string; plan: PlanToBuy; labels: AddToCartLabels }) {
  const page = useSurface();
  // The limit of a paid pass may be reached in the cart. A free pass is claimed without the cart.
  if (code !== EMAIL_UNVERIFIED && !(code === PURCHASE_LIMIT && plan.free)) return null;
  const verifyPath = `/profile?redirect=${encodeURIComponent(returnPath(plan, page))}`;
  const [href, text] = code === EMAIL_UNVERIFIED ? [verifyPath, labels.verify] : ["/library", labels.library];
  return (
    <Link href={href} className="text-link inline-flex min-h-11 items-center font-medium">
      {text}
    </Link>
  );
}

const returnPath = ({ slug, vipId }: PlanToBuy, page: PageLocation) =>
  localizedPath(`/product/${slug}?plan=${vipId}`, page);

/** The login's return address and the item to add first. A free plan is claimed on its product page. */
const loginFields = (plan: PlanToBuy, page: PageLocation): Record<string, string> => ({
  redirect: plan.free ? returnPath(plan, page) : localizedPath("/cart", page),
  ...(!plan.free && { add: `${plan.productId}-${plan.vipId}` }),
});

function loginPath(plan: PlanToBuy, page: PageLocation) {
  const { productId, vipId, free } = plan;
  const query = new URLSearchParams({ redirect: returnPath(plan, page), add: `${productId}-${vipId}` });
  if (free) query.set("claim", "1");
  return `/login?${query}`;
}
