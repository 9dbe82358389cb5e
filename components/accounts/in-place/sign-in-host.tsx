"use client";

import { useEffect, useState } from "react";
import { announceCartChange } from "@/components/shell/session-summary";
import { useSurface } from "@/components/ui/surface";
import { localizedPath } from "@/lib/platform/routing/paths";
import { registerSignInHost, type SignInRequest } from "./ask-sign-in";
import { storePendingAction } from "./pending-action";
import type { SignInForm } from "./sign-in-dialog";

type Loaded = { Dialog: typeof import("./sign-in-dialog").SignInDialog; form: SignInForm };
type Asked = Loaded & { request: SignInRequest; open: boolean; answer: (signedIn: boolean) => void };

/** Loads the form and its texts at the first use, so that public pages carry neither. */
async function loadForm(): Promise<Loaded | null> {
  try {
    const { SignInDialog, readSignInForm } = await import("./sign-in-dialog");
    const form = await readSignInForm();
    return form && { Dialog: SignInDialog, form };
  } catch {
    return null;
  }
}

/** The place of the form that `askSignIn` opens, once in the shell. The login page takes its place when it cannot load. */
export function SignInHost() {
  const page = useSurface();
  const [asked, setAsked] = useState<Asked | null>(null);
  const loginPath = localizedPath("/login", page);

  useEffect(
    () =>
      registerSignInHost(async (request) => {
        const loaded = await loadForm();
        if (!loaded) {
          leaveForSignIn(request);
          location.assign(`${loginPath}?redirect=${encodeURIComponent(request.returnPath)}`);
        }
        return new Promise((answer) => {
          if (loaded) setAsked({ ...loaded, request, open: true, answer });
        });
      }),
    [loginPath],
  );

  // The browser's back button leaves the page below, so the form goes with it.
  useEffect(() => {
    if (!asked?.open) return;
    const close = () => {
      setAsked({ ...asked, open: false });
      asked.answer(false);
    };
    addEventListener("popstate", close);
    return () => removeEventListener("popstate", close);
  }, [asked]);

  if (!asked) return null;
  const { Dialog, form, request, open, answer } = asked;
  const close = (signedIn: boolean) => {
    setAsked({ ...asked, open: false });
    if (signedIn) announceCartChange();
    answer(signedIn);
  };
  return (
    <Dialog
      form={form}
      request={request}
      open={open}
      onClose={() => open && close(false)}
      onSignedIn={() => close(true)}
      onLeave={() => leaveForSignIn(request)}
    />
  );
}

const leaveForSignIn = ({ action }: SignInRequest) => action && storePendingAction(action);
