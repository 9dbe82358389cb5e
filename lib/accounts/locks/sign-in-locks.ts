import { type Db, db, type Tx } from "@/db/client";
import { LOGIN_TRIES, LOGIN_TRIES_ALL_NETWORKS } from "@/lib/accounts/rules";
import { hmac } from "@/lib/platform/crypto/hmac";
import { type CounterFamily, clearRateLimits, findLockedUntil } from "@/lib/platform/rate-limit";

/** The counters of failed logins of an address: those of each network, and the one of all networks together. */
export function loginCounterFamilies(email: string): { network: CounterFamily; all: CounterFamily } {
  const account = hmac("limit", `login ${email}`);
  return {
    network: { name: `login:network:${account}`, limit: LOGIN_TRIES },
    all: { name: `login:account:${account}`, limit: LOGIN_TRIES_ALL_NETWORKS },
  };
}

/** The counter of wrong passwords of a signed-in account. */
export const passwordTriesFamily = (userId: string): CounterFamily => ({
  name: `proof:account:${hmac("limit", `proof ${userId}`)}`,
  limit: LOGIN_TRIES,
});

export type LockedAccount = { id: string; email: string };

/** All counters that may lock an account out. */
function signInFamilies({ id, email }: LockedAccount): CounterFamily[] {
  return [...Object.values(loginCounterFamilies(email.toLowerCase())), passwordTriesFamily(id)];
}

/** Until when sign-in or reauthentication with a password is locked, from some network at least; null: it is not. */
export const findSignInLock = (account: LockedAccount, within: Db = db): Promise<string | null> =>
  findLockedUntil(signInFamilies(account), within);

/** Lets an account try its password again, from all networks. */
export const clearSignInLocks = (tx: Tx, account: LockedAccount): Promise<void> =>
  clearRateLimits(signInFamilies(account), tx);
