"use client";

import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { EffectsDialog } from "@/components/console/effects-dialog";
import { useStartAgain } from "@/components/console/use-start-again";
import { Button } from "@/components/ui/button";
import { type Option, Select } from "@/components/ui/select";
import { showToast } from "@/components/ui/toast";
import { useCall } from "@/components/ui/use-call";
import type { ConsoleProduct } from "@/lib/catalog/console/contract";
import type { BulkInput, BulkResult } from "@/lib/catalog/console/contract-editor";
import { api } from "@/lib/platform/api/client";

const APPROVAL_REQUIRED = "40941";
const ACTIONS = ["pause", "resume", "list", "unlist", "category"] as const;
type Props = { products: readonly ConsoleProduct[]; categories: readonly Option[] };

/** Changes the selected products in one way, after it is said what happens. */
export function BulkActions({ products, categories }: Props) {
  const t = useTranslations("console.products");
  const router = useRouter();
  const { pending, problem, setProblem, run } = useCall(useTranslations("errors")("network"));
  const startAgain = useStartAgain();
  const [action, setAction] = useState<BulkInput["action"]>();
  const [category, setCategory] = useState(categories[0]?.value ?? "");

  async function change(chosen: BulkInput["action"]): Promise<void> {
    const body = {
      product_ids: products.map(({ product_id }) => product_id),
      revisions: Object.fromEntries(products.map(({ product_id, revision }) => [product_id, revision])),
      action: chosen,
      ...(chosen === "category" && { category }),
    };
    const result = await run((options) => api.post<BulkResult>("/admin/products/bulk", body, options));
    if (startAgain(result, () => setAction(undefined))) return;
    if (!result.ok && result.code === APPROVAL_REQUIRED) showToast(t("bulk_waits"), "plain");
    else if (!result.ok) return;
    else {
      const { changed, unchanged, refused } = result.data;
      const [first] = refused;
      if (first) showToast(t("bulk_refused", { count: refused.length, message: first.message }), "bad");
      else showToast(t("bulk_done", { changed, unchanged }), "good");
    }
    setAction(undefined);
    router.refresh();
  }

  return (
    <>
      {ACTIONS.map((name) => (
        <Button
          key={name}
          onClick={() => {
            setProblem("");
            setAction(name);
          }}
        >
          {t(`bulk.${name}`)}
        </Button>
      ))}
      <EffectsDialog
        open={action !== undefined}
        title={action ? t("bulk_title", { action: t(`bulk.${action}`), count: products.length }) : ""}
        effects={action ? [t(`bulk_effect.${action}`), t("bulk_revision")] : []}
        confirm={action ? t(`bulk.${action}`) : ""}
        danger={action === "pause" || action === "unlist"}
        pending={pending}
        problem={problem}
        onConfirm={() => action && void change(action)}
        onClose={() => setAction(undefined)}
      >
        {action === "category" && (
          <Select
            label={t("category")}
            value={category}
            options={categories}
            onChange={(event) => setCategory(event.target.value)}
          />
        )}
      </EffectsDialog>
    </>
  );
}
