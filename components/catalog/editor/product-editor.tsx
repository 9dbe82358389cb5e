"use client";

import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { ConsoleLink, useConsoleAddress } from "@/components/console/link";
import { Pill } from "@/components/console/pill";
import { RecordBar } from "@/components/console/record-page";
import { REVISION_CONFLICT } from "@/components/console/use-start-again";
import { Link } from "@/components/ui/link";
import { Notice } from "@/components/ui/notice";
import { useSurface } from "@/components/ui/surface";
import { showToast } from "@/components/ui/toast";
import { useCall } from "@/components/ui/use-call";
import type { EditResult, RevisionList } from "@/lib/catalog/console/contract-editor";
import { newDraft, toDraft } from "@/lib/catalog/console/rules-draft";
import type { ProductRecord } from "@/lib/catalog/import/contract";
import { type ApiResult, api } from "@/lib/platform/api/client";
import { formatPrice, toCents } from "@/lib/platform/money";
import type { CategoryOption } from "./details-section";
import { EditorForm } from "./editor-form";
import { History } from "./history";
import { ReviewDialog } from "./review-dialog";
import { type Base, isProductRecord, type StoredProduct, useProductDraft } from "./use-product-draft";

const APPROVAL_REQUIRED = "40941";

type Props = {
  /** null: a new product */
  product: StoredProduct | null;
  revisions: RevisionList | null;
  categories: readonly CategoryOption[];
};
type Review = { result: EditResult; undo: number | null };

/** The editor of a product for staff: it edits the record that an import reads, and previews a save. */
export function ProductEditor({ product, revisions, categories }: Props) {
  const t = useTranslations("console.editor");
  const errors = useTranslations("errors");
  const router = useRouter();
  const address = useConsoleAddress();
  const { pending, problem, setProblem, run } = useCall(errors("network"));
  const [begin] = useState(() => (product ? toDraft(product.line) : newDraft(categories[0]?.value ?? "")));
  const editor = useProductDraft(product, begin);
  const { base, line, unsaved, showProblems } = editor;
  const [review, setReview] = useState<Review>();
  const [note, setNote] = useState("");
  const [waits, setWaits] = useState(false);

  /** Reads what the other person saved. */
  async function showConflict(): Promise<void> {
    setReview(undefined);
    if (!product) return;
    const result = await run((options) => api.get(`/admin/products/${product.product_id}`, {}, options));
    if (!result.ok || !("line" in result.data) || !isProductRecord(result.data.line)) return;
    editor.showConflict({ revision: result.data.revision, line: result.data.line });
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
      showProblems([]);
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
      editor.discard();
      scrollTo({ top: 0 });
    } else if (result.code === REVISION_CONFLICT) await showConflict();
    else if (result.errors.length > 0) {
      setReview(undefined);
      showProblems(result.errors);
    }
  }

  return (
    <>
      <Header product={product} base={base} line={line} />
      <EditorForm
        editor={editor}
        product={product}
        categories={categories}
        notices={
          waits && (
            <Notice kind="info" title={t("waits")} live className="mb-5">
              <ConsoleLink href="/console/approvals" className="text-link">
                {t("to_approvals")}
              </ConsoleLink>
            </Notice>
          )
        }
        history={
          product &&
          revisions && (
            <History
              productId={product.product_id}
              revision={base?.revision ?? product.revision}
              first={revisions}
              onUndo={(revision) => void preview(revision)}
            />
          )
        }
        problem={review ? "" : problem}
        pending={pending && !review}
        review={t("review")}
        onReview={() => void preview(null)}
      />
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
    </>
  );
}

function Header({
  product,
  base,
  line,
}: {
  product: StoredProduct | null;
  base: Base | null;
  line: ProductRecord;
}) {
  const t = useTranslations("console.editor");
  const { locale } = useSurface();
  const lowest = Math.min(...(product?.plans ?? []).map(({ shown }) => shown.price));
  if (!product || !base)
    return (
      <>
        <RecordBar title={t("new_title")} />
        <p className="max-w-text pb-3 text-quiet">{t("new_lead")}</p>
      </>
    );
  return (
    <RecordBar
      title={line.texts.en.name || base.line.slug}
      sum={lowest === Infinity ? undefined : t("from", { amount: formatPrice(toCents(lowest), locale) })}
      states={
        <span className="flex flex-wrap items-center gap-2">
          <Pill tone={base.line.listed === false ? "plain" : "good"}>
            {t(base.line.listed === false ? "unlisted" : "listed")}
          </Pill>
          <Pill>{t("revision", { number: base.revision })}</Pill>
          <Pill tone={product.source === "console" ? "warn" : "plain"}>{t(`source.${product.source}`)}</Pill>
          <span>
            {t.rich("sold_by", {
              merchant: () => (
                <ConsoleLink
                  key="merchant"
                  href={`/console/merchants/${product.merchant.merchant_id}`}
                  className="text-link"
                >
                  {product.merchant.name}
                </ConsoleLink>
              ),
            })}
          </span>
        </span>
      }
    >
      {base.line.listed !== false && (
        <Link href={`/product/${base.line.slug}`} className="button button-secondary">
          {t("open_shop")}
        </Link>
      )}
    </RecordBar>
  );
}
