"use client";

import { useEffect, useState } from "react";
import type { CardView } from "@/lib/payments/cards/contract";
import { isExpired } from "@/lib/payments/cards/rules";
import { api } from "@/lib/platform/api/client";

/**
 * The stored cards that can be used for payment. They load after the page. Until then, only a new card is available.
 */
export function useStoredCards(): readonly CardView[] {
  const [cards, setCards] = useState<CardView[]>([]);
  useEffect(() => {
    let mounted = true;
    void api.get("/payment/cards").then((result) => {
      const now = new Date();
      if (mounted && result.ok) setCards(result.data.cards.filter((card) => !isExpired(card, now)));
    });
    return () => {
      mounted = false;
    };
  }, []);
  return cards;
}
