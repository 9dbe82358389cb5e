import { client } from "@/db/client";
import {
  type Declaration,
  type Handler,
  isMerchantAccess,
  listCallErrors,
} from "@/lib/platform/api/declaration";
import type { Envelope } from "@/lib/platform/api/response";
import { ERRORS } from "@/lib/platform/errors";
import { isShopKnownClosed } from "@/lib/platform/process-state";
import { openShop } from "@/lib/platform/shop-closure";
import { apiRoutes } from "@/scripts/write-openapi";
import { clientAddress } from "@/tests/setup/client-address";

/** Shared by the tests that cover all calls: the declared calls, sending a request, and the rows that it changes. */

export type ApiCall = {
  /** `POST /cart/add` */
  name: string;
  path: string;
  method: string;
  write: boolean;
  handler: Handler;
  declaration: Declaration;
  /** The error codes that this call declares. */
  codes: Set<string>;
};

/** Every method of every route file, including those that the API document omits. */
export async function listApiCalls(): Promise<ApiCall[]> {
  const routes = await apiRoutes();
  return routes.map(({ path, method, handler }) => {
    const { declaration } = handler;
    const write = method !== "GET";
    const codes = new Set(listCallErrors(declaration, write).map((name) => ERRORS[name].code));
    return { name: `${method} ${path}`, path, method, write, handler, declaration, codes };
  });
}

export type ApiRequest = {
  params?: Record<string, string>;
  query?: string;
  body?: unknown;
  /** Sent unchanged instead of `body`. */
  raw?: BodyInit;
  headers?: Record<string, string>;
};
export type ApiResponse = { status: number; headers: Headers; envelope: Envelope | null; text: string };

/** Sends one request; `envelope` is null when the response is not JSON. */
export async function sendRequest(
  { handler, path, method, write, declaration }: ApiCall,
  input: ApiRequest,
): Promise<ApiResponse> {
  const params = input.params ?? {};
  // A call that takes JSON too gets that.
  const file = declaration.body ? undefined : declaration.file;
  const resolvedPath = path.replace(/\[(?:\.\.\.)?(\w+)\]/g, (_, name) =>
    encodeURIComponent(params[name] ?? "x"),
  );
  const headers = new Headers({
    host: "localhost:3000",
    "x-forwarded-for": clientAddress(),
    ...input.headers,
  });
  const body = write ? (input.raw ?? (file ? "a file" : JSON.stringify(input.body ?? {}))) : undefined;
  if (write && !headers.has("content-type") && input.raw === undefined)
    headers.set("content-type", file?.types[0] ?? "application/json");
  const url = `http://localhost:3000/api/v1${resolvedPath}${input.query ? `?${input.query}` : ""}`;
  const response = await handler(new Request(url, { method, headers, body }), {
    params: Promise.resolve(params),
  });
  const text = await response.text();
  const isJson = response.headers.get("content-type")?.startsWith("application/json");
  return {
    status: response.status,
    headers: response.headers,
    envelope: isJson ? JSON.parse(text) : null,
    text,
  };
}

/** Tables that a rejected call may change: counters, the audit log, idempotency keys and the payment sandbox. */
const UNTRACKED_TABLES = [
  "rate_limits",
  "audit_entries",
  "idempotency_keys",
  "sandbox_requests",
  "sandbox_events",
  "sandbox_intents",
  "test_changes",
];

/** Installs triggers that record every row that a call inserts, updates or deletes. */
export async function recordRowChanges(): Promise<void> {
  await client().unsafe(`
    create table public.test_changes (seq bigserial, entry text not null);
    create function public.record_test_change() returns trigger language plpgsql as $$ begin
      if tg_op = 'UPDATE' and to_jsonb(old) - array['seen_at', 'staff_seen_at', 'failures', 'tries', 'tries_from_other_networks']
        = to_jsonb(new) - array['seen_at', 'staff_seen_at', 'failures', 'tries', 'tries_from_other_networks'] then
        return null;
      end if;
      insert into public.test_changes (entry) select lower(tg_op) || ' ' ||
        coalesce((select i.inhparent::regclass::text from pg_inherits i where i.inhrelid = tg_relid), tg_table_name);
      return null;
    end $$;
    do $$ declare watched record; begin
      for watched in select n.nspname as schemaname, c.relname as tablename from pg_class c join pg_namespace n on n.oid = c.relnamespace
        where n.nspname = 'public' and c.relkind in ('r', 'p') and not c.relispartition and c.relname <> all('{${UNTRACKED_TABLES.join(",")}}')
      loop
        execute format('create trigger zz_record_test_change after insert or update or delete on %I.%I
          for each row execute function public.record_test_change()', watched.schemaname, watched.tablename);
      end loop;
    end $$;
    create table public.test_jobs (id bigint primary key, revision int);
    create function public.test_take_changes() returns setof text language plpgsql as $$ begin
      insert into test_changes (entry)
      select case when t.id is null then 'insert jobs' when j.id is null then 'delete jobs' else 'update jobs' end
      from graphile_worker.jobs j full join test_jobs t on t.id = j.id where t.revision is distinct from j.revision;
      if found then
        delete from test_jobs;
        insert into test_jobs select id, revision from graphile_worker.jobs;
      end if;
      return query with taken as (delete from test_changes returning entry) select distinct entry from taken order by 1;
    end $$;
    create function public.test_reset_and_take_changes() returns setof text language plpgsql as $$ begin
      delete from rate_limits;
      return query select test_take_changes();
      -- The next call does not meet a shop that this one has closed.
      if exists (select from shop_closure) then
        delete from shop_closure;
        delete from test_changes where entry = 'delete shop_closure';
      end if;
    end $$;`);
}

