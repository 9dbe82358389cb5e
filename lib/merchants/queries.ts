import { sql } from "drizzle-orm";
import { db } from "@/db/client";
import type { ApplicationState } from "./rules";

/** An application in the staff list. */
export type Application = {
  id: string;
  state: ApplicationState;
  email: string;
  productUrl: string;
  phoneNum: string;
  locale: string;
  source: Record<string, string> | null;
  createdAt: string;
  decidedAt: string | null;
  decidedBy: string | null;
  note: string | null;
};

const columns =
  sql.raw(`id, state, email, product_url as "productUrl", phone_num as "phoneNum", locale, source,
  created_at as "createdAt", decided_at as "decidedAt", decided_by as "decidedBy", note`);

/** Open applications, oldest first; `all` includes decided ones. */
export async function listApplications({ all = false } = {}): Promise<Application[]> {
  const rows = await db.execute<Application>(sql`
    select ${columns} from merchant_applications where ${all} or state = 'received' order by created_at, id limit 500`);
  return [...rows];
}

export async function findApplication(id: string): Promise<Application | null> {
  const [row] = await db.execute<Application>(
    sql`select ${columns} from merchant_applications where id = ${id}`,
  );
  return row ?? null;
}
