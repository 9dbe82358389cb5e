/** The nouns: each has its folder in lib and, where it has screens, in components. See docs/architecture.md. */
export const NOUNS = [
  "accounts",
  "blog",
  "cart",
  "catalog",
  "coupons",
  "delivery",
  "merchants",
  "orders",
  "payments",
  "referrals",
  "reviews",
  "tracking",
  "notifications",
];

/** The noun that a file of lib or components belongs to. */
export const nounOf = (path: string) =>
  NOUNS.find((noun) => path.startsWith(`lib/${noun}/`) || path.startsWith(`components/${noun}/`));
