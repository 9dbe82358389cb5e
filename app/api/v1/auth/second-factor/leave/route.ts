import { secondFactor } from "@/lib/platform/api/declaration";
import { endpoint } from "@/lib/platform/api/endpoint";
import { StaffModeLeft } from "@/lib/staff/contract";
import { leaveStaffMode } from "@/lib/staff/factors/enter-staff-mode";

export const POST = endpoint(
  {
    summary: "End staff mode",
    description: "The session stays signed in as an ordinary user's.",
    access: secondFactor(),
    result: StaffModeLeft,
    errors: [],
  },
  async ({ viewer }) => {
    await leaveStaffMode(viewer);
    return { left: true as const };
  },
);
