"use client";

import { useRouter } from "next/navigation";
import { useEffect, useState } from "react";
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
  /** to whoever follows the link of the first email */
  proofHint: string;
  done: string;
  network: string;
  verify: VerifyLabels;
};

const proofKey = (token: string) => `passlane:gift-proof:${token}`;

/**
 * The secret that the link of the first email carries behind its #, so that no server and no other page gets it. It leaves the
 * address, and the tab keeps it over a sign-in on another page.
 */
function useProof(token: string) {
  const [proof, setProof] = useState("");
  useEffect(() => {
    const carried = /^#([\w-]{20,120})$/.exec(location.hash)?.[1];
    try {
      if (carried) {
        sessionStorage.setItem(proofKey(token), carried);
        history.replaceState(history.state, "", location.pathname + location.search);
      }
      setProof(sessionStorage.getItem(proofKey(token)) ?? "");
    } catch {
      setProof(carried ?? ""); // storage may be blocked
    }
  }, [token]);
  return {
    proof,
    drop: () => {
      setProof("");
      try {
        sessionStorage.removeItem(proofKey(token));
      } catch {}
    },
  };
}

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
  const { proof, drop } = useProof(token);
  const needsVerification = account !== null && !account.verified && proof === "";
  const { pending, problem, setProblem, run } = useCall(labels.network);

  async function claim(signedIn: boolean): Promise<void> {
    const signIn = () =>
      askSignIn({
        purpose: "gift",
        returnPath: localizedPath(`/gift/${token}`, page),
        action: ACTION,
      });
    if (!signedIn && !(await signIn())) return;
    const result = await run((options) =>
      api.post("/gift/claim", { token, ...(proof && { proof }) }, options),
    );
    if (result.ok) {
      drop();
      showToast(labels.done, "good");
      return navigate("/library", { replace: true });
    }
    if (result.code === "401" && signedIn) return claim(false);
    // The page asks for the verification itself.
    if (result.code === EMAIL_UNVERIFIED) {
      setProblem("");
      drop();
    }
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
      {account === null && <p className="text-13 text-quiet">{proof ? labels.proofHint : labels.hint}</p>}
      <ErrorNotice>{problem}</ErrorNotice>
    </div>
  );
}
