"use client";

import { type FormEvent, useState } from "react";
import { askSignIn, type ChosenPass } from "@/components/accounts/in-place/ask-sign-in";
import { usePendingAction } from "@/components/accounts/in-place/pending-action";
import { useSessionSummary } from "@/components/shell/session-summary";
import { Button } from "@/components/ui/button";
import { Icon } from "@/components/ui/icon";
import { ErrorNotice } from "@/components/ui/notice";
import { useSurface } from "@/components/ui/surface";
import { lazyPost } from "@/lib/platform/api/lazy-client";
import { localizedPath } from "@/lib/platform/routing/paths";

export type NotifyMeLabels = { notify: string; notified: string; network: string };

/**
 * The button of a sold-out plan. It requests one email when the plan is back in stock
 * (docs/product.md#25-product-page). A guest signs in or registers in place first. Before the script runs it is a plain
 * form that leads back to this plan. Give it a `key` of the plan.
 */
export function NotifyMe({
  vipId,
  slug,
  pass,
  labels,
}: {
  vipId: number;
  slug: string;
  pass: ChosenPass;
  labels: NotifyMeLabels;
}) {
  const [state, setState] = useState<"open" | "pending" | "requested">("open");
  const [problem, setProblem] = useState("");
  const page = useSurface();
  const isGuest = useSessionSummary()?.signedIn === false;
  const action = `notify:${vipId}`;
  const returnPath = localizedPath(`/product/${slug}?plan=${vipId}`, page);
  const signIn = () => askSignIn({ purpose: "notify", pass, returnPath, action });

  async function requestNotification(asked = false): Promise<void> {
    setState("pending");
    setProblem("");
    if (isGuest && !asked) return (await signIn()) ? requestNotification(true) : setState("open");
    const result = await lazyPost("/wait-list/create", { vip_id: vipId }, labels.network);
    if (result.ok) return setState("requested");
    if (result.code === "401" && !asked && (await signIn())) return requestNotification(true);
    setState("open");
    if (result.code !== "401") setProblem(result.message);
  }
  usePendingAction([action], () => void requestNotification(true));

  const submit = (event: FormEvent) => {
    event.preventDefault();
    void requestNotification();
  };
  return (
    <form action={localizedPath(`/product/${slug}`, page)} onSubmit={submit} className="flex flex-col gap-2">
      <input type="hidden" name="plan" value={vipId} />
      <ErrorNotice>{problem}</ErrorNotice>
      {state === "requested" ? (
        <p role="status" className="flex min-h-12 items-center justify-center gap-2 text-good">
          <Icon name="check" size={18} />
          {labels.notified}
        </p>
      ) : (
        <Button type="submit" large block pending={state === "pending"}>
          <Icon name="mail" size={18} />
          {labels.notify}
        </Button>
      )}
    </form>
  );
}
