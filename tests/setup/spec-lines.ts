/**
 * The lines of the owner's specification, sections 1, 2 and 9, each with the tests that hold it: a file below tests and
 * the beginning of a test's name in it. `later` names the issue that a line waits for.
 */
export type SpecLine = {
  section: "1" | "2" | "9";
  line: string;
  tests?: readonly (readonly [file: string, name: string])[];
  later?: string;
};

const crawler = ["e2e/crawler.spec.ts", "a crawler finds every page"] as const;
const gates = ["e2e/gating.spec.ts", "every page behind the login sends guests"] as const;
const guests = ["e2e/gating.spec.ts", "the signed-in are sent from guests' pages"] as const;
const routesSeen = ["e2e/accessibility.spec.ts", "every route is looked at here"] as const;
const sale = ["e2e/purchase.spec.ts", "buys a pass"] as const;
const reported = ["e2e/tracking.spec.ts", "visits, searches and sources are told"] as const;
const stored = ["e2e/tracking.spec.ts", "stored sources end after seven days"] as const;
const carried = ["rules/route-decision.test.ts", "never loops, stays on this site"] as const;

export const SPEC_LINES: readonly SpecLine[] = [
  {
    section: "1",
    line: "Shoppers browse, search, read a blog, add to a cart, check out, pay and review orders; codes by e-mail",
    tests: [
      sale,
      ["e2e/blog.spec.ts", "from the list to a post"],
      ["e2e/review.spec.ts", "a buyer reviews a pass"],
    ],
  },
  { section: "1", line: "Shoppers apply coupons", later: "issue 4" },
  {
    section: "1",
    line: "Users earn free vouchers by inviting friends through a referral link",
    tests: [["e2e/invite.spec.ts", "an invitation is remembered"]],
    later: "rewards: issue 4",
  },
  {
    section: "1",
    line: "Partner merchants register through a business registration form",
    tests: [
      ["e2e/business.spec.ts", "a merchant applies"],
      ["domain/merchants.test.ts", "files an application"],
    ],
  },
  {
    section: "1",
    line: "Languages en, zh, ja; changing the language stores the locale and reloads; desktop and mobile variants",
    tests: [
      ["e2e/frame.spec.ts", "changing the language keeps the page"],
      ["e2e/devices.spec.ts", "a window resized across 768 px"],
    ],
  },
  {
    section: "1",
    line: "Terms: 18 or over, 13 to 18 with a guardian, under 13 not; liability cap; tokens not redeemable for cash",
    tests: [["rules/legal.test.ts", "takes its numbers from the rules"]],
  },
  {
    section: "1",
    line: "Page titles and descriptions per route; product pages carry structured data with price in USD and stock",
    tests: [crawler, ["e2e/crawler.spec.ts", "the price of the markup"]],
  },
  {
    section: "1",
    line: "A translation is accepted only in its own script and without leftover markers, else the English text is used",
    tests: [["rules/catalog.test.ts", "translation"]],
  },
  {
    section: "1",
    line: "Visitor source tracking: taken from the URL, stored locally, attached to requests",
    tests: [reported, stored, ["domain/merchants.test.ts", "files an application"]],
  },
  {
    section: "2",
    line: "/ home: hero, showcase, feature blurbs, stats, e-mail subscription",
    tests: [
      ["e2e/subscription.spec.ts", "discount alerts"],
      ["domain/catalog-lists.test.ts", "home"],
      crawler,
    ],
  },
  {
    section: "2",
    line: "/i/{userId} friend referral landing",
    tests: [["e2e/invite.spec.ts", "an invitation is remembered"]],
  },
  { section: "2", line: "/login, /register guests only", tests: [guests, sale] },
  { section: "2", line: "/forgot-password, /set-new-password, /reset-password", later: "issue 4" },
  {
    section: "2",
    line: "/top-trending sorted by relevance, price ascending, price descending",
    tests: [["domain/catalog-lists.test.ts", "sort"], crawler],
  },
  {
    section: "2",
    line: "/limited-offer",
    tests: [
      ["domain/catalog-lists.test.ts", "deal"],
      ["e2e/product.spec.ts", "a deal's countdown"],
    ],
  },
  { section: "2", line: "/cart, /profile, /order-history login required", tests: [gates] },
  { section: "2", line: "/payment-billing, /coupons login required", later: "issue 4" },
  {
    section: "2",
    line: "/product/detail/{id}, /product/{slug}: plans, stock, pre-order, notify-me, share link, countdown with items left, free claim",
    tests: [
      ["e2e/product.spec.ts", "what holds for a plan"],
      ["e2e/product.spec.ts", "the number's address"],
      ["e2e/product.spec.ts", "who asks to be told"],
      ["e2e/product.spec.ts", "the link is copied"],
      ["e2e/guest.spec.ts", "a free pass is claimed"],
    ],
  },
  { section: "2", line: "/business/register", tests: [["e2e/business.spec.ts", "a merchant applies"]] },
  {
    section: "2",
    line: "/search: query with source parameters, filters, price range, categories, clear filters",
    tests: [
      ["e2e/search.spec.ts", "filters narrow"],
      ["e2e/search.spec.ts", "the header's search replaces"],
      ["e2e/search.spec.ts", "a search without results"],
    ],
  },
  {
    section: "2",
    line: "/checkout: delivery e-mail change, payment method, free-order completion",
    tests: [
      ["e2e/checkout.spec.ts", "another delivery address"],
      ["e2e/cart.spec.ts", "a free pass in the cart"],
    ],
  },
  {
    section: "2",
    line: "/payment/cancel, /payment/success, /payment/error login required",
    tests: [gates, ["e2e/payment.spec.ts", "declined, then paid"]],
  },
  {
    section: "2",
    line: "/privacy-policy, /terms-of-service, /refund-policy",
    tests: [crawler, ["e2e/banners.spec.ts", "legal pages start at the top"]],
  },
  {
    section: "2",
    line: "/free-voucher",
    tests: [crawler, ["e2e/guest.spec.ts", "a free pass is claimed"]],
    later: "vouchers: issue 4",
  },
  {
    section: "2",
    line: "/blog, /blog/detail/{id}: search, previous and next page, hot, recommended, newest",
    tests: [
      ["e2e/blog.spec.ts", "from the list to a post"],
      ["e2e/blog.spec.ts", "the search finds part"],
      ["e2e/blog.spec.ts", "what was read most"],
    ],
  },
  {
    section: "2",
    line: "/unsubscribe",
    tests: [
      ["e2e/subscription.spec.ts", "discount alerts"],
      ["domain/subscriptions.test.ts", "needs the link"],
    ],
  },
  {
    section: "2",
    line: "Order history: review, cancel, delete, continue payment with the time remaining",
    tests: [
      ["e2e/checkout.spec.ts", "an order is cancelled from the history"],
      ["e2e/review.spec.ts", "a buyer reviews"],
      ["e2e/payment.spec.ts", "declined, then paid"],
    ],
  },
  { section: "2", line: "Order history: refund", later: "issue 5" },
  { section: "2", line: "Social login through two providers", later: "issue 4" },
  {
    section: "2",
    line: "Mobile routes: a twin of every page below /mobile, /mobile/limited, /mobile/search-results",
    tests: [
      routesSeen,
      ["e2e/search.spec.ts", "the list of results keeps"],
      ["e2e/devices.spec.ts", "leads to"],
    ],
  },
  {
    section: "2",
    line: "Header: search (Enter or button, emptied, replaces the query), languages, sell, user, cart; hidden on mobile",
    tests: [
      ["e2e/frame.spec.ts", "the header searches"],
      ["e2e/banners.spec.ts", "the footer has its sections"],
      ["e2e/devices.spec.ts", "the bar leads"],
    ],
  },
  {
    section: "2",
    line: "Footer: navigation, legal, contact, five social links, working hours",
    tests: [["e2e/banners.spec.ts", "the footer has its sections"]],
  },
  {
    section: "2",
    line: "Links carry id, coupon, tracking, source, campaign, medium, content",
    tests: [stored, carried],
  },
  {
    section: "2",
    line: "Global message banners and a share message banner",
    tests: [
      ["e2e/banners.spec.ts", "a banner says"],
      ["e2e/product.spec.ts", "the link is copied"],
    ],
  },
  {
    section: "2",
    line: "Mobile device: 768 px or less, or a mobile agent; sent to the /mobile path with its query",
    tests: [
      ["e2e/devices.spec.ts", "leads to"],
      ["e2e/devices.spec.ts", "a narrow window"],
    ],
  },
  { section: "2", line: "A logged-in user at a guest-only page goes to /profile", tests: [guests] },
  {
    section: "2",
    line: "A guest at a login-required page goes to /login with the full path in redirect",
    tests: [gates],
  },
  { section: "2", line: "Stored source values are re-added to the query on navigation", tests: [stored] },
  {
    section: "2",
    line: "Scroll: top on navigation, restored on back, legal pages always at the top",
    tests: [
      ["e2e/banners.spec.ts", "legal pages start"],
      ["e2e/banners.spec.ts", "a page starts at the top"],
    ],
  },
  {
    section: "2",
    line: "A resize that changes the device class reloads in the other layout",
    tests: [["e2e/devices.spec.ts", "a window resized"]],
  },
  {
    section: "2",
    line: "Titles of the payment pages",
    tests: [["rules/payment-titles.test.ts", "the payment pages are called"]],
  },
  {
    section: "2",
    line: "Prefetching on hover, touch and idle of five routes; up to five child routes",
    tests: [
      ["e2e/prefetch.spec.ts", "the five named pages"],
      ["e2e/prefetch.spec.ts", "on a desktop nothing"],
      ["rules/prefetch-budget.test.ts", "five further pages"],
    ],
  },
  {
    section: "2",
    line: "A failure inside the route guard lets navigation proceed",
    tests: [["rules/middleware.test.ts", "fail"]],
  },
  {
    section: "9",
    line: "Request timeout 60 s; toasts 3 s; breakpoint 768 px; resize debounce 300 ms; alternate link at 640 px",
    tests: [
      ["rules/api-client.test.ts", "waits for an answer 60 seconds"],
      ["e2e/devices.spec.ts", "a window resized"],
      crawler,
    ],
  },
  {
    section: "9",
    line: "Source lifetime 7 days; duplicate window 2 s",
    tests: [stored, ["domain/tracking.test.ts", "lives seven days"]],
  },
  {
    section: "9",
    line: "Translation cache 7 days; polling default 30 s",
    later: "no client translation yet",
  },
  { section: "9", line: "Google script load timeout 60 s", later: "issue 4" },
  {
    section: "9",
    line: "Page size default 10 for orders and search",
    tests: [["api/product.test.ts", "page"]],
  },
  {
    section: "9",
    line: "Refund: 15 days for unredeemed passes of 30 days or more; shorter and limited-time ones not",
    tests: [
      ["rules/refund.test.ts", "refund"],
      ["rules/legal.test.ts", "takes its numbers from the rules"],
    ],
  },
  { section: "9", line: "Free vouchers: $5 a day, $10 on a first order of $50", later: "issue 4" },
  {
    section: "9",
    line: "Invite page claims 1000+ users only when true",
    tests: [["e2e/invite.spec.ts", "an invitation is remembered"]],
  },
  {
    section: "9",
    line: "Currency usd; structured data in USD; languages en, zh, ja; default sort recommend",
    tests: [crawler, ["api/product.test.ts", "sort"]],
  },
  {
    section: "9",
    line: "Support hours Mon-Fri 9am-6pm EST",
    tests: [["e2e/banners.spec.ts", "the footer has its sections"]],
  },
  {
    section: "9",
    line: "Payment: a wallet payment and a card payment",
    tests: [sale],
    later: "Stripe's own elements: issue 5",
  },
];
