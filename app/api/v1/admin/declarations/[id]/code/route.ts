import { DeclarationDecided, DeclarationParams } from "@/lib/orders/console/contract-declarations";
import { sendDeclarationCode } from "@/lib/orders/console/decide-declarations";
import { endpoint } from "@/lib/platform/api/endpoint";
import { SeenVersion } from "@/lib/platform/console/version";
import { effects } from "@/lib/staff/preview/effects";
import { staff } from "@/lib/staff/rules";

export const POST = endpoint(
  {
    summary: "Mail the code that proves a declaration of withdrawal again",
    description: "Only where the declared address belongs to the order.",
    access: staff("refunds.decide", { reauthenticated: true }),
    params: DeclarationParams,
    body: SeenVersion,
    previewable: effects,
    result: DeclarationDecided,
    errors: [
      "declaration_unknown",
      "declaration_ended",
      "order_unknown",
      "revision_conflict",
      "code_just_sent",
      "too_many_codes",
    ],
  },
  ({ viewer, params, body, ip }) => sendDeclarationCode(viewer, params.id, body, ip),
);
