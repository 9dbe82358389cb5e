import { useFieldNames } from "@/components/catalog/editor/field-names";
import { useShownText } from "@/components/catalog/editor/plan-effect";
import { Notice } from "@/components/ui/notice";
import type { ChangeCheck } from "@/lib/merchants/changes/contract";

type Label = "rebased" | "conflicts" | "conflict_mine" | "conflict_theirs" | "stale" | "problems";

/** What an approval of a change would meet now, in the reader's words. */
export function CheckNotices({ check, labels }: { check: ChangeCheck; labels: Record<Label, string> }) {
  const { fieldName } = useFieldNames();
  return (
    <>
      {check.rebased && !check.stale && (
        <Notice kind="info" className="mb-5">
          {labels.rebased}
        </Notice>
      )}
      {check.stale && (
        <Notice kind="warn" title={labels.conflicts} className="mb-5">
          <ul className="pb-2 wrap-anywhere">
            {check.conflicts.map(({ path, mine, theirs }) => (
              <li key={path}>
                {`${fieldName(path)} · ${labels.conflict_mine}: ${mine ?? "–"} · ${labels.conflict_theirs}: ${theirs ?? "–"}`}
              </li>
            ))}
          </ul>
          <p>{labels.stale}</p>
        </Notice>
      )}
      {check.problems.length > 0 && (
        <Notice kind="warn" title={labels.problems} className="mb-5">
          <ul>
            {check.problems.map(({ path, message }) => (
              <li key={path}>
                {fieldName(path.replace(/^line\.?/, ""))} {message}
              </li>
            ))}
          </ul>
        </Notice>
      )}
    </>
  );
}

/** What buyers will see of the passes whose prices change. */
export function ShownPrices({ check, label }: { check: ChangeCheck; label: string }) {
  const { planName } = useFieldNames();
  const shownText = useShownText();
  if (check.prices.length === 0) return null;
  return (
    <div className="pb-4">
      <p className="font-medium">{label}</p>
      <ul className="figures pt-1">
        {check.prices.map((price) => (
          <li key={price.plan}>
            {planName(price.plan)}: {shownText(price)}
          </li>
        ))}
      </ul>
    </div>
  );
}

/** Whether an approval would be refused as things are. */
export const hasProblems = (check: ChangeCheck | null): boolean =>
  check !== null && check.problems.length > 0;

export const checkLabels = (t: (name: Label) => string): Record<Label, string> => ({
  rebased: t("rebased"),
  conflicts: t("conflicts"),
  conflict_mine: t("conflict_mine"),
  conflict_theirs: t("conflict_theirs"),
  stale: t("stale"),
  problems: t("problems"),
});
