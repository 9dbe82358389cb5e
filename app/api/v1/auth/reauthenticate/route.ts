import { ReauthenticateInput, ReauthenticationView } from "@/lib/accounts/profile/contract";
import { reauthenticate } from "@/lib/accounts/reauthentication/reauthenticate";
import { endpoint } from "@/lib/platform/api/endpoint";
import { CODE_ERRORS } from "@/lib/platform/errors";
import { mayEnterStaffMode, reauthenticateStaff } from "@/lib/staff/factors/reauthenticate-staff";

export const POST = endpoint(
  {
    summary: "Reauthenticate before a sensitive change",
    description:
      "With the password, or with a code of the type `order_email` sent to the account's own email. Valid for 15 minutes in this session. A login counts too. In staff mode both the password and `second_factor` are required; both also begin staff mode again after it has ended.",
    access: "user",
    whileClosed: true,
    body: ReauthenticateInput,
    result: ReauthenticationView,
    errors: [...CODE_ERRORS, "password_wrong", "too_many_tries", "field_required", "second_factor_missing"],
    rate: [{ limit: 60, seconds: 3600, by: "user" }],
    failClosed: true,
    replay: false,
  },
  async ({ body, viewer }) => {
    const isStaff =
      viewer.factor.active || (body.second_factor !== undefined && (await mayEnterStaffMode(viewer)));
    return isStaff ? reauthenticateStaff(viewer, body) : reauthenticate(viewer, body);
  },
);
