import { randomBytes } from "node:crypto";
import { client } from "@/db/client";
import type { Envelope } from "@/lib/platform/api/answer";
import type { Declaration, Handler } from "@/lib/platform/api/declaration";
import { refusalsOf } from "@/lib/platform/api/openapi";
import { ERRORS } from "@/lib/platform/errors";
import { apiRoutes } from "@/scripts/write-openapi";

/** What the tests of all calls share: the calls as the route files declare them, a request, and what it changed. */

export type EveryCall = {
  /** `POST /cart/add` */
  name: string;
  path: string;
  method: string;
  write: boolean;
  handler: Handler;
  declaration: Declaration;
  /** The codes that this call may refuse with. */
  codes: Set<string>;
};

/** Every method of every route file, the hidden ones too. */
export async function everyCall(): Promise<EveryCall[]> {
  const routes = await apiRoutes();
  return routes.map(({ path, method, handler }) => {
    const { declaration } = handler;
    const write = method !== "GET";
    const codes = new Set(refusalsOf(declaration, write).map((name) => ERRORS[name].code));
    return { name: `${method} ${path}`, path, method, write, handler, declaration, codes };
  });
}

export type Asked = {
  params?: Record<string, string>;
  query?: string;
  body?: unknown;
  /** Sent as it is instead of `body`. */
  raw?: BodyInit;
  headers?: Record<string, string>;
};
export type Answer = { status: number; headers: Headers; envelope: Envelope | null; text: string };

const someIp = () => `10.${[...randomBytes(3)].join(".")}`;

/** Sends one request; `envelope` is null when the answer is no JSON. */
export async function ask({ handler, path, method, write }: EveryCall, asked: Asked): Promise<Answer> {
  const params = asked.params ?? {};
  const filled = path.replace(/\[(?:\.\.\.)?(\w+)\]/g, (_, name) => encodeURIComponent(params[name] ?? "x"));
  const headers = new Headers({ host: "localhost:3000", "x-forwarded-for": someIp(), ...asked.headers });
  const body = write ? (asked.raw ?? JSON.stringify(asked.body ?? {})) : undefined;
  if (write && !headers.has("content-type") && asked.raw === undefined)
    headers.set("content-type", "application/json");
  const url = `http://localhost:3000/api/v1${filled}${asked.query ? `?${asked.query}` : ""}`;
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

/** Tables that may change although a call was refused: what is counted or written down, and what the provider does. */
const FREE = [
  "rate_limits",
  "audit_entries",
  "idempotency_keys",
  "sandbox_requests",
  "sandbox_events",
  "sandbox_intents",
  "test_changes",
];

/** From now on the database notes every row that a call adds, takes away or changes. */
export async function watchChanges(): Promise<void> {
  await client().unsafe(`
    create table public.test_changes (seq bigserial, entry text not null);
    create function public.test_note() returns trigger language plpgsql as $$ begin
      if tg_op = 'UPDATE' and to_jsonb(old) - array['seen_at', 'tries', 'tries_from_other_networks']
        = to_jsonb(new) - array['seen_at', 'tries', 'tries_from_other_networks'] then
        return null;
      end if;
      insert into public.test_changes (entry) values (lower(tg_op) || ' ' || tg_table_name);
      return null;
    end $$;
    do $$ declare place record; begin
      for place in select schemaname, tablename from pg_tables
        where schemaname = 'public' and tablename <> all('{${FREE.join(",")}}')
      loop
        execute format('create trigger zz_test_note after insert or update or delete on %I.%I
          for each row execute function public.test_note()', place.schemaname, place.tablename);
      end loop;
    end $$;
    create table public.test_jobs (id bigint, revision int);
    create function public.test_take_changes() returns setof text language plpgsql as $$ begin
      insert into test_changes (entry)
      select case when t.id is null then 'insert jobs' when j.id is null then 'delete jobs' else 'update jobs' end
      from graphile_worker.jobs j full join test_jobs t on t.id = j.id where t.revision is distinct from j.revision;
      delete from test_jobs;
      insert into test_jobs select id, revision from graphile_worker.jobs;
      return query with gone as (delete from test_changes returning entry) select distinct entry from gone order by 1;
    end $$;`);
}

/** What changed since the last call, e.g. `update orders`. */
export async function takeNoted(): Promise<string[]> {
  const rows = await client()<{ entry: string }[]>`select entry from public.test_take_changes() as entry`;
  return rows.map(({ entry }) => entry);
}

const CODE_MAILED = ["insert jobs", "insert mails", "insert verification_codes"];
/** Refusals that do something on purpose, and what: an address that is not proved yet gets its code. */
const ON_PURPOSE: Record<string, string[]> = {
  "POST /order/update/email": CODE_MAILED,
  "POST /order/create": CODE_MAILED,
  "POST /wait-list/create": CODE_MAILED,
};

/** Of these changes, those that a refusal of this call must not make. */
export const changedBy = ({ name }: EveryCall, changes: string[]) =>
  changes.filter((change) => !ON_PURPOSE[name]?.includes(change));

/** Codes of a provider or a counter that is away: no error of ours. */
export const UNAVAILABLE = ["503", "50301", "50302"];

/** What has changed since the last time, e.g. `update orders`; the counters of the limits start again. */
export async function takeChanges(): Promise<string[]> {
  await client()`delete from rate_limits`;
  return takeNoted();
}

/** The schema library's own texts, in the languages that it speaks. */
const RAW_TEXT =
  /Invalid (input|option|string|number|key|value|discriminator)|Too (big|small)|Unrecognized key|expected|无效输入|数值过|未知的键|無効な(入力|値)|期待|小さすぎ|大きすぎ/;

const KEYS = new Set(["code", "state", "success", "message", "data", "errors"]);

/** What is wrong with an answer as such: its envelope, its status, a refusal that the document does not name. */
export function flawsOf(call: EveryCall, { status, headers, envelope }: Answer): string[] {
  if (!envelope) {
    const isFile = "binary" in call.declaration.result && (status === 200 || status === 304);
    return isFile ? [] : [`no envelope: ${status} ${headers.get("content-type")}`];
  }
  const { code, state, success, message, data, errors } = envelope;
  const flaws: string[] = [];
  const expect = (right: boolean, flaw: string) => right || flaws.push(flaw);
  expect(
    Object.keys(envelope).every((key) => KEYS.has(key)),
    `odd keys ${Object.keys(envelope)}`,
  );
  expect(typeof message === "string" && message !== "", "no message");
  expect(!/[{}]|\berrors\.\w/.test(message), `an unfinished message: ${message}`);
  for (const issue of errors ?? []) expect(!RAW_TEXT.test(issue.message), `a raw text: ${issue.message}`);
  expect(status === Number(String(code).slice(0, 3)), `status ${status} with code ${code}`);
  expect(headers.get("cache-control")?.includes("no-store") === true, "may be cached");
  if (success) expect(code === "200" && state === 0 && errors === undefined, `success with ${code} ${state}`);
  else {
    expect(state === Number(code) && data === null, `a refusal with ${state} and data`);
    expect(call.codes.has(code), `${code} is not declared: ${message}`);
    expect(status < 500 || UNAVAILABLE.includes(code), `an error of ours: ${code}`);
  }
  return flaws;
}
