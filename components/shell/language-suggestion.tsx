"use client";

import { type ComponentType, useEffect, useState } from "react";
import { useSurface } from "@/components/ui/surface";

/** Offers the browser's language (language-offer.tsx), which is loaded only where it differs from the page's. */
export function LanguageSuggestion() {
  const { locale } = useSurface();
  const [Offer, setOffer] = useState<ComponentType>();
  useEffect(() => {
    if (navigator.language.toLowerCase().startsWith(locale)) return;
    import("./language-offer").then(
      (loaded) => setOffer(() => loaded.LanguageOffer),
      () => {}, // The language can still be chosen.
    );
  }, [locale]);
  return Offer ? <Offer /> : null;
}
