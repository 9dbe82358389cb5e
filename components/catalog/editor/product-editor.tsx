"use client";

import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { type ReactNode, useMemo, useRef, useState } from "react";
import { ConsoleLink, useConsoleAddress } from "@/components/console/link";
import { ConsoleHeader } from "@/components/console/page-header";
import { Pill } from "@/components/console/pill";
import { RecordSection } from "@/components/console/record";
import { useUnsavedWarning } from "@/components/console/use-unsaved-warning";
import { Button } from "@/components/ui/button";
import { Link } from "@/components/ui/link";
import { ErrorNotice, Notice } from "@/components/ui/notice";
import { showToast } from "@/components/ui/toast";
import { useCall } from "@/components/ui/use-call";
import type { EditedPlan, EditResult, RevisionList } from "@/lib/catalog/console/contract-editor";
import { findChanges, mergeLines } from "@/lib/catalog/console/rules-changes";
import { type Draft, editedLine, fromDraft, newDraft, toDraft } from "@/lib/catalog/console/rules-draft";
import { planEffect } from "@/lib/catalog/console/rules-effect";
import type { PlanLine, ProductLine } from "@/lib/catalog/import/contract";
import { planKind } from "@/lib/catalog/import/rules-line";
import { gateVerdicts } from "@/lib/catalog/translation/rules-gate";
import { type ApiResult, api } from "@/lib/platform/api/client";
import type { FieldIssue } from "@/lib/platform/errors";
import { ChangesList } from "./changes-list";
import { type CategoryOption, DetailsSection, SearchSection } from "./details-section";
import { GuideFields } from "./guide-fields";
import { History } from "./history";
import { PlansSection } from "./plans-section";
import { ReviewDialog } from "./review-dialog";
import { TextsSection } from "./texts-section";
import { TicketPreview } from "./ticket-preview";

const REVISION_CONFLICT = "40940";
const APPROVAL_REQUIRED = "40941";

/** A stored product: its line and what stands beside it. */
export type StoredProduct = {
  product_id: number;
  revision: number;
  source: "import" | "console";
  line: ProductLine;
  plans: readonly EditedPlan[];
  earlier_plans: readonly PlanLine[];
};
type Props = {
  /** null: a new product */
  product: StoredProduct | null;
  revisions: RevisionList | null;
  categories: readonly CategoryOption[];
};

type Base = Pick<StoredProduct, "revision" | "line">;
/** A refused field with the value that was refused: it is right again when that changes. */
type Problem = FieldIssue & { value: string };
type Review = { result: EditResult; undo: number | null };

const isProductLine = (line: Record<string, unknown>): line is ProductLine => line.kind === "product";

const valueAt = (line: ProductLine, path: string): string =>
  JSON.stringify(
    path
      .split(".")
      .reduce<unknown>(
        (value, name) => (typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined),
        line,
      ),
  ) ?? "";

