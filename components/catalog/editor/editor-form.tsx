import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { RecordSection } from "@/components/console/record";
import { Button } from "@/components/ui/button";
import { ErrorNotice, Notice } from "@/components/ui/notice";
import { findChanges, mergeRecords } from "@/lib/catalog/console/rules-changes";
import { planEffect } from "@/lib/catalog/console/rules-effect";
import { PLAIN_FIELD_NAMES } from "@/lib/catalog/import/rules-fields";
import { planKind } from "@/lib/catalog/import/rules-line";
import { ChangesList } from "./changes-list";
import { type CategoryOption, DetailsSection, SearchSection } from "./details-section";
import { GuideFields } from "./guide-fields";
import { PlansSection } from "./plans-section";
import { TextsSection } from "./texts-section";
import { TicketPreview } from "./ticket-preview";
import type { ProductDraft, StoredProduct } from "./use-product-draft";

type Props = {
  editor: ProductDraft;
  /** null: a new product */
  product: StoredProduct | null;
  categories: readonly CategoryOption[];
  /** above the fields: what the person should know first */
  notices?: ReactNode;
  /** below the fields */
  history?: ReactNode;
  /** of a call that failed without naming a field */
  problem: string;
  pending: boolean;
  /** of the button that shows what would be saved */
  review: string;
  onReview: () => void;
};

/** Paths of the record that have a field here, which shows the problem. */
const FIELD_PATHS = new RegExp(
  `^(${PLAIN_FIELD_NAMES.join("|")}|sort_num|image|plans|plans\\.\\d+|(texts|search_terms|activation|plans\\.\\d+)\\..+)$`,
);

/** The fields of a product's record, with the ticket as buyers will see it, and the bar that saves. */
export function EditorForm(props: Props) {
  const { editor, product, categories, notices, history, problem, pending, review, onReview } = props;
  const { base, line, conflict, section, problems, verdicts, resolve } = editor;
  const t = useTranslations("console.editor");
  const plans = line.plans.flatMap((plan) => {
    const kind = planKind(plan);
    const stored = product?.plans.find((one) => one.plan === kind);
    const before = base?.line.plans.find((one) => planKind(one) === kind);
    const effect = planEffect(plan, before, stored);
    return effect ? [{ line: plan, shown: effect.shown }] : [];
  });
  const elsewhere = problems.filter(({ path }) => !FIELD_PATHS.test(path));
  return (
    <div ref={editor.form}>
      {notices}
      {conflict && base && (
        <Notice kind="warn" title={t("conflict.title")} live className="mb-5">
          <p className="pb-2">{t("conflict.lead")}</p>
          <ChangesList changes={findChanges(base.line, conflict.line)} />
          <div className="flex flex-wrap gap-2 pt-3">
            <Button onClick={() => resolve(conflict, mergeRecords(base.line, line, conflict.line))}>
              {t("conflict.merge")}
            </Button>
            <Button look="quiet" onClick={() => resolve(conflict, conflict.line)}>
              {t("conflict.discard")}
            </Button>
          </div>
        </Notice>
      )}
      <Contents hasHistory={Boolean(history)} />
      <div className="grid gap-x-8 min-[1500px]:grid-cols-[minmax(0,1fr)_22rem]">
        <div className="min-w-0">
          <TextsSection {...section} verdicts={verdicts} />
          <div className="border-t border-hairline py-5 min-[1500px]:hidden">
            <div className="max-w-100">
              <TicketPreview line={line} plans={plans} />
            </div>
          </div>
          <PlansSection
            {...section}
            line={line}
            base={base?.line ?? null}
            stored={product?.plans ?? []}
            earlier={product?.earlier_plans ?? []}
          />
          <DetailsSection {...section} categories={categories} isNew={base === null} />
          <RecordSection id="activation" title={t("section.activation")}>
            <GuideFields
              guide={section.draft.activation}
              path="activation"
              problemAt={section.problemAt}
              onChange={(activation) => section.change({ activation })}
            />
          </RecordSection>
          <SearchSection {...section} />
          {history}
        </div>
        <div className="sticky top-6 hidden self-start pt-5 min-[1500px]:block">
          <TicketPreview line={line} plans={plans} />
        </div>
      </div>
      <div className="sticky bottom-0 z-10 -mx-4 border-t border-hairline bg-paper px-4 py-3">
        {(problem || problems.length > 0) && (
          <ErrorNotice className="mb-2">
            {problems.length > 0 ? t("problems", { count: problems.length }) : problem}
            {elsewhere.map(({ path, message }) => (
              <p key={path}>
                {path} {message}
              </p>
            ))}
          </ErrorNotice>
        )}
        <div className="flex flex-wrap items-center justify-between gap-3">
          <p role="status" className={editor.unsaved ? "font-medium" : "text-quiet"}>
            {t(editor.unsaved ? "unsaved" : "no_unsaved")}
          </p>
          <Button look="primary" pending={pending} onClick={onReview}>
            {review}
          </Button>
        </div>
      </div>
    </div>
  );
}

/** The sections of the page, in sight while it scrolls. */
function Contents({ hasHistory }: { hasHistory: boolean }) {
  const t = useTranslations("console.editor");
  const sections = [
    ["texts", t("section.texts")],
    ["plans", t("section.plans")],
    ["details", t("section.details")],
    ["activation", t("section.activation")],
    ["search", t("field.search_terms")],
    ...(hasHistory ? [["history", t("section.history")] as const] : []),
  ] as const;
  return (
    <nav
      aria-label={t("contents")}
      className="sticky top-0 z-10 -mx-4 overflow-x-auto bg-paper px-4 min-[900px]:top-14"
    >
      <ul className="flex gap-5 text-13 whitespace-nowrap">
        {sections.map(([id, title]) => (
          <li key={id}>
            <a href={`#${id}`} className="text-link inline-flex min-h-11 items-center min-[900px]:min-h-10">
              {title}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}
