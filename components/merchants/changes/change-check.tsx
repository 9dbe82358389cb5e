import { useFieldNames } from "@/components/catalog/editor/field-names";
import { useShownText } from "@/components/catalog/editor/plan-effect";
import { Notice } from "@/components/ui/notice";
import type { ChangeCheck } from "@/lib/merchants/changes/contract";

/** What an approval of a change would meet now: `stale` and `problems` are the reader's words. */
export function CheckNotices({
  check,
  stale,
  problems,
}: {
  check: ChangeCheck;
  stale: string;
  problems: string;
}) {
  const { fieldName } = useFieldNames();
  return (
    <>
      {check.stale && (
        <Notice kind="warn" className="mb-5">
          {stale}
        </Notice>
      )}
      {check.problems.length > 0 && (
        <Notice kind="warn" title={problems} className="mb-5">
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
export const isBlocked = (check: ChangeCheck | null): boolean =>
  check !== null && (check.stale || check.problems.length > 0);
