import {
  ApplicationDecided,
  ApplicationParams,
  RefuseApplicationInput,
} from "@/lib/merchants/console/contract";
import { refuseApplication } from "@/lib/merchants/console/refuse-application";
import { endpoint } from "@/lib/platform/api/endpoint";
import { effects } from "@/lib/staff/preview/effects";
import { staff } from "@/lib/staff/rules";

export const POST = endpoint(
  {
    summary: "Refuse a merchant's application",
    description: "The applicant gets the reason by email, and may apply again.",
    access: staff("merchants.decide", { reauthenticated: true }),
    params: ApplicationParams,
    body: RefuseApplicationInput,
    previewable: effects,
    result: ApplicationDecided,
    errors: ["application_unknown", "application_decided", "revision_conflict", "note_has_code"],
  },
  ({ viewer, params, body }) => refuseApplication(viewer, params.id, body),
);
