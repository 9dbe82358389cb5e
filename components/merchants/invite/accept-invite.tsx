"use client";

import { useRouter } from "next/navigation";
import { askSignIn } from "@/components/accounts/in-place/ask-sign-in";
import { usePendingAction } from "@/components/accounts/in-place/pending-action";
import { Button } from "@/components/ui/button";
import { ErrorNotice, Notice } from "@/components/ui/notice";
import { useSurface } from "@/components/ui/surface";
import { useCall } from "@/components/ui/use-call";
import { api } from "@/lib/platform/api/client";
import { localizedPath } from "@/lib/platform/routing/paths";

const ACTION = "accept-invite";
const OTHER_ACCOUNT = "40317";

export type AcceptLabels = {
  action: string;
  hint: string;
  other: string;
  sign_out: string;
  network: string;
};

type Props = {
  token: string;
  /** the invited address, with which the sign-in begins */
  email: string | null;
  isSignedIn: boolean;
  /** the account has the invited address; null: not signed in */
  forViewer: boolean | null;
  labels: AcceptLabels;
};

/** Accepts the invitation after the sign-in that it needs, then opens the console. */
export function AcceptInvite({ token, email, isSignedIn, forViewer, labels }: Props) {
  const router = useRouter();
  const page = useSurface();
  const { pending, problem, setProblem, run } = useCall(labels.network);

  async function accept(signedIn: boolean): Promise<void> {
    const returnPath = localizedPath(`/business/invite/${token}`, page);
    const request = { purpose: "merchant", returnPath, action: ACTION, ...(email && { email }) } as const;
    if (!signedIn && !(await askSignIn(request))) return;
    const result = await run((options) => api.post("/business/invite/accept", { token }, options));
    if (result.ok) return openConsole(result.data);
    if (result.code === "401" && signedIn) return accept(false);
    // The page asks for another account itself.
    if (result.code === OTHER_ACCOUNT) setProblem("");
    // After an error the page shows that another account is needed, or why the invitation is invalid.
    if (result.code !== "") router.refresh();
  }
  usePendingAction([ACTION], () => void accept(true));

  /** An owner sets up the second factor first, which leads on to the console. */
  function openConsole({ handle, role }: { handle: string; role: string }): void {
    const desktop = { ...page, surface: "desktop" } as const;
    const home = localizedPath(`/merchant/${handle}`, desktop);
    const security = localizedPath(`/merchant/${handle}/security`, desktop);
    location.assign(role === "owner" ? `${security}?redirect=${encodeURIComponent(home)}` : home);
  }

  async function signOut(): Promise<void> {
    const result = await run((options) => api.post("/auth/logout", {}, options));
    if (result.ok) location.reload();
  }

  if (forViewer === false)
    return (
      <div className="flex flex-col items-start gap-4">
        <Notice kind="warn" title={labels.other} />
        <Button pending={pending} onClick={() => void signOut()}>
          {labels.sign_out}
        </Button>
        <ErrorNotice>{problem}</ErrorNotice>
      </div>
    );
  return (
    <div className="flex flex-col items-start gap-3">
      <Button look="primary" large pending={pending} onClick={() => void accept(isSignedIn)}>
        {labels.action}
      </Button>
      {!isSignedIn && <p className="text-13 text-quiet">{labels.hint}</p>}
      <ErrorNotice>{problem}</ErrorNotice>
    </div>
  );
}
