"use client";

import { useEffect, useState } from "react";
import { ApproximatePrice } from "@/components/payments/approximate-price";
import { Button } from "@/components/ui/button";
import { CopyButton } from "@/components/ui/copy-button";
import { Icon } from "@/components/ui/icon";
import { Price } from "@/components/ui/price";
import { announceShare } from "@/components/ui/share-event";
import { useSurface } from "@/components/ui/surface";
import { localizedPath } from "@/lib/platform/routing/paths";
import { usePlan } from "./plan-choice";

/**
 * On phones it is a bar at the bottom, and the earlier price is on the ticket only. `tax`: what prices include, in words that are the
 * same for every reader.
 */
export function ChosenPrice({ tax }: { tax?: string }) {
  const { chosen } = usePlan();
  const { surface } = useSurface();
  const { text, list } = chosen.price;
  return (
    <div>
      <p className="text-13 text-quiet">{chosen.name}</p>
      <p className="text-21 leading-tight">
        <Price text={text} list={surface === "mobile" ? undefined : list} />
      </p>
      <ApproximatePrice cents={chosen.cents} />
      {(chosen.perDay || tax) && (
        <p className="figures text-13 text-quiet">
          {[chosen.perDay, chosen.cents > 0 && tax].filter(Boolean).join(" · ")}
        </p>
      )}
    </div>
  );
}

type ShareLabels = { copy: string; copied: string; failed: string; share: string };

/** Shares the desktop URL, with the plan unless it is the default. Phones with a share sheet open it. */
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
