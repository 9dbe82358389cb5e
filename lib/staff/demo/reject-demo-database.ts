import type postgres from "postgres";
import { askDatabase } from "@/db/ask-database";
import { DEMO_ACCOUNT_EMAIL } from "@/lib/accounts/rules";
import type { Env } from "@/lib/platform/env";
import { log } from "@/lib/platform/log";
import { DEMO_GRANTER, DEMO_STAFF } from "./rules";
import { DEMO_SELLERS } from "./rules-sellers";

/** The accounts whose passwords are in the source code (`/dev/accounts.json`). */
const PUBLISHED = [DEMO_ACCOUNT_EMAIL, ...[...DEMO_STAFF, ...DEMO_SELLERS].map(({ email }) => email)];

const warn = (line: string) => log.warn({}, line);

type Modes = Pick<Env, "APP_MODE" | "PAYMENT_MODE">;

/**
 * Rejects, in production, a database in which someone could sign in with a password that is public, and, with real
 * payments, one whose orders were paid in the sandbox. Every process of production asks: servers, workers, migrations
 * and scripts. Waits up to 60 seconds for a database that does not answer, and changes nothing.
 */
export async function rejectDemoDatabase(databaseUrl: string, modes: Modes, say = warn): Promise<void> {
  if (modes.APP_MODE !== "production") return;
  const ask = async (client: postgres.Sql) =>
    (await findDemoPeople(client)) ?? (await findSandboxPayments(client, modes));
  const found = await askDatabase(databaseUrl, ask, say);
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
