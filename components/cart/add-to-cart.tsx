"use client";

import { type FormEvent, useState } from "react";
import { askSignIn, type ChosenPass } from "@/components/accounts/in-place/ask-sign-in";
import { usePendingAction } from "@/components/accounts/in-place/pending-action";
import { useSessionSummary } from "@/components/shell/session-summary";
import { Button } from "@/components/ui/button";
import { Icon } from "@/components/ui/icon";
import { Link, useNavigate } from "@/components/ui/link";
import { ErrorNotice } from "@/components/ui/notice";
import { useSurface } from "@/components/ui/surface";
import { clearToasts, showToast } from "@/components/ui/toast";
import { localizedPath } from "@/lib/platform/routing/paths";
import { EMAIL_UNVERIFIED, PURCHASE_LIMIT } from "./error-codes";
import type { Done } from "./plan-actions";

export type AddToCartLabels = {
  add: string;
  added: string;
  back: string;
  viewCart: string;
  network: string;
  verify: string;
  library: string;
};
type Refusal = { code: string; message: string };
type PageLocation = Parameters<typeof localizedPath>[1];
const ACTIONS = ["buy", "cart", "claim"] as const;
type Action = (typeof ACTIONS)[number];

/** A `free` plan is claimed at once (docs/product.md#84-free-passes-and-purchase-limits). */
export type PlanToBuy = { productId: number; vipId: number; slug: string; free: boolean; pass: ChosenPass };

/**
 * The buttons of a product: "Buy now" goes on to the checkout of this one pass, the other adds it to the cart, and a free
 * plan is claimed. A guest signs in or registers in place first, and then what was asked for is done. Refusals show the
 * server's message. Before the script runs it is a plain form that leads to the cart, and guests to the login. Give it a
 * `key` of the plan.
 */
export function AddToCart({
  plan,
  label,
  labels,
  brief = false,
}: {
  plan: PlanToBuy;
  /** The text of the main button. */
  label: string;
  labels: AddToCartLabels;
  /** For the narrow bar of phones: the cart button is an icon, and success shows only a toast. */
  brief?: boolean;
}) {
  const { state, run } = usePlanAction(plan, labels);
  const page = useSurface();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void run(plan.free ? "claim" : "buy");
  };
  const add = (
    <Button
      type="submit"
      large
      block={!brief}
      pending={state.pending === "cart"}
      aria-label={brief ? labels.add : undefined}
      className={brief ? "px-3.5!" : undefined}
      onClick={(event) => {
        event.preventDefault();
        void run("cart");
      }}
    >
      {brief ? <Icon name="cart" size={22} /> : labels.add}
    </Button>
  );
  const main = (
    <Button
      type="submit"
      look="primary"
      large
      block
      pending={state.pending === "buy" || state.pending === "claim"}
      className={brief ? "px-2! whitespace-nowrap" : undefined}
    >
      {label}
    </Button>
  );
  return (
    <form
      action={localizedPath(plan.free ? `/product/${plan.slug}` : "/cart", page)}
      onSubmit={submit}
      className="flex flex-col gap-2"
    >
      <input
        type="hidden"
        name={plan.free ? "plan" : "add"}
        value={plan.free ? plan.vipId : `${plan.productId}-${plan.vipId}`}
      />
      {state.problem && (
        <ErrorNotice action={<ErrorAction code={state.problem.code} plan={plan} labels={labels} />}>
          {state.problem.message}
        </ErrorNotice>
      )}
      {brief && !plan.free ? (
        <div className="grid grid-cols-[minmax(0,1fr)_auto] gap-2">
          {main}
          {add}
        </div>
      ) : (
        <>
          {main}
          {!plan.free && add}
        </>
      )}
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

/** Runs an action of the buttons, and first the sign-in that it needs. */
function usePlanAction(plan: PlanToBuy, labels: AddToCartLabels) {
  const [state, setState] = useState<{ pending?: Action; added?: boolean; problem?: Refusal }>({});
  const navigate = useNavigate();
  const page = useSurface();
  const isGuest = useSessionSummary()?.signedIn === false;
  const key = (action: Action) => `${action}:${plan.vipId}`;

  const signIn = (action: Action) =>
    askSignIn({ purpose: action, pass: plan.pass, returnPath: returnPath(plan, page), action: key(action) });

  /** Does what was asked for, and shows where it went. `after` is true after a sign-in that it caused. */
  async function perform(action: Action, after: boolean): Promise<void> {
    setState({ pending: action });
    const module = await import("./plan-actions").catch(() => null);
    const done: Done = module
      ? await module.sendPlanAction(action, plan, labels.network)
      : { code: "", message: labels.network };
    if (done === "in_cart") {
      if (!after) {
        showToast(labels.added, "good", { text: labels.viewCart, run: () => navigate("/cart") });
        return setState({ added: true });
      }
      showToast(labels.added, "good", { text: labels.back, run: () => navigate(productPath(plan)) });
      return navigate("/cart");
    }
    if ("href" in done) return navigate(done.href);
    if (done.code === "401" && !after) {
      if (await signIn(action)) return perform(action, true);
      return setState({});
    }
    clearToasts(); // "Added to cart" must not appear next to a refusal.
    setState({ problem: done });
  }

  async function run(action: Action): Promise<void> {
    if (state.pending) return;
    if (!isGuest) return perform(action, false);
    setState({ pending: action });
    if (await signIn(action)) await perform(action, true);
    else setState({});
  }

  usePendingAction(ACTIONS.map(key), (pending) => {
    const action = ACTIONS.find((name) => key(name) === pending);
    if (action) void perform(action, true);
  });
  return { state, run };
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

const productPath = ({ slug, vipId }: PlanToBuy) => `/product/${slug}?plan=${vipId}`;
const returnPath = (plan: PlanToBuy, page: PageLocation) => localizedPath(productPath(plan), page);
