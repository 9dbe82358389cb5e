import { sql } from "drizzle-orm";
import { db } from "@/db/client";
import type { StaffRole } from "@/lib/platform/auth/permissions";
import { unseal } from "@/lib/platform/crypto/vault";
import { env } from "@/lib/platform/env";
import { DEMO_STAFF, DEMO_STAFF_PASSWORD } from "./rules";

export type DemoAccount = { email: string; password: string; role: StaffRole; totp_secret: string };
type Row = { email: string; id: string; sealed: Buffer; vaultKeyId: string };

/** The secrets of the authenticator apps of accounts of the demo, by address; null outside of the demo mode. */
export async function readDemoSecrets(emails: readonly string[]): Promise<Map<string, string> | null> {
  if (env().APP_MODE !== "demo") return null;
  const rows = await db.execute<Row>(sql`
    select lower(u.email) as email, f.id, f.sealed, f.vault_key_id as "vaultKeyId"
    from users u join second_factors f on f.user_id = u.id and f.confirmed_at is not null and f.ended_at is null
    where lower(u.email) in ${[...emails]} and u.deleted_at is null`);
  return new Map(rows.map((row) => [row.email, unseal(row.id, row)]));
}

/** The staff accounts of the demo with their secrets; null outside of the demo mode. */
export async function findDemoAccounts(): Promise<DemoAccount[] | null> {
  const secrets = await readDemoSecrets(DEMO_STAFF.map(({ email }) => email));
  return (
    secrets &&
    DEMO_STAFF.flatMap(({ email, role }) => {
      const totp_secret = secrets.get(email);
      return totp_secret ? [{ email, password: DEMO_STAFF_PASSWORD, role, totp_secret }] : [];
    })
  );
}