/** The editor of a product: it edits the line that an import reads, and shows what a save does before it is made. */
export function ProductEditor({ product, revisions, categories }: Props) {
  const t = useTranslations("console.editor");
  const errors = useTranslations("errors");
  const router = useRouter();
  const address = useConsoleAddress();
  const form = useRef<HTMLDivElement>(null);
  const { pending, problem, setProblem, run } = useCall(errors("network"));
  const [base, setBase] = useState<Base | null>(product);
  const [start] = useState(() => (product ? null : newDraft(categories[0]?.value ?? "")));
  const [draft, setDraft] = useState<Draft>(() =>
    product ? toDraft(product.line) : newDraft(categories[0]?.value ?? ""),
  );
  const [problems, setProblems] = useState<readonly Problem[]>([]);
  const [conflict, setConflict] = useState<Base>();
  const [review, setReview] = useState<Review>();
  const [note, setNote] = useState("");
  const [waits, setWaits] = useState(false);

  const line = useMemo(() => (base ? editedLine(draft, base.line) : fromDraft(draft)), [draft, base]);
  const verdicts = useMemo(() => gateVerdicts(line), [line]);
  const unsaved = base
    ? findChanges(base.line, line).length > 0
    : JSON.stringify(draft) !== JSON.stringify(start);
  useUnsavedWarning(unsaved, t("leave"));

  const change = (fields: Partial<Draft>) => setDraft((current) => ({ ...current, ...fields }));
  const problemAt = (path: string): string | undefined => {
    const flaw = verdicts.flatMap(({ flaws }) => flaws).find((one) => one.path === path);
    if (flaw) return errors(flaw.error, flaw.values);
    return problems.find((one) => one.path === path && one.value === valueAt(line, path))?.message;
  };
  const section = { draft, change, problemAt };
  const plans = line.plans.flatMap((plan) => {
    const kind = planKind(plan);
    const stored = product?.plans.find((one) => one.plan === kind);
    const effect = planEffect(
      plan,
      base?.line.plans.find((one) => planKind(one) === kind),
      stored,
    );
    return effect ? [{ line: plan, shown: effect.shown }] : [];
  });

  function showProblems(found: readonly FieldIssue[]): void {
    const named = found.map(({ path, message }) => {
      const own = path.replace(/^line\.?/, "");
      return { path: own, message, value: valueAt(line, own) };
    });
    setProblems(named);
    requestAnimationFrame(() => form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus());
  }

  /** Reads what the other person saved. What was typed here stays. */
  async function showConflict(): Promise<void> {
    setReview(undefined);
    if (!product) return;
    const result = await run((options) => api.get(`/admin/products/${product.product_id}`, {}, options));
    if (!result.ok || !("line" in result.data) || !isProductLine(result.data.line)) return;
    setConflict({ revision: result.data.revision, line: result.data.line });
    scrollTo({ top: 0 });
  }

  function resolve(other: Base, next: ProductLine): void {
    setBase(other);
    setDraft(toDraft(next));
    setConflict(undefined);
  }

  const send = (preview: boolean): Promise<ApiResult<EditResult>> => {
    const noted = note.trim() === "" || preview ? {} : { note: note.trim() };
    const body = { line, preview, ...noted };
    if (!base || !product) return run((options) => api.post("/admin/products", body, options));
    return run((options) =>
      api.post<EditResult>(
        `/admin/products/${product.product_id}`,
        { ...body, base_revision: base.revision },
        options,
      ),
    );
  };
  const sendUndo = (revision: number, preview: boolean): Promise<ApiResult<EditResult>> =>
    run((options) =>
      api.post<EditResult>(
        `/admin/products/${product?.product_id}/undo`,
        { base_revision: base?.revision, revision, preview },
        options,
      ),
    );

  /** Asks what the change would do, and shows it. */
  async function preview(undo: number | null): Promise<void> {
    setWaits(false);
    const result = await (undo === null ? send(true) : sendUndo(undo, true));
    if (result.ok) {
      setProblems([]);
      setReview({ result: result.data, undo });
    } else if (result.code === REVISION_CONFLICT) await showConflict();
    else showProblems(result.errors);
  }

  async function save({ undo }: Review): Promise<void> {
    const result = await (undo === null ? send(false) : sendUndo(undo, false));
    if (result.ok) {
      setReview(undefined);
      showToast(t("saved"), "good");
      if (product) router.refresh();
      else router.push(address(`/console/products/${result.data.product_id}`));
    } else if (result.code === APPROVAL_REQUIRED) {
      setReview(undefined);
      setProblem("");
      setWaits(true);
      if (base) setDraft(toDraft(base.line));
      scrollTo({ top: 0 });
    } else if (result.code === REVISION_CONFLICT) await showConflict();
    else if (result.errors.length > 0) {
      setReview(undefined);
      showProblems(result.errors);
    }
  }

  const elsewhere = problems.filter(({ path }) => !FIELD_PATHS.test(path));
  return (
    <div ref={form}>
      <Header product={product} base={base} line={line} />
      {waits && (
        <Notice kind="info" title={t("waits")} live className="mb-5">
          <ConsoleLink href="/console/approvals" className="text-link">
            {t("to_approvals")}
          </ConsoleLink>
        </Notice>
      )}
      {conflict && base && (
        <Notice kind="warn" title={t("conflict.title")} live className="mb-5">
          <p className="pb-2">{t("conflict.lead")}</p>
          <ChangesList changes={findChanges(base.line, conflict.line)} />
          <div className="flex flex-wrap gap-2 pt-3">
            <Button onClick={() => resolve(conflict, mergeLines(base.line, line, conflict.line))}>
              {t("conflict.merge")}
            </Button>
            <Button look="quiet" onClick={() => resolve(conflict, conflict.line)}>
              {t("conflict.discard")}
            </Button>
          </div>
        </Notice>
      )}
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
          <RecordSection title={t("section.activation")}>
            <GuideFields
              guide={draft.activation}
              path="activation"
              problemAt={problemAt}
              onChange={(activation) => change({ activation })}
            />
          </RecordSection>
          <SearchSection {...section} />
          {product && revisions && (
            <History
              productId={product.product_id}
              revision={base?.revision ?? product.revision}
              first={revisions}
              onUndo={(revision) => void preview(revision)}
            />
          )}
        </div>
        <div className="sticky top-6 hidden self-start pt-5 min-[1500px]:block">
          <TicketPreview line={line} plans={plans} />
        </div>
      </div>
      <SaveBar unsaved={unsaved} pending={pending && !review} onReview={() => void preview(null)}>
        {!review && (problem || problems.length > 0) && (
          <ErrorNotice className="mb-2">
            {problems.length > 0 ? t("problems", { count: problems.length }) : problem}
            {elsewhere.map(({ path, message }) => (
              <p key={path}>
                {path} {message}
              </p>
            ))}
          </ErrorNotice>
        )}
      </SaveBar>
      <ReviewDialog
        result={review?.result}
        title={
          review?.undo
            ? t("return_to", { number: review.undo })
            : t("review_title", { name: line.texts.en.name })
        }
        confirm={review?.undo ? t("return") : t("save")}
        pending={pending}
        problem={review ? problem : ""}
        note={review?.undo ? null : note}
        discards={Boolean(review?.undo) && unsaved}
        onNote={setNote}
        onConfirm={() => review && void save(review)}
        onClose={() => setReview(undefined)}
      />
    </div>
  );
}

