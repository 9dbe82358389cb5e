"use client";

import { useTranslations } from "next-intl";
import { useEffect, useState } from "react";
import { Button } from "@/components/ui/button";
import { CopyButton } from "@/components/ui/copy-button";
import { Icon } from "@/components/ui/icon";
import { announceShare } from "@/components/ui/share-event";

/** The invitation link, with a copy button and a share button where the browser supports sharing. */
export function InviteLink({ link }: { link: string }) {
  const t = useTranslations("referrals.link");
  const [canShare, setCanShare] = useState(false);
  useEffect(() => setCanShare("share" in navigator), []);
  // Closing the share sheet rejects the promise. This is not an error.
  const share = () => navigator.share({ title: t("share_title"), url: link }).catch(() => {});
  return (
    <div className="flex flex-col gap-3 rounded-ticket border border-hairline bg-raised p-5">
      <p className="text-13 text-quiet">{t("label")}</p>
      <p className="figures font-medium wrap-anywhere select-all">{link}</p>
      <div className="flex flex-wrap gap-2">
        <CopyButton
          text={link}
          look="primary"
          labels={{ copy: t("copy"), copied: t("copied"), failed: t("failed") }}
          onCopied={announceShare}
        />
        {canShare && (
          <Button onClick={share}>
            <Icon name="share" size={18} />
            {t("share")}
          </Button>
        )}
      </div>
    </div>
  );
}
