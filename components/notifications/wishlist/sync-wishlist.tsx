"use client";

import { useRouter } from "next/navigation";
import { useEffect } from "react";
import { useSessionSummary } from "@/components/shell/session-summary";
import { useNavigate } from "@/components/ui/link";
import { mergeWishes, useKeptWishes } from "./wishes";

/**
 * Brings the wishlist page up to date with what this browser keeps: a guest's list is in the address, and an account's
 * list first takes what was kept before the sign-in. Removed products stay until the next visit, so that they can be saved
 * again.
 */
export function SyncWishlist({ account, shown }: { account: boolean; shown: readonly number[] }) {
  const navigate = useNavigate();
  const router = useRouter();
  const session = useSessionSummary();
  const wishes = useKeptWishes();
  const missing = !account && wishes.some((id) => !shown.includes(id));
  useEffect(() => {
    if (missing) navigate(`/wishlist?products=${wishes.join(",")}`, { replace: true });
  }, [missing, wishes, navigate]);
  useEffect(() => {
    if (account && session?.signedIn)
      void mergeWishes().then((added) => {
        if (added) router.refresh();
      });
  }, [account, session?.signedIn, router]);
  return null;
}
