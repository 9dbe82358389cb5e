import { sql } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { closeDatabase, db } from "@/db/client";
import { inputExample, jsonSchema } from "@/lib/platform/api/openapi";
import {
  type Answer,
  type Asked,
  ask,
  changedBy,
  type EveryCall,
  everyCall,
  flawsOf,
  takeChanges,
  UNAVAILABLE,
  watchChanges,
} from "./every-call";
import { ACTORS, HIDDEN_BUT_NOTED, idFieldsOf, type Named, type Place } from "./matrix-fields";
import { createGoods, createWorld, type Goods, type World } from "./world";

vi.setConfig({ testTimeout: 120_000 });

/*
 * The access matrix (docs/reliability.md#security): every call × guest, owner, other user, staff × own, foreign, missing,
 * malformed. The calls come from the route files, their fields from the declarations. Merchants have no role and no
 * call of their own yet; when they get one, they become an actor here.
 */
const calls = await everyCall();
const shown = calls.filter(({ declaration }) => !declaration.raw);

let goods: Goods;
let owner: World;
let stranger: World;
let staff: World;
const counted = { requests: 0, guest: 0, foreign: 0, missing: 0, malformed: 0, own: 0, actor: 0, role: 0 };

beforeAll(async () => {
  goods = await createGoods();
  owner = await createWorld(goods);
  stranger = await createWorld(goods);
  staff = await createWorld(goods, "staff");
  await watchChanges();
}, 60_000);
afterAll(async () => {
  console.log(`access matrix: ${calls.length} handlers, ${JSON.stringify(counted)}`);
  await closeDatabase();
});

type Input = Record<Place, Record<string, unknown>>;
type Values = "own" | "missing" | "foreign";

const shapeOf = (call: EveryCall, place: Place) => {
  const schema = call.declaration[place];
  return schema ? (jsonSchema(schema, "input") as { required?: string[]; properties?: object }) : {};
};

const chosen = ({ field }: Named, kind: Values, me: World | undefined): unknown => {
  if (field?.kind === "shop") return kind === "missing" ? field.missing() : field.own(goods);
  if (field?.kind !== "owned" && field?.kind !== "told") return undefined;
  if (kind === "missing") return field.missing();
  return field.own(kind === "foreign" ? owner : (me ?? owner));
};

/** What a call needs at least, from its examples, with the caller's own ids, and the field in question on top. */
function inputOf(call: EveryCall, me: World | undefined, asked?: { field: Named; value: unknown }): Input {
  const { fields } = idFieldsOf(call);
  const input: Input = { params: {}, query: {}, body: {} };
  for (const place of ["params", "query", "body"] as const) {
    const schema = call.declaration[place];
    const example = (schema ? inputExample(schema) : {}) as Record<string, unknown>;
    const { required = [] } = shapeOf(call, place);
    const needed = Object.entries(example).filter(([name]) => place === "params" || required.includes(name));
    const ids = fields
      .filter((field) => field.place === place && field.required)
      .map((field): [string, unknown] => [field.name, chosen(field, "own", me) ?? example[field.name]]);
    input[place] = Object.fromEntries([...needed, ...ids]);
  }
  if (asked) input[asked.field.place][asked.field.name] = asked.value;
  return input;
}

const textOf = (value: unknown) => (typeof value === "object" ? JSON.stringify(value) : String(value));

async function send(
  call: EveryCall,
  input: Input,
  me?: World,
): Promise<{ answer: Answer; changes: string[] }> {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(input.query))
    for (const one of [value].flat()) query.append(name, textOf(one));
  const params = Object.fromEntries(
    Object.entries(input.params).map(([name, value]) => [name, textOf(value)]),
  );
  const asked: Asked = {
    params,
    query: query.toString(),
    body: input.body,
    headers: me ? { authorization: me.bearer } : {},
  };
  await takeChanges();
  const answer = await ask(call, asked);
  counted.requests++;
  const changes = await takeChanges();
  expect(flawsOf(call, answer), call.name).toEqual([]);
  if (answer.envelope?.success === false)
    expect(changedBy(call, changes), `${call.name} refused and changed`).toEqual([]);
  return { answer, changes };
}

/** Everything of an answer that a caller can tell it from another by, but the time. */
const heard = ({ status, envelope, text }: Answer) =>
  JSON.stringify([status, envelope ?? text], (key, value) => (key === "server_time" ? undefined : value));

const NONSENSE: unknown[] = [
  "",
  "x".repeat(300),
  "' or 1=1 --",
  "../..",
  "%00",
  -1,
  1.5,
  {},
  [],
  [[]],
  { $ne: null },
];

