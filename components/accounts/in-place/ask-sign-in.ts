"use client";

import type { ListPrice } from "@/components/ui/price";
import type { DurationSpan } from "@/lib/platform/format";

/** The chosen pass as the form in place shows it, in formatted strings. */
export type ChosenPass = {
  name: string;
  /** the language of the name, where it is not the page's */
  lang?: string;
  image: string;
  detail: string;
  hero: DurationSpan;
  heroLabel?: string;
  price: { text: string; list?: ListPrice };
};

export type SignInRequest = {
  /** what signing in is for; "order" is a session that ended at the checkout */
  purpose: "cart" | "buy" | "notify" | "claim" | "order" | "gift" | "merchant";
  pass?: ChosenPass;
  /** a sentence above the form */
  note?: string;
  /** the address that the page shows; the form starts with it */
  email?: string;
  /** the localized address that a sign-in elsewhere (a provider's page, a new password) returns to */
  returnPath: string;
  /** what to do at that address then (usePendingAction) */
  action?: string;
};

type Host = (request: SignInRequest) => Promise<boolean>;
let host: Host | undefined;

/** Registers the place that shows the form (sign-in-host.tsx); returns a function that removes it. */
export function registerSignInHost(next: Host): () => void {
  host = next;
  return () => {
    if (host === next) host = undefined;
  };
}

/**
 * Asks for a sign-in or a registration over the present page, which stays as it is (docs/product.md#24-navigation).
 * Resolves with true when the reader has a session, with false when they closed the form.
 */
export const askSignIn = (request: SignInRequest): Promise<boolean> =>
  host ? host(request) : Promise.resolve(false);
