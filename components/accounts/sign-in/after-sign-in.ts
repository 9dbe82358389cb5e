"use client";

import type { Post } from "@/components/accounts/use-calls";
import { showToastAfterNavigation } from "@/components/ui/toast";
import type { SignInReturn } from "@/lib/accounts/sign-in/rules";
import { withAttribution } from "@/lib/platform/routing/attribution";

/**
 * Goes where the guest wanted to go, as a new document so that everything personal is fresh. What was to go into the
 * cart goes there first; when that fails the next page says why, and the login stands all the same.
 */
export async function redirectAfterSignIn(
  { target, add }: SignInReturn,
  post: Post,
  labels: { added: string },
): Promise<"leaving"> {
  if (add) {
    const answer = await post("/cart/auto-add", add);
    if (answer.ok) showToastAfterNavigation(labels.added, "good");
    else if (answer.message) showToastAfterNavigation(answer.message, "bad");
  }
  location.replace(withAttribution(target));
  return "leaving";
}