/** Paths of the line that have a field here, which shows the problem. */
const FIELD_PATHS =
  /^(slug|vendor|vendor_email|category|sort_num|image|plans|plans\.\d+|(texts|search_terms|activation|plans\.\d+)\..+)$/;

function Header({
  product,
  base,
  line,
}: {
  product: StoredProduct | null;
  base: Base | null;
  line: ProductLine;
}) {
  const t = useTranslations("console.editor");
  if (!product || !base) return <ConsoleHeader title={t("new_title")} lead={t("new_lead")} />;
  return (
    <ConsoleHeader
      title={line.texts.en.name || base.line.slug}
      lead={
        <span className="flex flex-wrap items-center gap-2">
          <Pill tone={base.line.listed === false ? "plain" : "good"}>
            {t(base.line.listed === false ? "unlisted" : "listed")}
          </Pill>
          <Pill>{t("revision", { number: base.revision })}</Pill>
          <Pill tone={product.source === "console" ? "warn" : "plain"}>{t(`source.${product.source}`)}</Pill>
        </span>
      }
    >
      {base.line.listed !== false && (
        <Link href={`/product/${base.line.slug}`} className="button button-secondary">
          {t("open_shop")}
        </Link>
      )}
    </ConsoleHeader>
  );
}

/** Stays in sight below the form. */
function SaveBar({
  unsaved,
  pending,
  onReview,
  children,
}: {
  unsaved: boolean;
  pending: boolean;
  onReview: () => void;
  children: ReactNode;
}) {
  const t = useTranslations("console.editor");
  return (
    <div className="sticky bottom-0 z-10 -mx-4 border-t border-hairline bg-paper px-4 py-3">
      {children}
      <div className="flex flex-wrap items-center justify-between gap-3">
        <p role="status" className={unsaved ? "font-medium" : "text-quiet"}>
          {t(unsaved ? "unsaved" : "no_unsaved")}
        </p>
        <Button look="primary" pending={pending} onClick={onReview}>
          {t("review")}
        </Button>
      </div>
    </div>
  );
}
