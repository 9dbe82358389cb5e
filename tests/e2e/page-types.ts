import { isComplete } from "../setup/rounds";

/** Other states of pages that are listed anyway; `npm run test:all` visits them too. */
const variants = (...paths: string[]) => (isComplete ? paths : []);

/** An address of every page type, by who may open it (lib/platform/routing/routes.ts); pages.spec.ts visits them all. */
export const GUEST_PAGES = {
  catalogue: [
    "/",
    "/top-trending",
    "/limited-offer",
    "/search",
    "/search?q=draft",
    "/free-voucher",
    "/i/nobody",
    "/categories",
    "/category/writing",
    "/vendor/ostrel-works",
    "/seller/ostrel-works",
    "/compare?plans=5001,5002",
    "/plan?need=draft&days=9",
    "/cart-link?cart=none",
    "/wishlist",
    ...variants("/search?q=zzzzzz", "/compare", "/plan", "/plan?product=quillon-draft&days=40&budget=12"),
  ],
  products: [
    "/product/quillon-draft",
    "/product/tessock-sql",
    "/product/detail/1001",
    ...variants("/product/cadrell-score", "/product/ozmere-motion"),
  ],
  content: [
    "/blog",
    "/blog/detail/how-long-a-pass",
    "/privacy-policy",
    "/terms-of-service",
    "/refund-policy",
    "/cookies",
    "/accessibility",
    "/ranking-and-reviews",
    "/legal/seller",
    ...variants("/blog?q=zzzzzz"),
  ],
  forms: [
    "/business/register",
    "/help",
    "/agents",
    "/subscription/confirm?token=x",
    "/unsubscribe",
    "/withdraw",
    "/report?seller=kettle-row-software",
    "/vendor-confirmation?token=x",
    "/gift/unknown",
    "/business/invite/unknown",
    "/login",
    "/register",
    "/set-new-password",
    "/reset-password",
    ...variants("/unsubscribe?token=x"),
  ],
};

/** Pages of a signed-in user who has bought nothing. */
export const MEMBER_PAGES = [
  "/cart",
  "/order-history",
  "/library",
  "/profile",
  "/payment-billing",
  "/coupons",
  "/invite",
  "/messages",
  "/messages?new=1",
  "/checkout?order_id=ord_none",
  // Its HTML is empty until a script runs, so it is not among the public pages.
  "/no-such-page",
];

/** Pages about one order, which their query names. */
export const UNPAID_ORDER_PAGES = ["/checkout", "/payment/cancel", "/payment/error", "/order-history"];
export const PAID_ORDER_PAGES = ["/payment/success", "/order-history", "/receipt", "/withdraw"];
