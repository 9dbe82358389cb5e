"use client";

import type { Post } from "@/components/accounts/use-calls";
import { showToastAfterNavigation } from "@/components/ui/toast";
import type { SignInReturn } from "@/lib/accounts/sign-in/rules";
import { withAttribution } from "@/lib/platform/routing/attribution";

/** Adds a pending cart item, then loads the return address as a new document, so that personal data is fresh. */
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
