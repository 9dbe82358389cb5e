"use client";

import { type FormEvent, useEffect, useRef, useState } from "react";
import { useSessionSummary } from "@/components/shell/session-summary";
import { Button } from "@/components/ui/button";
import { Icon } from "@/components/ui/icon";
import { useNavigate } from "@/components/ui/link";
import { ErrorNotice } from "@/components/ui/notice";
import { useSurface } from "@/components/ui/surface";
import { lazyPost } from "@/lib/platform/api/lazy-client";
import { localizedPath } from "@/lib/platform/routing/paths";

export type NotifyMeLabels = { notify: string; notified: string; network: string };

/**
 * The button of a sold-out plan. It requests one email when the plan is back in stock
 * (docs/product.md#25-product-page). A guest logs in first and returns to this plan with the request made. Without
 * JavaScript it is a plain form that leads to the login and back. Give it a `key` of the plan.
 */
export function NotifyMe({ vipId, slug, labels }: { vipId: number; slug: string; labels: NotifyMeLabels }) {
  const [state, setState] = useState<"open" | "pending" | "requested">("open");
  const [problem, setProblem] = useState("");
  const navigate = useNavigate();
  const page = useSurface();
  const signedIn = useSessionSummary()?.signedIn === true;
  const returnPath = localizedPath(`/product/${slug}?plan=${vipId}`, page);

  const requestNotification = async () => {
    setState("pending");
    setProblem("");
    const result = await lazyPost("/wait-list/create", { vip_id: vipId }, labels.network);
    if (result.ok) return setState("requested");
    if (result.code === "401") {
      storePendingRequest(vipId);
      return navigate(`/login?redirect=${encodeURIComponent(returnPath)}`);
    }
    setState("open");
    setProblem(result.message);
  };
  const latestRequest = useRef(requestNotification);
  latestRequest.current = requestNotification;
  useEffect(() => {
    if (signedIn && takePendingRequest(vipId)) void latestRequest.current();
  }, [signedIn, vipId]);

  const submit = (event: FormEvent) => {
    event.preventDefault();
    void requestNotification();
  };
  return (
    <form action={localizedPath("/login", page)} onSubmit={submit} className="flex flex-col gap-2">
      <input type="hidden" name="redirect" value={returnPath} />
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

const STORAGE_KEY = "passlane:notify";

/** The request is stored in this tab only, so an external link cannot trigger it. */
function storePendingRequest(vipId: number): void {
  try {
    sessionStorage.setItem(STORAGE_KEY, String(vipId));
  } catch {
    // Storage may be blocked. The user then presses the button again after the login.
  }
}

/** Returns once whether this plan was requested before the login. */
function takePendingRequest(vipId: number): boolean {
  try {
    const pending = sessionStorage.getItem(STORAGE_KEY) === String(vipId);
    if (pending) sessionStorage.removeItem(STORAGE_KEY);
    return pending;
  } catch {
    return false;
  }
}
