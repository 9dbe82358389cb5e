import type { ReactNode } from "react";
import { askSignIn } from "@/components/accounts/in-place/ask-sign-in";
import { announceCartChange } from "@/components/shell/session-summary";
import { Icon } from "@/components/ui/icon";
import { Link } from "@/components/ui/link";
import { ErrorNotice } from "@/components/ui/notice";
import { clearToasts, showToast } from "@/components/ui/toast";
import { api } from "@/lib/platform/api/client";
import { toDecimal } from "@/lib/platform/money";
import { localizedPath, type PageLocation } from "@/lib/platform/routing/paths";
import { buyNow } from "./buy-now";
import { claimFreePass } from "./claim-free-pass";
import { EMAIL_UNVERIFIED, PURCHASE_LIMIT } from "./error-codes";
import type { PlanAction, PlanLabels, PlanToBuy } from "./use-plan-action";

// What happens after a press on a product's buttons. It loads with the first press, so that public pages do not carry it.

/** What the buttons show afterwards. */
export type PlanOutcome = { problem?: ReactNode; done?: ReactNode };

type Press = {
  plan: PlanToBuy;
  labels: PlanLabels;
  page: PageLocation;
  navigate: (href: string) => void;
  isGuest: boolean;
  /** the reader comes back from a sign-in that this action caused */
  returned: boolean;
  /** the action's name after a sign-in that leaves the page (usePendingAction) */
  pendingName: string;
};

/** A page to open, or what happened here; or why it could not be done. */
type Done = { href: string } | "in_cart" | "notified" | { code: string; message: string };

/**
 * Runs the action, after the sign-in that it needs. Resolves with what the buttons show, or with null when another page
 * opens.
 */
export async function performPlanAction(action: PlanAction, press: Press): Promise<PlanOutcome | null> {
  const { plan, labels, page, navigate } = press;
  const signIn = () =>
    askSignIn({
      purpose: action,
      pass: plan.pass,
      returnPath: returnPath(plan, page),
      action: press.pendingName,
    });
  let afterSignIn = press.returned;
  if (press.isGuest) {
    if (!(await signIn())) return {};
    afterSignIn = true;
  }
  let done = await send(action, plan, labels.network);
  if (!afterSignIn && isRefusal(done) && done.code === "401") {
    if (!(await signIn())) return {};
    afterSignIn = true;
    done = await send(action, plan, labels.network);
  }
  if (isRefusal(done)) {
    clearToasts(); // "Added to cart" must not appear next to a refusal.
    return { problem: <Problem {...done} plan={plan} labels={labels} page={page} /> };
  }
  if (done === "notified") return { done: <Notified labels={labels} /> };
  if (done !== "in_cart") {
    navigate(done.href);
    return null;
  }
  if (afterSignIn) {
    showToast(labels.added, "good", { text: labels.back, run: () => navigate(productPath(plan)) });
    navigate("/cart");
    return null;
  }
  showToast(labels.added, "good", { text: labels.viewCart, run: () => navigate("/cart") });
  return { done: <Added labels={labels} /> };
}

const isRefusal = (done: Done): done is { code: string; message: string } =>
  typeof done === "object" && "code" in done;

async function send(action: PlanAction, plan: PlanToBuy, networkMessage: string): Promise<Done> {
  if (action === "buy") {
    const result = await buyNow(plan.vipId, toDecimal(plan.cents), networkMessage);
    return result.ok ? { href: `/checkout?order_id=${result.data.order_id}` } : result;
  }
  if (action === "claim") {
    const result = await claimFreePass(plan, networkMessage);
    return result.ok ? { href: `/payment/success?order_id=${result.data.order_id}` } : result;
  }
  if (action === "notify") {
    const result = await api.post("/wait-list/create", { vip_id: plan.vipId }, { networkMessage });
    return result.ok ? "notified" : result;
  }
  const body = { product_id: plan.productId, vip_id: plan.vipId, quantity: 1 };
  const result = await api.post("/cart/add", body, { networkMessage });
  if (!result.ok) return result;
  announceCartChange(result.data.total);
  return "in_cart";
}

function Added({ labels }: { labels: PlanLabels }) {
  return (
    <p className="flex min-h-11 items-center justify-center gap-2">
      <Icon name="check" size={18} className="text-good" />
      {labels.added}
      <Link href="/cart" className="text-link font-medium">
        {labels.viewCart}
      </Link>
    </p>
  );
}

function Notified({ labels }: { labels: PlanLabels }) {
  return (
    <p role="status" className="flex min-h-12 items-center justify-center gap-2 text-good">
      <Icon name="check" size={18} />
      {labels.notified}
    </p>
  );
}

type ProblemProps = { code: string; message: string } & Pick<Press, "plan" | "labels" | "page">;

/** A refusal, and what to do about it: verify the email and return, or view the pass that the user already has. */
function Problem({ code, message, plan, labels, page }: ProblemProps) {
  const verifyPath = `/profile?redirect=${encodeURIComponent(returnPath(plan, page))}`;
  const link = (href: string, text: string) => (
    <Link href={href} className="text-link inline-flex min-h-11 items-center font-medium">
      {text}
    </Link>
  );
  let action: ReactNode;
  if (code === EMAIL_UNVERIFIED) action = link(verifyPath, labels.verify);
  // The limit of a paid pass may be reached in the cart. A free pass is claimed without the cart.
  else if (code === PURCHASE_LIMIT && plan.free) action = link("/library", labels.library);
  return <ErrorNotice action={action}>{message}</ErrorNotice>;
}

const productPath = ({ slug, vipId }: PlanToBuy) => `/product/${slug}?plan=${vipId}`;
const returnPath = (plan: PlanToBuy, page: PageLocation) => localizedPath(productPath(plan), page);
