"use client";

import { useRouter } from "next/navigation";
import { askSignIn } from "@/components/accounts/in-place/ask-sign-in";
import { usePendingAction } from "@/components/accounts/in-place/pending-action";
import type { VerifyLabels } from "@/components/accounts/verification/use-code-labels";
import { VerifyEmail } from "@/components/accounts/verification/verify-email";
import { Button } from "@/components/ui/button";
import { ErrorNotice, Notice } from "@/components/ui/notice";
import { useSurface } from "@/components/ui/surface";
import { useCall } from "@/components/ui/use-call";
import { api } from "@/lib/platform/api/client";
import { localizedPath } from "@/lib/platform/routing/paths";

/** The reader's account, which needs the invited address as its verified email. */
export type InviteAccount = { email: string; verified: boolean };

const ACTION = "accept-invite";
const EMAIL_UNVERIFIED = "40311";
const OTHER_ACCOUNT = "40317";

export type AcceptLabels = {
  action: string;
  hint: string;
  other: string;
  sign_out: string;
  network: string;
  verify: VerifyLabels;
};

type Props = {
  token: string;
  account: InviteAccount | null;
  /** the account has the invited address; null: not signed in */
  forViewer: boolean | null;
  labels: AcceptLabels;
};

/** Accepts the invitation after the sign-in and verification that it needs, then opens the console. */
export function AcceptInvite({ token, account, forViewer, labels }: Props) {
  const router = useRouter();
  const page = useSurface();
  const needsVerification = forViewer === true && account !== null && !account.verified;
  const { pending, problem, setProblem, run } = useCall(labels.network);

  async function accept(signedIn: boolean): Promise<void> {
    const returnPath = localizedPath(`/business/invite/${token}`, page);
    if (!signedIn && !(await askSignIn({ purpose: "merchant", returnPath, action: ACTION }))) return;
    const result = await run((options) => api.post("/business/invite/accept", { token }, options));
    if (result.ok) return openConsole(result.data);
    if (result.code === "401" && signedIn) return accept(false);
    // The page asks for the verification, or for another account, itself.
    if (result.code === EMAIL_UNVERIFIED || result.code === OTHER_ACCOUNT) setProblem("");
    // After a refusal the page shows the verification, another account, or why the invitation has ended.
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
  if (needsVerification)
    return <VerifyEmail email={account.email} labels={labels.verify} onVerified={() => accept(true)} />;
  return (
    <div className="flex flex-col items-start gap-3">
      <Button look="primary" large pending={pending} onClick={() => void accept(account !== null)}>
        {labels.action}
      </Button>
      {account === null && <p className="text-13 text-quiet">{labels.hint}</p>}
      <ErrorNotice>{problem}</ErrorNotice>
    </div>
  );
}
