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
 * Hands the address of the page on: always the desktop one, with the plan unless it is the `usual` one. A phone that
 * has a sheet for sharing opens it; everywhere else the address is copied.
 */
export function ShareLink({
  slug,
  name,
  usual,
  labels,
}: {
  slug: string;
  name: string;
  usual: number;
  labels: ShareLabels;
}) {
  const { chosen } = usePlan();
  const { locale, surface } = useSurface();
  const [sheet, setSheet] = useState(false);
  useEffect(() => setSheet(surface === "mobile" && "share" in navigator), [surface]);
  const path = `/product/${slug}${chosen.vipId === usual ? "" : `?plan=${chosen.vipId}`}`;
  const address = () => location.origin + localizedPath(path, { locale, surface: "desktop" });

  if (!sheet)
    return <CopyButton text={async () => address()} look="quiet" labels={labels} onCopied={announceShare} />;
  // A sheet that is closed again rejects: nothing has gone wrong.
  const share = () => navigator.share({ title: name, url: address() }).catch(() => {});
  return (
    <Button look="quiet" onClick={share}>
      <Icon name="share" size={18} />
      {labels.share}
    </Button>
  );
}
