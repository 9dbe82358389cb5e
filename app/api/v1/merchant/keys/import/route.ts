import { KeyBatchStarted, KeyFileQuery, KeyListImportInput } from "@/lib/merchants/key-files/contract";
import { importKeyFile, importKeysOfPlan } from "@/lib/merchants/key-files/import-key-file";
import { KEY_FILE_TYPE, KEYS_CALL_BYTES } from "@/lib/merchants/key-files/rules";
import { merchant } from "@/lib/merchants/rules";
import { enqueueAssignWaiting as onStock } from "@/lib/orders/fulfilment/enqueue-assign";
import { fileOrFieldsEndpoint } from "@/lib/platform/api/endpoint";
import { IMPORT_LIMIT_BYTES } from "@/lib/platform/imports/rules";

export const POST = fileOrFieldsEndpoint(
  {
    summary: "Import activation codes",
    description:
      "A CSV file must have the hash of its preview; its import continues after the response, and `/merchant/keys/batches/{id}` has its progress. A list of at most 500 codes of one plan as JSON is imported before the response. Sending the same codes again continues their batch, and changes nothing once it is done. `statement` says where the codes come from; it becomes part of their custody and cannot be changed.",
    access: merchant("keys.write", { reauthenticated: true }),
    file: { types: [KEY_FILE_TYPE], limitBytes: IMPORT_LIMIT_BYTES },
    query: KeyFileQuery,
    body: KeyListImportInput,
    limitBytes: KEYS_CALL_BYTES,
    result: KeyBatchStarted,
    errors: ["import_file_differs", "statement_has_code", "keys_stopped"],
    rate: [{ limit: 120, seconds: 3600, by: "user" }],
  },
  {
    file: ({ viewer, file, query, locale }) => importKeyFile(viewer, file, query, { locale, onStock }),
    fields: ({ viewer, body, locale }) => importKeysOfPlan(viewer, body, { locale, onStock }),
  },
);
