import { KeyFilePreview, KeyListInput, KeyPreviewQuery } from "@/lib/merchants/key-files/contract";
import { previewKeyFile, previewKeyList } from "@/lib/merchants/key-files/preview-key-file";
import { KEY_FILE_TYPE, KEYS_CALL_BYTES } from "@/lib/merchants/key-files/rules";
import { merchant } from "@/lib/merchants/rules";
import { fileOrFieldsEndpoint } from "@/lib/platform/api/endpoint";
import { IMPORT_LIMIT_BYTES } from "@/lib/platform/imports/rules";

export const POST = fileOrFieldsEndpoint(
  {
    summary: "Preview activation codes",
    description:
      "What an import would do: how many codes are new, how many are known, and which lines are refused and why. A CSV file with the columns product, plan, key and redeem_by (or plan_id in place of product and plan), or at most 500 codes of one plan as JSON. Codes that look like numbers or dates of a spreadsheet are refused as `code_held`; `confirm_held` takes them. Nothing is written, and nothing is kept.",
    access: merchant("keys.write"),
    query: KeyPreviewQuery,
    file: { types: [KEY_FILE_TYPE], limitBytes: IMPORT_LIMIT_BYTES },
    body: KeyListInput,
    limitBytes: KEYS_CALL_BYTES,
    result: KeyFilePreview,
    errors: [],
    rate: [{ limit: 120, seconds: 3600, by: "user" }],
  },
  {
    file: ({ viewer, file, query, locale }) => previewKeyFile(viewer, file, locale, query),
    fields: ({ viewer, body, locale }) => previewKeyList(viewer, body, locale),
  },
);
