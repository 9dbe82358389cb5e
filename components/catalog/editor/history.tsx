import { useTranslations } from "next-intl";
import { useState } from "react";
import { Pill } from "@/components/console/pill";
import { RecordSection } from "@/components/console/record";
import { ShortTime } from "@/components/console/time";
import { Button } from "@/components/ui/button";
import { ErrorNotice } from "@/components/ui/notice";
import { useCall } from "@/components/ui/use-call";
import type { RevisionList } from "@/lib/catalog/console/contract-editor";
import { api } from "@/lib/platform/api/client";
import { ChangesList } from "./changes-list";

type Props = {
  productId: number;
  revision: number;
  /** the newest revisions */
  first: RevisionList;
  onUndo: (revision: number) => void;
};

/** The revisions of a product with what each changed; an earlier one can be returned to. */
export function History({ productId, revision, first, onUndo }: Props) {
  const t = useTranslations("console.editor");
  const { pending, problem, run } = useCall(useTranslations("errors")("network"));
  const [list, setList] = useState(first);

  async function showMore(before: number): Promise<void> {
    const result = await run((options) =>
      api.get(`/admin/products/${productId}/revisions`, { before }, options),
    );
    if (result.ok)
      setList(({ items }) => ({
        items: [...items, ...result.data.items],
        next_before: result.data.next_before,
      }));
  }

  return (
    <RecordSection id="history" title={t("section.history")}>
      {list.items.length === 0 && <p className="text-quiet">{t("no_history")}</p>}
      <ol className="flex flex-col gap-2">
        {list.items.map((item) => (
          <li key={item.revision} className="rounded-control border border-hairline bg-raised px-4 py-2">
            <details>
              <summary className="flex min-h-11 cursor-pointer flex-wrap items-center gap-x-3 gap-y-1">
                <span className="figures font-semibold">{t("revision", { number: item.revision })}</span>
                <ShortTime at={item.at} />
                <span className="wrap-anywhere text-quiet">{item.by ?? t("by_import")}</span>
                {item.revision === revision && <Pill tone="good">{t("current")}</Pill>}
                <span className="text-13 text-quiet">{t("fields", { count: item.changes.length })}</span>
              </summary>
              <div className="flex flex-col gap-3 pt-1 pb-2">
                {item.note && <p className="wrap-anywhere">{item.note}</p>}
                <ChangesList changes={item.changes} />
                {item.revision !== revision && (
                  <div>
                    <Button onClick={() => onUndo(item.revision)}>
                      {t("return_to", { number: item.revision })}
                    </Button>
                  </div>
                )}
              </div>
            </details>
          </li>
        ))}
      </ol>
      <ErrorNotice>{problem}</ErrorNotice>
      {list.next_before !== null && (
        <Button
          look="quiet"
          className="mt-2"
          pending={pending}
          onClick={() => list.next_before !== null && void showMore(list.next_before)}
        >
          {t("older")}
        </Button>
      )}
    </RecordSection>
  );
}
