"use client";

import { useState } from "react";
import { Button } from "@/components/ui/button";
import { Icon } from "@/components/ui/icon";
import { useNavigate } from "@/components/ui/link";
import { Notice } from "@/components/ui/notice";
import { useSurface } from "@/components/ui/surface";
import { api } from "@/lib/api-client";
import { localizedPath } from "@/lib/navigation";

export type NotifyMeWords = { ask: string; asked: string; network: string };

/**
 * The button of a sold-out plan: asks to be told once when it is back (spec §2 "notify-me"). A guest logs in first and
 * comes back to this plan. Give it a `key` of the plan.
 */
export function NotifyMe({ vipId, slug, words }: { vipId: number; slug: string; words: NotifyMeWords }) {
  const [state, setState] = useState<"open" | "pending" | "asked">("open");
  const [problem, setProblem] = useState("");
  const navigate = useNavigate();
  const place = useSurface();

  const ask = async () => {
    setState("pending");
    setProblem("");
    const answer = await api.post("/wait-list/create", { vip_id: vipId }, { networkMessage: words.network });
    if (answer.ok) return setState("asked");
    if (answer.code === "401") {
      const back = localizedPath(`/product/${slug}?plan=${vipId}`, place);
      return navigate(`/login?redirect=${encodeURIComponent(back)}`);
    }
    setState("open");
    setProblem(answer.message);
  };

  return (
    <div className="flex flex-col gap-2">
      {problem && (
        <Notice kind="bad" live>
          {problem}
        </Notice>
      )}
      {state === "asked" ? (
        <p role="status" className="flex min-h-12 items-center justify-center gap-2 text-good">
          <Icon name="check" size={18} />
          {words.asked}
        </p>
      ) : (
        <Button large block pending={state === "pending"} onClick={ask}>
          <Icon name="mail" size={18} />
          {words.ask}
        </Button>
      )}
    </div>
  );
}
