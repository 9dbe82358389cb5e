"use client";

import { useEffect, useState } from "react";
import { Icon } from "@/components/ui/icon";
import { SHARED_EVENT } from "@/components/ui/share-event";

export type BannerLabels = { offline: string; shared: string; close: string };

/** The banners of a lost connection and a copied share link (docs/product.md#23-header-footer-banners). */
export function MessageBanners({ labels }: { labels: BannerLabels }) {
  const [offline, setOffline] = useState(false);
  const [shared, setShared] = useState("");
  useEffect(() => {
    const updateOffline = () => setOffline(!navigator.onLine);
    const onShared = (event: Event) => setShared((event as CustomEvent<string>).detail);
    updateOffline();
    window.addEventListener("online", updateOffline);
    window.addEventListener("offline", updateOffline);
    window.addEventListener(SHARED_EVENT, onShared);
    return () => {
      window.removeEventListener("online", updateOffline);
      window.removeEventListener("offline", updateOffline);
      window.removeEventListener(SHARED_EVENT, onShared);
    };
  }, []);
  return (
    <div role="status" className="sticky top-0 z-40 low:static">
      {offline && <p className="message-banner">{labels.offline}</p>}
      {shared && (
        <p className="message-banner">
          <span className="min-w-0">
            {labels.shared} <span className="break-all text-quiet">{shared}</span>
          </span>
          <button type="button" aria-label={labels.close} onClick={() => setShared("")} className="hit">
            <Icon name="close" size={18} />
          </button>
        </p>
      )}
    </div>
  );
}
