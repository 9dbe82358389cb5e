import { sql } from "drizzle-orm";
import { SERVED_UNIT_SQL } from "@/lib/orders/refunds/lock-line-codes";
import { createSignedToken, verifySignedToken } from "@/lib/platform/auth/signed-link";
import { versionSql } from "@/lib/platform/console/query";
import { VENDOR_ANSWERS, type VendorAnswer } from "./contract";

/** SQL: the codes of a line `l` that its vendor is asked about. */
export const ASKED_KEYS_SQL = sql`array(select k.id from keys k where k.order_line_id = l.id and ${SERVED_UNIT_SQL} order by k.id)`;
/** SQL: the version of the question of a refund request of a line `l`: the codes that it names. */
export const questionVersionSql = (request: string) => versionSql(sql.raw(`${request}.id`), ASKED_KEYS_SQL);

type Question = { request: string; version: string };
export const createVendorToken = (question: Question, answer: VendorAnswer) =>
  createSignedToken("vendor-confirmation", { ...question, answer });

/**
 * Parses the token of a vendor link; null when it is invalid. The refund request holds the deadline. Links of former releases name
 * no version.
 */
export function parseVendorLink(token: string) {
  const claims = verifySignedToken("vendor-confirmation", token);
  const answer = VENDOR_ANSWERS.find((known) => known === claims?.answer);
  if (!claims || !answer) return null;
  const { request, version } = claims;
  return { requestId: String(request), answer, ...(version !== undefined && { version: String(version) }) };
}
