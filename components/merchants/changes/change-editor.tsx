"use client";

import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { AudienceProvider } from "@/components/catalog/editor/audience";
import type { CategoryOption } from "@/components/catalog/editor/details-section";
import { EditorForm } from "@/components/catalog/editor/editor-form";
import { ReviewDialog } from "@/components/catalog/editor/review-dialog";
import {
  isProductRecord,
  type StoredProduct,
  useProductDraft,
} from "@/components/catalog/editor/use-product-draft";
import { useConsoleAddress } from "@/components/console/link";
import { RecordBar } from "@/components/console/record-page";
import { REVISION_CONFLICT } from "@/components/console/use-start-again";
import { Button } from "@/components/ui/button";
import { Notice } from "@/components/ui/notice";
import { useReauthentication } from "@/components/ui/reauthentication";
import { showToast } from "@/components/ui/toast";
import { useCall } from "@/components/ui/use-call";
import { newDraft, toDraft } from "@/lib/catalog/console/rules-draft";
import type { ProductRecord } from "@/lib/catalog/import/contract";
import type { ChangeMoved, ChangeSaved } from "@/lib/merchants/changes/contract";
import { type ApiResult, api } from "@/lib/platform/api/client";

type Props = {
  home: string;
  /** the vendor of a new product, until another is given */
  vendor: string;
  /** null: a new product */
  product: StoredProduct | null;
  /** the draft or returned change that is edited, with its record on the newest revision; null: a new one */
  change: {
    change_id: string;
    version: string;
    line: ProductRecord;
    note: string | null;
    merged: boolean;
  } | null;
  categories: readonly CategoryOption[];
};

/** Where a merchant drafts a change, sees what it does, and proposes it. */
export function ChangeEditor({ home, vendor, product, change, categories }: Props) {
  const t = useTranslations("console.merchant_changes");
  const router = useRouter();
  const withReauthentication = useReauthentication();
  const address = useConsoleAddress();
  const { pending, problem, run } = useCall(useTranslations("errors")("network"));
  const [begin] = useState(() => {
    const line = change?.line ?? product?.line;
    return line ? toDraft(line) : { ...newDraft(categories[0]?.value ?? ""), vendor };
  });
  const editor = useProductDraft(product, begin);
  const { base, line } = editor;
  const [review, setReview] = useState<ChangeSaved>();
  const [version, setVersion] = useState(change?.version);
  // The draft as another tab has left it since; what was typed here stays.
  const [newer, setNewer] = useState<string>();

  const send = (preview: boolean): Promise<ApiResult<ChangeSaved>> => {
    const body = { line, preview, base_revision: base?.revision ?? 0 };
    const path = change ? `/merchant/changes/${change.change_id}` : "/merchant/changes";
    const content = change ? { ...body, version } : { ...body, product_id: product?.product_id ?? null };
    return run((options) => api.post<ChangeSaved>(path, content, options));
  };

  async function showRefusal(refused: Extract<ApiResult<ChangeSaved>, { ok: false }>): Promise<void> {
    setReview(undefined);
    const isOfProduct = refused.errors.some(({ path }) => path === "revision");
    if (refused.code === REVISION_CONFLICT && change && !isOfProduct) {
      const result = await run((options) => api.get(`/merchant/changes/${change.change_id}`, {}, options));
      if (result.ok) setNewer(result.data.version);
      return;
    }
    if (refused.code !== REVISION_CONFLICT || !product) return editor.showProblems(refused.errors);
    const result = await run((options) => api.get(`/merchant/products/${product.product_id}`, {}, options));
    if (result.ok && "line" in result.data && isProductRecord(result.data.line))
      editor.showConflict({ revision: result.data.revision, line: result.data.line });
  }

  async function preview(): Promise<void> {
    const result = await send(true);
    if (!result.ok) return showRefusal(result);
    editor.showProblems([]);
    setReview(result.data);
  }

  /** Stores the draft, and proposes it if that is wanted; a draft that cannot be proposed stays. */
  async function save(proposes: boolean): Promise<void> {
    const result = await send(false);
    if (!result.ok) return showRefusal(result);
    const { change_id, version: seen } = result.data;
    editor.markSaved();
    const propose = (options: { networkMessage: string }) =>
      withReauthentication(() =>
        api.post<ChangeMoved>(`/merchant/changes/${change_id}/propose`, { version: seen }, options),
      );
    const moved = proposes ? await run(propose) : null;
    const done = moved?.ok ? (moved.data.state === "approved" ? "passed" : "proposed") : "draft_saved";
    showToast(t(done), "good");
    router.push(address(`${home}/changes/${change_id}`));
    router.refresh();
  }

  const name = line.texts.en.name || base?.line.slug || "";
  const next =
    review && (review.automatic ? "next_live" : review.needs_approval ? "next_price" : "next_waits");
  return (
    <AudienceProvider audience="merchant">
      {product ? (
        <RecordBar title={t("edit_title", { product: name })} />
      ) : (
        <>
          <RecordBar title={t("new_title")} />
          <p className="max-w-text pb-3 text-quiet">{t("new_lead")}</p>
        </>
      )}
      <EditorForm
        editor={editor}
        product={product}
        categories={categories}
        notices={
          <>
            {change?.note && (
              <Notice kind="warn" title={t("note")} className="mb-5">
                <p className="wrap-anywhere whitespace-pre-line">{change.note}</p>
              </Notice>
            )}
            {newer && (
              <Notice
                kind="warn"
                title={t("draft_changed")}
                live
                className="mb-5"
                action={
                  <span className="flex flex-wrap items-center gap-4">
                    <a
                      href={address(`${home}/changes/${change?.change_id}`)}
                      target="_blank"
                      rel="noreferrer"
                      className="text-link"
                    >
                      {t("see_draft")}
                    </a>
                    <Button
                      onClick={() => {
                        setVersion(newer);
                        setNewer(undefined);
                      }}
                    >
                      {t("keep_mine")}
                    </Button>
                  </span>
                }
              >
                {t("draft_changed_text")}
              </Notice>
            )}
            {change?.merged && (
              <Notice kind="info" className="mb-5">
                {t("merged")}
              </Notice>
            )}
          </>
        }
        problem={review ? "" : problem}
        pending={pending && !review}
        review={t("review")}
        onReview={() => void preview()}
      />
      <ReviewDialog
        result={review}
        title={t("review_title", { name })}
        confirm={t("propose_now")}
        pending={pending}
        problem={review ? problem : ""}
        note={null}
        next={next ? t(next) : ""}
        aside={{ label: t("save_draft"), onClick: () => void save(false) }}
        onConfirm={() => void save(true)}
        onClose={() => setReview(undefined)}
      />
    </AudienceProvider>
  );
}
