"use client";

import { Dated } from "@/components/ui/dated";
import { useLocalText } from "@/components/ui/local-text";
import type { Time } from "@/lib/platform/format";

/**
 * A sentence with times that were formatted in UTC. The browser shows them in the reader's zone; pages that are cached
 * for everyone can therefore contain it. `of` are the times that the sentence names.
 */
export function LocalTimes({ of, children }: { of: readonly (Time | null)[]; children: string }) {
  return <Dated>{useLocalText(children, of)}</Dated>;
}
