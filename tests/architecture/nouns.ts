/** Each noun has a folder in lib and, if it has screens, in components. See docs/architecture.md. */
export const NOUNS = [
  "accounts",
  "agents",
  "blog",
  "cart",
  "catalog",
  "coupons",
  "delivery",
  "merchants",
  "orders",
  "payments",
  "payouts",
  "referrals",
  "reviews",
  "staff",
  "support",
  "tracking",
  "notifications",
  "webhooks",
];

/** The noun of a file in lib or components. */
export const findNoun = (path: string) =>
  NOUNS.find((noun) => path.startsWith(`lib/${noun}/`) || path.startsWith(`components/${noun}/`));
