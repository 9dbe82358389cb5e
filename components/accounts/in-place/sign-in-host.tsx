"use client";

import { type ComponentType, useEffect, useState } from "react";
import { useSurface } from "@/components/ui/surface";
import { localizedPath } from "@/lib/platform/routing/paths";
import { registerSignInHost, type SignInRequest } from "./ask-sign-in";
import { leaveForSignIn } from "./pending-action";
import type { SignInForm } from "./sign-in-dialog";

/** The form in place. It stays mounted while closed, so that it keeps what was typed. */
export type SignInPlaceProps = {
  form: SignInForm;
  request: SignInRequest;
  open: boolean;
  onClose: (signedIn: boolean) => void;
};
type Loaded = { Place: ComponentType<SignInPlaceProps>; form: SignInForm };
type OpenForm = Loaded & { request: SignInRequest; open: boolean; answer: (signedIn: boolean) => void };

/** Loads the form and its texts at the first use, so that public pages carry neither. */
async function loadForm(): Promise<Loaded | null> {
  try {
    const { SignInPlace, readSignInForm } = await import("./sign-in-place");
    const form = await readSignInForm();
    return form && { Place: SignInPlace, form };
  } catch {
    return null;
  }
}

/** Shows the form that `askSignIn` opens, once in the shell. The login page takes its place when it cannot load. */
export function SignInHost() {
  const page = useSurface();
  const [openForm, setOpenForm] = useState<OpenForm | null>(null);
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
          if (loaded) setOpenForm({ ...loaded, request, open: true, answer });
        });
      }),
    [loginPath],
  );

  if (!openForm) return null;
  const { Place, answer, ...shown } = openForm;
  const onClose = (signedIn: boolean) => {
    setOpenForm({ ...openForm, open: false });
    answer(signedIn);
  };
  return <Place {...shown} onClose={onClose} />;
}
