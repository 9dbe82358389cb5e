"use client";

import type { Post } from "@/components/accounts/use-calls";
import { showToastAfterNavigation } from "@/components/ui/toast";
import type { SignInReturn } from "@/lib/accounts/sign-in/rules";
import { withAttribution } from "@/lib/platform/routing/attribution";

/**
 * Redirects to the return address with a full page load, so that all personal data is fresh. A pending cart item is
 * added first. If that fails, the next page shows why and the sign-in remains valid.
 */
export async function redirectAfterSignIn(
  { target, add }: SignInReturn,
  post: Post,
  labels: { added: string },
): Promise<"leaving"> {
  if (add) {
    const result = await post("/cart/auto-add", add);
    if (result.ok) showToastAfterNavigation(labels.added, "good");
    else if (result.message) showToastAfterNavigation(result.message, "bad");
  }
  location.replace(withAttribution(target));
  return "leaving";
}
