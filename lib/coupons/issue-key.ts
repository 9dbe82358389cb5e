import { and, eq, like, or, type SQL } from "drizzle-orm";
import { coupons } from "@/db/schema/coupons";
import { emailIdentityHash } from "@/lib/platform/auth/email-identity";
import type { VoucherType } from "./contract";

/**
 * Limits a coupon to one per recipient. `key` is unique per email identity, also after the account was deleted.
 * `accountPattern` matches the keys of coupons that the account received under an earlier address.
 */
export type IssueKey = { key: string; accountPattern: string };

const issueKeyFor = (toKey: (emailIdentity: string) => string, email: string): IssueKey => ({
  key: toKey(emailIdentityHash(email)),
  accountPattern: toKey("%"),
});

/** A key that does not depend on the recipient. */
export const exactIssueKey = (key: string): IssueKey => ({ key, accountPattern: key });

export const promotionIssueKey = (campaignId: string, email: string): IssueKey =>
  issueKeyFor((emailIdentity) => `promotion:${campaignId}:${emailIdentity}`, email);

/** The daily voucher, or the first-order bonus. A day is a day in UTC. */
export const voucherIssueKey = (type: VoucherType, email: string, now: Date): IssueKey =>
  issueKeyFor(
    (emailIdentity) =>
      type === "daily"
        ? `daily:${emailIdentity}:${now.toISOString().slice(0, 10)}`
        : `new_user:${emailIdentity}`,
    email,
  );

/** SQL: the coupons that this account, or another of the same email identity, received. */
export const issuedCouponsSql = (userId: string, { key, accountPattern }: IssueKey): SQL | undefined =>
  or(eq(coupons.issueKey, key), and(eq(coupons.userId, userId), like(coupons.issueKey, accountPattern)));
