import { useEffect } from "react";
import { announceCartChange } from "@/components/shell/session-summary";
import { api } from "@/lib/platform/api/client";
import { leaveForSignIn } from "./pending-action";
import { SignInDialog, type SignInForm } from "./sign-in-dialog";
import type { SignInPlaceProps } from "./sign-in-host";

/** The providers and texts of the form; null when they cannot be read. */
export async function readSignInForm(): Promise<SignInForm | null> {
  const result = await api.get("/auth/sign-in-form");
  return result.ok ? result.data : null;
}

/** The form that `askSignIn` opens, and what closes it. It loads with the first request. */
export function SignInPlace({ form, request, open, onClose }: SignInPlaceProps) {
  // The browser's back button leaves the page below, so the form goes with it.
  useEffect(() => {
    if (!open) return;
    const close = () => onClose(false);
    addEventListener("popstate", close);
    return () => removeEventListener("popstate", close);
  }, [open, onClose]);
  return (
    <SignInDialog
      form={form}
      request={request}
      open={open}
      onClose={() => open && onClose(false)}
      onSignedIn={() => {
        announceCartChange();
        onClose(true);
      }}
      onLeave={() => leaveForSignIn(request)}
    />
  );
}