/** Returns and clears the recorded changes, e.g. `update orders`. */
export async function takeRowChanges(): Promise<string[]> {
  const rows = await client()<{ entry: string }[]>`select entry from public.test_take_changes() as entry`;
  return rows.map(({ entry }) => entry);
}

/** What mailing a verification code changes. */
export const CODE_MAILED = ["insert jobs", "insert mails", "insert verification_codes"];
/** A wrong code of a second factor is counted; the fifth in a row locks the factor, and its owner is mailed. */
const WRONG_FACTOR_CODE = ["update second_factors", "insert jobs", "insert mails"];
/** Changes that a rejection makes on purpose: an unverified address receives its code. */
const INTENDED_CHANGES: Record<string, string[]> = {
  "POST /order/update/email": CODE_MAILED,
  "POST /order/create": CODE_MAILED,
  "POST /wait-list/create": CODE_MAILED,
  "POST /auth/second-factor": WRONG_FACTOR_CODE,
  "POST /auth/second-factor/confirm": WRONG_FACTOR_CODE,
  // The request for a second person is kept.
  "POST /admin/staff": ["insert approvals"],
  "POST /admin/staff/reset-factor": ["insert approvals"],
  "POST /admin/commission": ["insert approvals"],
};

/** The changes that a rejection of this call must not make. */
export const unintendedChanges = ({ name, declaration }: ApiCall, changes: string[]) =>
  changes.filter((change) => {
    // A token's use is noted also where its call is refused.
    const notesUse = isMerchantAccess(declaration.access) && change === "update api_tokens";
    return !notesUse && !INTENDED_CHANGES[name]?.includes(change);
  });

/** Codes for an unavailable provider or rate limiter; they are no internal errors. */
export const UNAVAILABLE_CODES = ["503", "50301", "50302"];

/** Resets the rate limits, then returns and clears the recorded changes. */
export async function resetLimitsAndTakeChanges(): Promise<string[]> {
  const rows = await client()<
    { entry: string }[]
  >`select entry from public.test_reset_and_take_changes() as entry`;
  if (isShopKnownClosed()) await openShop("staff:test"); // this process also forgets the closure
  return rows.map(({ entry }) => entry);
}

/** Default messages of the schema library in its languages; responses must not contain them. */
const SCHEMA_LIBRARY_TEXT =
  /Invalid (input|option|string|number|key|value|discriminator)|Too (big|small)|Unrecognized key|expected|无效输入|数值过|未知的键|無効な(入力|値)|期待|小さすぎ|大きすぎ/;

const ENVELOPE_KEYS = new Set(["code", "state", "success", "message", "data", "errors"]);

/** Problems of any response: its envelope, its status, error codes that the call does not declare. */
export function findResponseProblems(call: ApiCall, { status, headers, envelope }: ApiResponse): string[] {
  if (!envelope) {
    const isFile = "binary" in call.declaration.result && (status === 200 || status === 304);
    return isFile ? [] : [`no envelope: ${status} ${headers.get("content-type")}`];
  }
  const { code, state, success, message, data, errors } = envelope;
  const problems: string[] = [];
  const check = (holds: boolean, problem: string) => holds || problems.push(problem);
  check(
    Object.keys(envelope).every((key) => ENVELOPE_KEYS.has(key)),
    `unknown keys ${Object.keys(envelope)}`,
  );
  check(typeof message === "string" && message !== "", "no message");
  check(!/[{}]|\berrors\.\w/.test(message), `message with placeholders: ${message}`);
  for (const issue of errors ?? [])
    check(!SCHEMA_LIBRARY_TEXT.test(issue.message), `message of the schema library: ${issue.message}`);
  check(status === Number(String(code).slice(0, 3)), `status ${status} with code ${code}`);
  check(headers.get("cache-control")?.includes("no-store") === true, "cacheable");
  if (success) check(code === "200" && state === 0 && errors === undefined, `success with ${code} ${state}`);
  else {
    check(state === Number(code) && data === null, `rejection with state ${state} or data`);
    check(call.codes.has(code), `${code} is not declared: ${message}`);
    check(status < 500 || UNAVAILABLE_CODES.includes(code), `internal error: ${code}`);
  }
  return problems;
}
