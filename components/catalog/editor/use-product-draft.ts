import { useTranslations } from "next-intl";
import { useMemo, useRef, useState } from "react";
import { useUnsavedWarning } from "@/components/console/use-unsaved-warning";
import type { EditedPlan } from "@/lib/catalog/console/contract-editor";
import { findChanges } from "@/lib/catalog/console/rules-changes";
import { type Draft, editedRecord, fromDraft, toDraft } from "@/lib/catalog/console/rules-draft";
import type { PlanRecord, ProductRecord } from "@/lib/catalog/import/contract";
import { gateVerdicts } from "@/lib/catalog/translation/rules-gate";
import type { FieldIssue } from "@/lib/platform/errors";

/** A stored product: its record and its related data. */
export type StoredProduct = {
  product_id: number;
  revision: number;
  source: "import" | "console";
  line: ProductRecord;
  plans: readonly EditedPlan[];
  merchant: { merchant_id: string; name: string };
  earlier_plans: readonly PlanRecord[];
};
export type Base = Pick<StoredProduct, "revision" | "line">;
/** A refused field with the value that was refused: it is right again when that changes. */
type Problem = FieldIssue & { value: string };

export const isProductRecord = (line: Record<string, unknown>): line is ProductRecord =>
  line.kind === "product";

const valueAt = (line: ProductRecord, path: string): string =>
  JSON.stringify(
    path
      .split(".")
      .reduce<unknown>(
        (value, name) => (typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined),
        line,
      ),
  ) ?? "";

export type ProductDraft = ReturnType<typeof useProductDraft>;

/** The draft of an editor with its record, the problems of its fields, and concurrent saves by others. */
export function useProductDraft(product: Base | null, begin: Draft) {
  const t = useTranslations("console.editor");
  const errors = useTranslations("errors");
  const form = useRef<HTMLDivElement>(null);
  const [base, setBase] = useState<Base | null>(product);
  const [start, setStart] = useState(begin);
  const [draft, setDraft] = useState(begin);
  const [found, setFound] = useState<readonly Problem[]>([]);
  const [conflict, setConflict] = useState<Base>();

  const toLine = (of: Draft) => (base ? editedRecord(of, base.line) : fromDraft(of));
  const line = useMemo(() => (base ? editedRecord(draft, base.line) : fromDraft(draft)), [draft, base]);
  const verdicts = useMemo(() => gateVerdicts(line), [line]);
  const unsaved = base
    ? findChanges(toLine(start), line).length > 0
    : JSON.stringify(draft) !== JSON.stringify(start);
  useUnsavedWarning(unsaved, t("leave"));

  /** The problems of fields that were not edited since. */
  const problems = found.filter(({ path, value }) => value === valueAt(line, path));
  const change = (fields: Partial<Draft>) => setDraft((current) => ({ ...current, ...fields }));
  const problemAt = (path: string): string | undefined => {
    const flaw = verdicts.flatMap(({ flaws }) => flaws).find((one) => one.path === path);
    if (flaw) return errors(flaw.error, flaw.values);
    return problems.find((one) => one.path === path)?.message;
  };

  function showProblems(issues: readonly FieldIssue[]): void {
    const named = issues.map(({ path, message }) => {
      const own = path.replace(/^line\.?/, "");
      return { path: own, message, value: valueAt(line, own) };
    });
    setFound(named);
    requestAnimationFrame(() => form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus());
  }

  /** Shows what another person saved. What was typed here stays. */
  function showConflict(other: Base): void {
    setConflict(other);
    scrollTo({ top: 0 });
  }

  function resolve(other: Base, next: ProductRecord): void {
    setBase(other);
    setStart(toDraft(other.line));
    setDraft(toDraft(next));
    setConflict(undefined);
  }

  /** The draft is as it began, or as the base is. */
  const discard = () => setDraft(start);
  /** What is typed is stored: leaving the page loses nothing. */
  const markSaved = () => setStart(draft);

  return {
    form,
    base,
    draft,
    line,
    verdicts,
    unsaved,
    problems,
    conflict,
    section: { draft, change, problemAt },
    showProblems,
    showConflict,
    resolve,
    discard,
    markSaved,
  };
}
