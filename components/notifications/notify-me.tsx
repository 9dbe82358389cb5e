"use client";

import { type FormEvent, useEffect, useRef, useState } from "react";
import { useSessionSummary } from "@/components/shell/session-summary";
import { Button } from "@/components/ui/button";
import { Icon } from "@/components/ui/icon";
import { useNavigate } from "@/components/ui/link";
import { Notice } from "@/components/ui/notice";
import { useSurface } from "@/components/ui/surface";
import { lazyPost } from "@/lib/platform/api/lazy-client";
import { localizedPath } from "@/lib/platform/routing/paths";

export type NotifyMeLabels = { ask: string; asked: string; network: string };

/**
 * The button of a sold-out plan. It requests one email when the plan is back in stock
 * (docs/product.md#25-product-page). A guest logs in first and returns to this plan with the request made. Without
 * JavaScript it is a plain form that leads to the login and back. Give it a `key` of the plan.
 */
export function NotifyMe({ vipId, slug, labels }: { vipId: number; slug: string; labels: NotifyMeLabels }) {
  const [state, setState] = useState<"open" | "pending" | "asked">("open");
  const [problem, setProblem] = useState("");
  const navigate = useNavigate();
  const place = useSurface();
  const signedIn = useSessionSummary()?.signedIn === true;
  const back = localizedPath(`/product/${slug}?plan=${vipId}`, place);

  const ask = async () => {
    setState("pending");
    setProblem("");
    const answer = await lazyPost("/wait-list/create", { vip_id: vipId }, labels.network);
    if (answer.ok) return setState("asked");
    if (answer.code === "401") {
      rememberWish(vipId);
      return navigate(`/login?redirect=${encodeURIComponent(back)}`);
    }
    setState("open");
    setProblem(answer.message);
  };
  const asking = useRef(ask);
  asking.current = ask;
  useEffect(() => {
    if (signedIn && takeWish(vipId)) void asking.current();
  }, [signedIn, vipId]);

  const submit = (event: FormEvent) => {
    event.preventDefault();
    void ask();
  };
  return (
    <form action={localizedPath("/login", place)} onSubmit={submit} className="flex flex-col gap-2">
      <input type="hidden" name="redirect" value={back} />
      {problem && (
        <Notice kind="bad" live>
          {problem}
        </Notice>
      )}
      {state === "asked" ? (
        <p role="status" className="flex min-h-12 items-center justify-center gap-2 text-good">
          <Icon name="check" size={18} />
          {labels.asked}
        </p>
      ) : (
        <Button type="submit" large block pending={state === "pending"}>
          <Icon name="mail" size={18} />
          {labels.ask}
        </Button>
      )}
    </form>
  );
}

const WISH = "passlane:notify";

/** The request is stored in this tab only, so an external link cannot trigger it. */
function rememberWish(vipId: number): void {
  try {
    sessionStorage.setItem(WISH, String(vipId));
  } catch {
    // Storage may be blocked. The user then presses the button again after the login.
  }
}

/** Returns once whether this plan was requested before the login. */
function takeWish(vipId: number): boolean {
  try {
    const wished = sessionStorage.getItem(WISH) === String(vipId);
    if (wished) sessionStorage.removeItem(WISH);
    return wished;
  } catch {
    return false;
  }
}
