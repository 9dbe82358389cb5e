import { existsSync } from "node:fs";
import { join } from "node:path";
import type postgres from "postgres";
import { DEMO_ACCOUNT_EMAIL } from "@/lib/accounts/rules";
import type { Env } from "@/lib/platform/env";
import { DEMO_GRANTER, DEMO_STAFF } from "@/lib/staff/demo/rules";
import { DEMO_SELLERS } from "@/lib/staff/demo/rules-sellers";
import { askDatabase } from "./ask-database";
import { readJson } from "./process-lock";
import { SECRETS_FILE } from "./secrets";

/** The accounts whose passwords are in the source code (`/dev/accounts.json`). */
const PUBLISHED = [DEMO_ACCOUNT_EMAIL, ...[...DEMO_STAFF, ...DEMO_SELLERS].map(({ email }) => email)];

type Modes = Pick<Env, "APP_MODE" | "PAYMENT_MODE">;

/**
 * Rejects, in production, a database in which somebody could sign in with a password that is public, and, with real payments,
 * one whose orders were paid in the sandbox. Every process of production asks: servers, workers, migrations and scripts.
 * Waits up to 60 seconds for a database that does not answer, and changes nothing.
 */
export async function rejectDemoDatabase(databaseUrl: string, modes: Modes): Promise<void> {
  if (modes.APP_MODE !== "production") return;
  const found = await askDatabase(
    databaseUrl,
    async (client) => (await findDemoPeople(client)) ?? findSandboxPayments(client, modes),
  );
  if (found)
    throw new Error(`${found}: production needs a database of its own (DATABASE_URL). Nothing was changed.`);
}

const hasTable = async (client: postgres.Sql, name: string) =>
  (await client`select to_regclass(${name}) is not null as found`)[0]?.found === true;

/** A demo account may have been given another address; who was granted by the demo stays a member. */
async function findDemoPeople(client: postgres.Sql): Promise<string | undefined> {
  if (!(await hasTable(client, "staff_members"))) return;
  const [person] = await client<{ email: string }[]>`
    select email from users where deleted_at is null and (lower(email) in ${client(PUBLISHED)}
      or id in (select user_id from staff_members where granted_by = ${DEMO_GRANTER} and ended_at is null))
    order by email limit 1`;
  return person && `This is the database of a demo: the password of ${person.email} is public`;
}

async function findSandboxPayments(
  client: postgres.Sql,
  { PAYMENT_MODE: mode }: Modes,
): Promise<string | undefined> {
  if (mode === "sandbox" || !(await hasTable(client, "sandbox_intents"))) return;
  const [row] = await client<{ found: boolean }[]>`
    select exists (select from sandbox_intents) or exists (select from sandbox_customers) as found`;
  return row?.found
    ? `This database has payments or cards of the sandbox, and PAYMENT_MODE is ${mode}: no bank knows them`
    : undefined;
}

/** Rejects, in production, secrets that a demo has made for itself in the data folder: whoever ran the demo has them. */
export function rejectDemoSecrets(dataDir: string, given: Record<string, string | undefined>): void {
  const path = join(dataDir, SECRETS_FILE);
  const stored = existsSync(path) ? readJson<Record<string, string>>(path) : undefined;
  const name = Object.keys(stored ?? {}).find((key) => given[key] && given[key] === stored?.[key]);
  if (name)
    throw new Error(
      `Configuration: ${name} is that of a demo (${path}): production needs secrets of its own.`,
    );
}
