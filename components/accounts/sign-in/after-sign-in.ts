"use client";

import type { Post } from "@/components/accounts/use-calls";
import { showToastAfterNavigation } from "@/components/ui/toast";
import type { SignInReturn } from "@/lib/accounts/sign-in/rules";
import { withAttribution } from "@/lib/platform/routing/attribution";

/** Signing in over a page, which then continues by itself (components/accounts/in-place). */
export type InPlaceReturn = {
  /** the query of links to other ways of signing in, which return to the page */
  query: string;
  invite?: undefined;
  onSignedIn: () => void;
  /** called before a sign-in that leaves the page */
  onLeave: () => void;
};

/** Where a form continues after signing in. */
export type AfterSignIn = SignInReturn | InPlaceReturn;

/** Tells the page below that the reader goes elsewhere to sign in. */
export const beforeLeaving = (after: AfterSignIn): void => {
  if ("onLeave" in after) after.onLeave();
};

/**
 * Continues in place; otherwise adds a pending cart item, then loads the return address as a new document, so that
 * personal data is fresh.
 */
export async function redirectAfterSignIn(
  after: AfterSignIn,
  post: Post,
  labels: { added: string },
): Promise<"leaving"> {
  if ("onSignedIn" in after) {
    after.onSignedIn();
    return "leaving";
  }
  const { target, add } = after;
  if (add) {
    const result = await post("/cart/auto-add", add);
    if (result.ok) showToastAfterNavigation(labels.added, "good");
    else if (result.message) showToastAfterNavigation(result.message, "bad");
  }
  location.replace(withAttribution(target));
  return "leaving";
}
