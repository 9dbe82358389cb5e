import type { Draft } from "@/lib/catalog/console/rules-draft";

/** What each part of the editor gets: the draft, how to change it, and the problem of a field by its path in the record. */
export type SectionProps = {
  draft: Draft;
  change: (fields: Partial<Draft>) => void;
  problemAt: (path: string) => string | undefined;
};
