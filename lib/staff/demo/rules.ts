import type { StaffRole } from "@/lib/platform/auth/permissions";

/** The staff accounts of a demo, one for each role and two administrators, who approve each other's requests. */
export const DEMO_STAFF: readonly { email: string; role: StaffRole }[] = [
  { email: "demo-support@passlane.example", role: "support" },
  { email: "demo-catalogue@passlane.example", role: "catalogue" },
  { email: "demo-finance@passlane.example", role: "finance" },
  { email: "demo-admin@passlane.example", role: "admin" },
  { email: "demo-admin-2@passlane.example", role: "admin" },
];

/** Who has granted the roles of these accounts. */
export const DEMO_GRANTER = "staff:demo";

/** Public, as the demo account's: these accounts are created in the embedded database of a demo only. */
export const DEMO_STAFF_PASSWORD = "passlane-staff-1";
