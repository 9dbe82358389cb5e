import { LINE_LIMIT_BYTES } from "@/lib/catalog/import/rules-line";
import {
  ChangeParams,
  ChangeSaved,
  MerchantChangeDetail,
  SaveChangeInput,
} from "@/lib/merchants/changes/contract";
import { getMerchantChange } from "@/lib/merchants/changes/get-merchant-change";
import { saveChange } from "@/lib/merchants/changes/save-change";
import { merchant } from "@/lib/merchants/rules";
import { endpoint } from "@/lib/platform/api/endpoint";

export const GET = endpoint(
  {
    summary: "A change with its differences, and what an approval would meet now",
    access: merchant("products.read"),
    params: ChangeParams,
    result: MerchantChangeDetail,
    errors: ["change_unknown"],
  },
  ({ viewer, params, locale }) => getMerchantChange(viewer, params.id, locale),
);

export const POST = endpoint(
  {
    summary: "Save a draft or a returned change",
    description: "As the call that made it. One that is proposed or decided answers 40997.",
    access: merchant("products.write"),
    params: ChangeParams,
    body: SaveChangeInput,
    limitBytes: LINE_LIMIT_BYTES,
    result: ChangeSaved,
    errors: ["change_unknown", "change_decided", "revision_conflict", "nothing_changes"],
  },
  ({ viewer, params, body, locale }) => saveChange(viewer, params.id, { ...body, locale }),
);
