"use client";

import { useEffect, useState } from "react";
import { Button } from "@/components/ui/button";
import { CopyButton } from "@/components/ui/copy-button";
import { Icon } from "@/components/ui/icon";
import { announceShare } from "@/components/ui/share-event";
import { useSurface } from "@/components/ui/surface";
import { localizedPath } from "@/lib/platform/routing/paths";
import { usePlan } from "./plan-choice";

export type ShareLabels = { copy: string; copied: string; failed: string; share: string };

/**
 * Shares the desktop URL of the page, with the plan unless it is the `usual` one. Phones with a share sheet open it.
 * Other browsers copy the URL.
 */
export function ShareLink({
  slug,
  name,
  defaultPlanId,
  labels,
}: {
  slug: string;
  name: string;
  defaultPlanId: number;
  labels: ShareLabels;
}) {
  const { chosen } = usePlan();
  const { locale, surface } = useSurface();
  const [canShare, setCanShare] = useState(false);
  useEffect(() => setCanShare(surface === "mobile" && "share" in navigator), [surface]);
  const path = `/product/${slug}${chosen.vipId === defaultPlanId ? "" : `?plan=${chosen.vipId}`}`;
  const shareUrl = () => location.origin + localizedPath(path, { locale, surface: "desktop" });

  if (!canShare)
    return <CopyButton text={async () => shareUrl()} look="quiet" labels={labels} onCopied={announceShare} />;
  // Closing the share sheet rejects the promise. This is not an error.
  const share = () => navigator.share({ title: name, url: shareUrl() }).catch(() => {});
  return (
    <Button look="quiet" onClick={share}>
      <Icon name="share" size={18} />
      {labels.share}
    </Button>
  );
}
