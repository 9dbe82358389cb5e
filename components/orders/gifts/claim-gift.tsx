"use client";

import { useRouter } from "next/navigation";
import { askSignIn } from "@/components/accounts/in-place/ask-sign-in";
import { usePendingAction } from "@/components/accounts/in-place/pending-action";
import type { VerifyLabels } from "@/components/accounts/verification/use-code-labels";
import { VerifyEmail } from "@/components/accounts/verification/verify-email";
import { EMAIL_UNVERIFIED } from "@/components/cart/error-codes";
import { Button } from "@/components/ui/button";
import { useNavigate } from "@/components/ui/link";
import { ErrorNotice } from "@/components/ui/notice";
import { useSurface } from "@/components/ui/surface";
import { showToast } from "@/components/ui/toast";
import { useCall } from "@/components/ui/use-call";
import { api } from "@/lib/platform/api/client";
import { localizedPath } from "@/lib/platform/routing/paths";

/** The reader's account, which needs a verified email to claim. */
export type GiftAccount = { email: string; verified: boolean };

const ACTION = "claim-gift";

export type ClaimLabels = {
  action: string;
  hint: string;
  done: string;
  network: string;
  verify: VerifyLabels;
};

/** Claims the gift, and first asks for the sign-in and the verification that it needs. */
export function ClaimGift({
  token,
  account,
  labels,
}: {
  token: string;
  account: GiftAccount | null;
  labels: ClaimLabels;
}) {
  const router = useRouter();
  const navigate = useNavigate();
  const page = useSurface();
  const needsVerification = account !== null && !account.verified;
  const { pending, problem, setProblem, run } = useCall(labels.network);

  async function claim(signedIn: boolean): Promise<void> {
    const signIn = () =>
      askSignIn({
        purpose: "gift",
        returnPath: localizedPath(`/gift/${token}`, page),
        action: ACTION,
      });
    if (!signedIn && !(await signIn())) return;
    const result = await run((options) => api.post("/gift/claim", { token }, options));
    if (result.ok) {
      showToast(labels.done, "good");
      return navigate("/library", { replace: true });
    }
    if (result.code === "401" && signedIn) return claim(false);
    // The page asks for the verification itself.
    if (result.code === EMAIL_UNVERIFIED) setProblem("");
    // After a refusal the page shows the verification, or why there is nothing to claim any more.
    if (result.code !== "" || needsVerification) router.refresh();
  }
  usePendingAction([ACTION], () => void claim(true));

  if (needsVerification)
    return <VerifyEmail email={account.email} labels={labels.verify} onVerified={() => claim(true)} />;
  return (
    <div className="flex flex-col items-start gap-3">
      <Button look="primary" large pending={pending} onClick={() => void claim(account !== null)}>
        {labels.action}
      </Button>
      {account === null && <p className="text-13 text-quiet">{labels.hint}</p>}
      <ErrorNotice>{problem}</ErrorNotice>
    </div>
  );
}
