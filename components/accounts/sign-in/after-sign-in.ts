"use client";

import type { Post } from "@/components/accounts/use-calls";
import { keepToast } from "@/components/ui/toast";
import type { Return } from "@/lib/accounts/sign-in/rules";
import { withAttribution } from "@/lib/platform/routing/attribution";

/**
 * Goes where the guest wanted to go, as a new document so that everything personal is fresh. What was to go into the
 * cart goes there first; when that fails the next page says why, and the login stands all the same.
 */
export async function goOn(
  { target, add }: Return,
  post: Post,
  words: { added: string },
): Promise<"leaving"> {
  if (add) {
    const answer = await post("/cart/auto-add", add);
    if (answer.ok) keepToast(words.added, "good");
    else if (answer.message) keepToast(answer.message, "bad");
  }
  location.replace(withAttribution(target));
  return "leaving";
}
