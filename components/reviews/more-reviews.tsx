"use client";

import { type ReactNode, useState } from "react";
import { Button } from "@/components/ui/button";
import { showToast } from "@/components/ui/toast";
import type { ReviewListLabels } from "./review-list";

type Row = { id: string; node: ReactNode };

/** Loads further reviews, one page per press. The code it needs is loaded with the first page. */
export function MoreReviews({
  productId,
  shown,
  labels,
}: {
  productId: number;
  /** IDs of the reviews that are already shown */
  shown: readonly string[];
  labels: ReviewListLabels;
}) {
  const [rows, setRows] = useState<Row[]>([]);
  const [next, setNext] = useState(2);
  const [state, setState] = useState<"open" | "pending" | "all">("open");

  const load = async () => {
    setState("pending");
    try {
      const { loadReviewPage } = await import("./review-page");
      const page = await loadReviewPage({ productId, page: next, labels });
      // A review written in the meantime shifts the pages by one, so shown reviews are filtered out.
      const shownIds = new Set([...shown, ...rows.map(({ id }) => id)]);
      setRows([...rows, ...page.rows.filter(({ id }) => !shownIds.has(id))]);
      setNext(next + 1);
      setState(page.last ? "all" : "open");
    } catch {
      showToast(labels.network, "bad");
      setState("open");
    }
  };

  return (
    <>
      <ul aria-live="polite">{rows.map(({ node }) => node)}</ul>
      {state !== "all" && (
        <Button pending={state === "pending"} onClick={load} className="mt-1">
          {labels.more}
        </Button>
      )}
    </>
  );
}
