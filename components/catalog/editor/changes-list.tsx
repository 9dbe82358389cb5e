import { useTranslations } from "next-intl";
import { Emblem } from "@/components/ui/emblem";
import { useSurface } from "@/components/ui/surface";
import type { FieldChange } from "@/lib/catalog/console/rules-changes";
import { storedPictureHash } from "@/lib/catalog/import/rules-line";
import { formatMoment } from "@/lib/platform/format";
import { formatPrice, toCents } from "@/lib/platform/money";
import { useImagePath } from "./audience";
import { useFieldNames } from "./field-names";

const isAmount = (path: string) => /(^|\.)(price|list_price)$/.test(path);
const isTime = (path: string) => /(^|\.)(ends_at|releases_on)$/.test(path);

/** What differs between two versions, field by field. */
export function ChangesList({ changes }: { changes: readonly FieldChange[] }) {
  const t = useTranslations("console.editor");
  const { fieldName } = useFieldNames();
  if (changes.length === 0) return <p className="text-quiet">{t("no_changes")}</p>;
  return (
    <dl className="flex flex-col gap-3">
      {changes.map(({ path, before, after }) => (
        <div key={path} className="border-t border-hairline pt-2">
          <dt className="text-13 text-quiet">{fieldName(path)}</dt>
          <dd className="flex flex-col gap-1 wrap-anywhere whitespace-pre-line">
            {before !== null && (
              <del className="text-quiet">
                <Value path={path} value={before} />
              </del>
            )}
            {after === null ? (
              <span className="text-quiet">{t("removed")}</span>
            ) : (
              <ins className="no-underline">
                <Value path={path} value={after} />
              </ins>
            )}
          </dd>
        </div>
      ))}
    </dl>
  );
}

function Value({ path, value }: { path: string; value: string }) {
  const t = useTranslations("console.editor");
  const { locale } = useSurface();
  const { planName } = useFieldNames();
  const imagePath = useImagePath();
  const hash = path === "image" ? storedPictureHash(value) : null;
  if (hash) return <Emblem src={imagePath(hash)} size={56} className="inline-block" />;
  if (isAmount(path)) return formatPrice(toCents(value), locale);
  if (isTime(path)) return formatMoment(value, locale);
  if (path === "plan_order") return value.split("\n").map(planName).join(" · ");
  if (value === "true" || value === "false") return t(value === "true" ? "yes" : "no");
  return value;
}
