import { secondFactor } from "@/lib/platform/api/declaration";
import { endpoint } from "@/lib/platform/api/endpoint";
import { FactorInput, StaffSessionView } from "@/lib/staff/contract";
import { enterStaffMode } from "@/lib/staff/factors/enter-staff-mode";
import { getStaffSession } from "@/lib/staff/factors/get-staff-session";

export const GET = endpoint(
  {
    summary: "The staff member's rights in this session",
    access: secondFactor(),
    result: StaffSessionView,
    errors: [],
  },
  ({ viewer }) => getStaffSession(viewer),
);

export const POST = endpoint(
  {
    summary: "Start staff mode with the second factor",
    description:
      "A code of the authenticator app, accepted once, or a recovery code. Staff mode lasts 12 hours, or until 30 minutes pass without use. Five wrong codes lock the factor for 15 minutes.",
    access: secondFactor(),
    body: FactorInput,
    result: StaffSessionView,
    errors: ["code_wrong", "second_factor_missing", "too_many_tries"],
    rate: [{ limit: 60, seconds: 3600, by: "user" }],
    failClosed: true,
    replay: false,
  },
  ({ viewer, body }) => enterStaffMode(viewer, body.code),
);
