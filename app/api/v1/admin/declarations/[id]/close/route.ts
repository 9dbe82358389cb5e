import {
  CloseDeclarationInput,
  DeclarationDecided,
  DeclarationParams,
} from "@/lib/orders/console/contract-declarations";
import { closeDeclaration } from "@/lib/orders/console/decide-declarations";
import { endpoint } from "@/lib/platform/api/endpoint";
import { effects } from "@/lib/staff/preview/effects";
import { staff } from "@/lib/staff/rules";

export const POST = endpoint(
  {
    summary: "Close a declaration of withdrawal that nobody proved",
    description: "Its record stays. A further declaration for the same order and address begins another.",
    access: staff("refunds.decide", { reauthenticated: true }),
    params: DeclarationParams,
    body: CloseDeclarationInput,
    previewable: effects,
    result: DeclarationDecided,
    errors: ["declaration_unknown", "declaration_ended", "revision_conflict", "note_has_code"],
  },
  ({ viewer, params, body }) => closeDeclaration(viewer, params.id, body),
);