describe("the access matrix", () => {
  it("knows every id-like field of every call", () => {
    const open = calls.flatMap((call) => {
      const { fields, hidden } = idFieldsOf(call);
      return [
        ...fields.filter(({ field }) => !field).map(({ name }) => `${call.name} ${name}`),
        ...hidden.filter((path) => !HIDDEN_BUT_NOTED.includes(path)).map((path) => `${call.name} ${path}`),
      ];
    });
    expect(open, "place these in tests/api/matrix-fields.ts").toEqual([]);
  });

  it.each(shown)("$name: a guest", async (call) => {
    const { fields } = idFieldsOf(call);
    const inputs = [
      inputOf(call, undefined),
      ...fields.flatMap((field) =>
        (["own", "missing"] as const).map((kind) =>
          inputOf(call, undefined, { field, value: chosen(field, kind, owner) }),
        ),
      ),
    ];
    for (const input of inputs) {
      const { answer } = await send(call, input);
      counted.guest++;
      if (call.declaration.access !== "public")
        expect([answer.status, answer.envelope?.code]).toEqual([401, "401"]);
    }
  });

  it.each(shown)("$name: another's thing, a missing one, nonsense", async (call) => {
    for (const field of idFieldsOf(call).fields) {
      for (const me of [stranger, staff]) {
        if (call.declaration.access === "public" && field.field?.kind !== "shop" && me === staff) continue;
        await strangerHears(call, field, me);
      }
      await nonsenseIsRefused(call, field);
    }
  });

  async function strangerHears(call: EveryCall, field: Named, me: World) {
    if (field.field?.kind !== "owned" && field.field?.kind !== "told") return;
    const at = (value: unknown) => send(call, inputOf(call, me, { field, value }), me);
    const missing = await at(chosen(field, "missing", me));
    const foreign = await at(chosen(field, "foreign", me));
    counted.missing++;
    counted.foreign++;
    const where = `${call.name} ${field.name} as ${me.viewer.role}`;
    expect(foreign.changes, where).toEqual(missing.changes);
    if (field.field.kind === "told") expect(foreign.answer.envelope?.code, where).toBe(field.field.code);
    else expect(heard(foreign.answer), where).toBe(heard(missing.answer));
    expect(foreign.answer.text).not.toContain(owner.email);
  }

  async function nonsenseIsRefused(call: EveryCall, field: Named) {
    if (field.field?.kind === "noted") return;
    const missing = await send(
      call,
      inputOf(call, stranger, { field, value: chosen(field, "missing", stranger) }),
      stranger,
    );
    for (const value of NONSENSE) {
      const { answer } = await send(call, inputOf(call, stranger, { field, value }), stranger);
      counted.malformed++;
      const same = heard(answer) === heard(missing.answer);
      const held =
        field.field?.kind === "held" &&
        (answer.status < 500 || UNAVAILABLE.includes(answer.envelope?.code ?? ""));
      expect(
        same || held || answer.status === 400,
        `${call.name} ${field.name} ${textOf(value)}: ${answer.text}`,
      ).toBe(true);
    }
  }

  it.each(shown)("$name: a user_id of another is refused and written down", async (call) => {
    const { access } = call.declaration;
    for (const me of access === "public" ? [stranger, undefined] : [stranger])
      for (const place of ["query", "body"] as const)
        for (const name of ACTORS) {
          if (place === "body" && !call.write) continue;
          const known = name in (shapeOf(call, place).properties ?? {});
          const input = inputOf(call, me);
          input[place][name] = owner.id;
          const before = await foreignActors();
          const { answer } = await send(call, input, me);
          counted.actor++;
          const where = `${call.name} ${place} ${name}: ${answer.text}`;
          expect(answer.envelope?.code, where).toBe(known ? "40300" : "40000");
          expect(await foreignActors(), where).toBe(before + (known ? 1 : 0));
        }
  });

  it.each(shown.filter(({ declaration }) => declaration.access === "staff"))(
    "$name: for staff only",
    async (call) => {
      const { answer } = await send(call, inputOf(call, stranger), stranger);
      counted.role++;
      expect(answer.envelope?.code).toBe("40300");
      const asStaff = await send(call, inputOf(call, staff), staff);
      expect(asStaff.answer.envelope?.code).not.toBe("40300");
    },
  );

  // Last, and each in a world of its own: these go through and change things.
  it.each(
    shown.filter((call) =>
      idFieldsOf(call).fields.some(({ field }) => field?.kind === "owned" || field?.kind === "told"),
    ),
  )("$name: the owner hears something else than a stranger", async (call) => {
    for (const field of idFieldsOf(call).fields) {
      if (field.field?.kind !== "owned" && field.field?.kind !== "told") continue;
      const me = await createWorld(goods);
      const missing = await send(call, inputOf(call, me, { field, value: chosen(field, "missing", me) }), me);
      const own = await send(call, inputOf(call, me, { field, value: chosen(field, "own", me) }), me);
      counted.own++;
      const differs =
        heard(own.answer) !== heard(missing.answer) || own.changes.join() !== missing.changes.join();
      expect(differs, `${call.name} ${field.name}: the fixture proves nothing (${own.answer.text})`).toBe(
        true,
      );
    }
  });
});

async function foreignActors(): Promise<number> {
  const [row] = await db.execute<{ n: number }>(
    sql`select count(*)::int as n from audit_entries where action = 'identity.foreign'`,
  );
  return row!.n;
}
