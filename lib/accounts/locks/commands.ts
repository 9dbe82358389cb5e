import type { Tx } from "@/db/client";
import { clearRateLimits } from "@/lib/platform/rate-limit";
import { type LockedAccount, signInFamilies } from "./queries";

/** Lets an account try its password again, from all networks. */
export const clearSignInLocks = (tx: Tx, account: LockedAccount): Promise<void> =>
  clearRateLimits(signInFamilies(account), tx);
