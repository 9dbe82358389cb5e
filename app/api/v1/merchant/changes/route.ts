import { LINE_LIMIT_BYTES } from "@/lib/catalog/import/rules-line";
import {
  ChangeSaved,
  MerchantChangeList,
  MerchantChangesInput,
  NewChangeInput,
} from "@/lib/merchants/changes/contract";
import { createChange } from "@/lib/merchants/changes/create-change";
import { listMerchantChanges } from "@/lib/merchants/changes/list-merchant-changes";
import { merchant } from "@/lib/merchants/rules";
import { endpoint } from "@/lib/platform/api/endpoint";

export const GET = endpoint(
  {
    summary: "The merchant's changes of its products",
    description: "50 a page, newest first. Totals are counted to 1,000.",
    access: merchant("products.read"),
    query: MerchantChangesInput,
    result: MerchantChangeList,
    errors: ["cursor_invalid"],
  },
  ({ viewer, query, locale }) => listMerchantChanges(viewer, query, locale),
);

export const POST = endpoint(
  {
    summary: "Draft a change of a product, or a new product",
    description:
      "The whole line, checked as an import checks it: problems name their fields. `base_revision` is that of the line that was changed; another one answers 40940. Without `product_id` it is a new product. Nothing is live before the change is proposed and approved. With `preview` nothing is written.",
    access: merchant("products.write"),
    body: NewChangeInput,
    limitBytes: LINE_LIMIT_BYTES,
    result: ChangeSaved,
    errors: ["product_unknown", "revision_conflict", "nothing_changes"],
    rate: [{ limit: 300, seconds: 3600, by: "user" }],
  },
  ({ viewer, body, locale }) => createChange(viewer, body, locale),
);
