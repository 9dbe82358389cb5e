import { sql } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { closeDatabase, db } from "@/db/client";
import { createApiToken, createSeller } from "@/db/factories/merchants";
import { createStaff } from "@/db/factories/staff";
import { MERCHANT_ROLES, type MerchantRole, TOKEN_SCOPES, type TokenScope } from "@/lib/merchants/rules";
import { isFactorAccess, isMerchantAccess, isStaffAccess } from "@/lib/platform/api/declaration";
import { inputExample, jsonSchema } from "@/lib/platform/api/openapi";
import { STAFF_ROLES, type StaffRole } from "@/lib/platform/auth/permissions";
import { rounds } from "../setup/rounds";
import {
  type ApiCall,
  type ApiRequest,
  type ApiResponse,
  findResponseProblems,
  listApiCalls,
  recordRowChanges,
  resetLimitsAndTakeChanges,
  sendRequest,
  UNAVAILABLE_CODES,
  unintendedChanges,
} from "./all-calls";
import {
  type CatalogFixture,
  createCatalogFixture,
  createSellerFixture,
  createUserFixture,
  type SoldFixture,
  type UserFixture,
} from "./fixtures";
import { ACTOR_FIELDS, type IdField, type InputPart, listIdFields, NESTED_STORED_FIELDS } from "./id-fields";

/*
 * The access matrix (docs/reliability.md#security): every call × guest, owner, other user, each staff role, each role and a
 * token of a merchant × own, foreign, missing, malformed. The calls come from the route files, their fields from the
 * declarations.
 */
const calls = await listApiCalls();
const shown = calls.filter(({ declaration }) => !declaration.raw);

let catalog: CatalogFixture;
let owner: UserFixture;
let otherUser: UserFixture;
let staff: UserFixture;
let staffByRole: Record<StaffRole, UserFixture>;
let staffBeforeFactor: UserFixture;
let staffWithOldProof: UserFixture;
let seller: UserFixture & { sold: SoldFixture };
let sellerByRole: Record<MerchantRole, UserFixture & { sold: SoldFixture }>;
let sellerBeforeFactor: UserFixture & { sold: SoldFixture };
let sellerWithOldProof: UserFixture & { sold: SoldFixture };
let suspendedSeller: UserFixture & { sold: SoldFixture };
let otherSeller: UserFixture & { sold: SoldFixture };
const totals = { requests: 0, guest: 0, foreign: 0, missing: 0, malformed: 0, own: 0, actor: 0, role: 0 };

beforeAll(async () => {
  catalog = await createCatalogFixture();
  owner = await createUserFixture(catalog);
  otherUser = await createUserFixture(catalog);
  const people: [StaffRole, UserFixture][] = [];
  for (const role of STAFF_ROLES) people.push([role, await createUserFixture(catalog, { roles: [role] })]);
  staffByRole = Object.fromEntries(people) as Record<StaffRole, UserFixture>;
  staff = staffByRole.admin;
  staffBeforeFactor = await createUserFixture(catalog, { entered: false });
  staffWithOldProof = await createUserFixture(catalog, { roles: [...STAFF_ROLES] });
  seller = await createSellerFixture(catalog);
  sellerBeforeFactor = await createSellerFixture(catalog, { entered: false });
  sellerWithOldProof = await createSellerFixture(catalog);
  suspendedSeller = await createSuspendedSeller();
  for (const { viewer } of [staffWithOldProof, sellerWithOldProof])
    await db.execute(sql`update sessions set staff_reauthenticated_at = shop_now() - interval '16 minutes'
      where id = ${viewer.sessionId}`);
  const { sold } = seller;
  sellerByRole = { owner: seller, member: await createSellerFixture(catalog, { role: "member", sold }) };
  otherSeller = await createSellerFixture(catalog);
  await recordRowChanges();
});
afterAll(async () => {
  console.log(`access matrix: ${calls.length} handlers, ${JSON.stringify(totals)}`);
  await closeDatabase();
});

async function createSuspendedSeller() {
  const suspended = await createSellerFixture(catalog);
  await db.execute(sql`update merchants set state = 'suspended' where id = ${suspended.sold.merchant.id}`);
  return suspended;
}

/** Who owns the records of a call, and who else may make it. */
const ownerOf = ({ declaration: { access } }: ApiCall) => (isMerchantAccess(access) ? seller : owner);
const callersOf = ({ declaration: { access } }: ApiCall) =>
  isMerchantAccess(access) ? [otherSeller] : [otherUser, staff];
const signedInFor = ({ declaration: { access } }: ApiCall) =>
  isMerchantAccess(access) ? otherSeller : typeof access === "object" ? staff : otherUser;

type Input = Record<InputPart, Record<string, unknown>>;
type Values = "own" | "missing" | "foreign";

const readSchema = (call: ApiCall, part: InputPart) => {
  const schema = call.declaration[part];
  return schema ? (jsonSchema(schema, "input") as { required?: string[]; properties?: object }) : {};
};

const examples = new WeakMap<object, Record<string, unknown>>();

/** The example of a call's input, which is written once. */
function readExample(call: ApiCall, part: InputPart): Record<string, unknown> {
  const schema = call.declaration[part];
  if (!schema) return {};
  const example = examples.get(schema) ?? (inputExample(schema) as Record<string, unknown>);
  examples.set(schema, example);
  return example;
}

const fieldValue = (
  { field }: IdField,
  kind: Values,
  caller: UserFixture | undefined,
  owner: UserFixture,
): unknown => {
  if (field?.kind === "public") return kind === "missing" ? field.missing() : field.own(catalog);
  if (field?.kind !== "owned" && field?.kind !== "distinct-code") return undefined;
  if (kind === "missing") return field.missing();
  return field.own(kind === "foreign" ? owner : (caller ?? owner));
};

/** The required fields of a call from its examples, with ids of the caller and the given value of the tested field. */
function buildInput(
  call: ApiCall,
  caller: UserFixture | undefined,
  target?: { field: IdField; value: unknown },
): Input {
  const { fields } = listIdFields(call);
  const input: Input = { params: {}, query: {}, body: {} };
  for (const part of ["params", "query", "body"] as const) {
    const example = readExample(call, part);
    const { required = [] } = readSchema(call, part);
    const requiredExamples = Object.entries(example).filter(
      ([name]) => part === "params" || required.includes(name),
    );
    const ids = fields
      .filter((field) => field.part === part && field.required)
      .map((field): [string, unknown] => [
        field.name,
        fieldValue(field, "own", caller, ownerOf(call)) ?? example[field.name],
      ]);
    input[part] = Object.fromEntries([...requiredExamples, ...ids]);
  }
  if (target) input[target.field.part][target.field.name] = target.value;
  return input;
}

const toText = (value: unknown) => (typeof value === "object" ? JSON.stringify(value) : String(value));

const callerHeaders = ({ bearer, sold }: UserFixture): Record<string, string> => ({
  authorization: bearer,
  ...(sold && { "passlane-merchant": sold.merchant.handle }),
});

async function sendInput(
  call: ApiCall,
  input: Input,
  caller?: UserFixture,
): Promise<{ response: ApiResponse; changes: string[] }> {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(input.query))
    for (const one of [value].flat()) query.append(name, toText(one));
  const params = Object.fromEntries(
    Object.entries(input.params).map(([name, value]) => [name, toText(value)]),
  );
  const request: ApiRequest = {
    params,
    query: query.toString(),
    body: input.body,
    headers: caller ? callerHeaders(caller) : {},
  };
  await resetLimitsAndTakeChanges();
  const response = await sendRequest(call, request);
  totals.requests++;
  const changes = await resetLimitsAndTakeChanges();
  expect(findResponseProblems(call, response), call.name).toEqual([]);
  if (response.envelope?.success === false)
    expect(unintendedChanges(call, changes), `${call.name} rejected and changed`).toEqual([]);
  return { response, changes };
}

/** The parts of a response that a caller could compare: everything except the server time. */
const comparableResponse = ({ status, envelope, text }: ApiResponse) =>
  JSON.stringify([status, envelope ?? text], (key, value) => (key === "server_time" ? undefined : value));

const MALFORMED_VALUES: unknown[] = [
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
/** All of them; in `npm test` a third for each field, another third for the next. */
let fieldsTried = 0;
const takeMalformedValues = () => {
  const turn = fieldsTried++ % rounds(1, 3);
  return MALFORMED_VALUES.filter((_, index) => index % rounds(1, 3) === turn);
};

/** Every undeclared actor field is tried in all calls; in `npm test` one of them in each, and the next in the next. */
let actorFieldsTried = 0;

/** What a caller without the right to a merchant's call gets. */
const REFUSALS = ["40300", "40400", "40102", "40312", "40314", "40316"];

describe("access matrix", () => {
  it("lists every id-like field of every call", () => {
    const unlistedFields = calls.flatMap((call) => {
      const { fields, hidden } = listIdFields(call);
      return [
        ...fields.filter(({ field }) => !field).map(({ name }) => `${call.name} ${name}`),
        ...hidden
          .filter((path) => !NESTED_STORED_FIELDS.includes(path))
          .map((path) => `${call.name} ${path}`),
      ];
    });
    expect(unlistedFields, "add these to tests/api/id-fields.ts").toEqual([]);
  });

  it.each(shown)("$name: rejects a guest unless the call is public", async (call) => {
    const { fields } = listIdFields(call);
    const inputs = [
      buildInput(call, undefined),
      ...fields.flatMap((field) =>
        (["own", "missing"] as const).map((kind) =>
          buildInput(call, undefined, {
            field,
            value: fieldValue(field, kind, ownerOf(call), ownerOf(call)),
          }),
        ),
      ),
    ];
    for (const input of inputs) {
      const { response } = await sendInput(call, input);
      totals.guest++;
      if (call.declaration.access !== "public")
        expect([response.status, response.envelope?.code]).toEqual([401, "401"]);
    }
  });

  it.each(shown)(
    "$name: responds to another user's record as to a missing one, and rejects malformed ids",
    async (call) => {
      for (const field of listIdFields(call).fields) {
        for (const caller of callersOf(call)) {
          if (call.declaration.access === "public" && field.field?.kind !== "public" && caller === staff)
            continue;
          await expectForeignLikeMissing(call, field, caller);
        }
        await expectNonsenseRejected(call, field);
      }
    },
  );

  async function expectForeignLikeMissing(call: ApiCall, field: IdField, caller: UserFixture) {
    if (field.field?.kind !== "owned" && field.field?.kind !== "distinct-code") return;
    const at = (value: unknown) => sendInput(call, buildInput(call, caller, { field, value }), caller);
    const missing = await at(fieldValue(field, "missing", caller, ownerOf(call)));
    const foreign = await at(fieldValue(field, "foreign", caller, ownerOf(call)));
    totals.missing++;
    totals.foreign++;
    const label = `${call.name} ${field.name} as ${caller.viewer.role}`;
    expect(foreign.changes, label).toEqual(missing.changes);
    if (field.field.kind === "distinct-code")
      expect(foreign.response.envelope?.code, label).toBe(field.field.code);
    else expect(comparableResponse(foreign.response), label).toBe(comparableResponse(missing.response));
    expect(foreign.response.text).not.toContain(ownerOf(call).email);
  }

  async function expectNonsenseRejected(call: ApiCall, field: IdField) {
    if (field.field?.kind === "stored") return;
    const other = callersOf(call)[0]!;
    const missing = await sendInput(
      call,
      buildInput(call, other, { field, value: fieldValue(field, "missing", other, ownerOf(call)) }),
      other,
    );
    for (const value of takeMalformedValues()) {
      // A query cannot hold an empty list: the field is absent, as an optional one may be.
      if (field.part === "query" && !field.required && Array.isArray(value) && value.length === 0) continue;
      const { response } = await sendInput(call, buildInput(call, other, { field, value }), other);
      totals.malformed++;
      const sameAsMissing = comparableResponse(response) === comparableResponse(missing.response);
      const rejectedOrUnavailable =
        field.field?.kind === "possession" &&
        (response.status < 500 || UNAVAILABLE_CODES.includes(response.envelope?.code ?? ""));
      expect(
        sameAsMissing || rejectedOrUnavailable || response.status === 400,
        `${call.name} ${field.name} ${toText(value)}: ${response.text}`,
      ).toBe(true);
    }
  }

  it.each(shown)("$name: rejects and audits another user's actor id", async (call) => {
    const { access } = call.declaration;
    const signedIn = signedInFor(call);
    for (const caller of access === "public" ? [signedIn, undefined] : [signedIn])
      for (const part of ["query", "body"] as const)
        for (const name of ACTOR_FIELDS) {
          // A file has no fields.
          if (part === "body" && (!call.write || call.declaration.file)) continue;
          const declared = name in (readSchema(call, part).properties ?? {});
          if (!declared && actorFieldsTried++ % rounds(1, ACTOR_FIELDS.length) !== 0) continue;
          const input = buildInput(call, caller);
          input[part][name] = owner.id;
          const before = await countForeignActorEntries();
          const { response } = await sendInput(call, input, caller);
          totals.actor++;
          const label = `${call.name} ${part} ${name}: ${response.text}`;
          expect(response.envelope?.code, label).toBe(declared ? "40300" : "40000");
          expect(await countForeignActorEntries(), label).toBe(before + (declared ? 1 : 0));
        }
  });

  const staffCalls = shown.flatMap((call) => {
    const { access } = call.declaration;
    return isStaffAccess(access) ? [{ name: call.name, call, access }] : [];
  });
  const factorCalls = shown.filter(({ declaration }) => isFactorAccess(declaration.access));
  const merchantCalls = shown.flatMap((call) => {
    const { access } = call.declaration;
    return isMerchantAccess(access) ? [{ name: call.name, call, access }] : [];
  });
  const codeOf = async (call: ApiCall, caller: UserFixture) =>
    (await sendInput(call, buildInput(call, caller), caller)).response.envelope?.code;

  it.each(factorCalls)("$name: is unknown to everyone but staff and merchant members", async (call) => {
    expect(await codeOf(call, otherUser)).toBe("40400");
    expect(await codeOf(call, staffBeforeFactor)).not.toBe("40400");
    expect(await codeOf(call, await createSellerFixture(catalog))).not.toBe("40400");
    totals.role += 3;
  });

  it.each(merchantCalls)(
    "$name: is unknown to others, and follows the permission table",
    async ({ call, access }) => {
      for (const outsider of [otherUser, staff, { ...otherSeller, sold: seller.sold }])
        expect(await codeOf(call, outsider)).toBe("40400");
      for (const role of MERCHANT_ROLES) {
        // A call may end its caller's session, so each that is allowed has its own. A refused one changes nothing.
        const isAllowed = access.roles.includes(role);
        const caller =
          call.write && isAllowed
            ? { ...sellerByRole[role], ...(await createSeller(seller.sold.merchant, { role })) }
            : sellerByRole[role];
        const code = await codeOf(call, caller);
        if (isAllowed) expect(REFUSALS).not.toContain(code);
        else expect(code).toBe("40300");
      }
      if (access.reauthenticated) expect(await codeOf(call, sellerBeforeFactor)).toBe("40314");
      if (access.reauthenticated) expect(await codeOf(call, sellerWithOldProof)).toBe("40312");
      totals.role += 7;
    },
  );

  it.each(merchantCalls)(
    "$name: accepts a token within its scope, networks and lifetime",
    async ({ call, access }) => {
      const { merchant } = seller.sold;
      const codeWith = async (input: Parameters<typeof createApiToken>[1]) =>
        codeOf(call, { ...seller, ...(await createApiToken(merchant, input)) });
      for (const invalid of [{ revoked: true }, { expired: true }, { networks: ["198.51.100.7"] }])
        expect(await codeWith(invalid)).toBe("40102");
      const others = TOKEN_SCOPES.filter((scope) => scope !== access.scope);
      expect(await codeWith({ scopes: others })).toBe("40300");
      if (access.scope === null) expect(await codeWith({})).toBe("40300");
      else expect(REFUSALS).not.toContain(await codeWith({ scopes: [access.scope as TokenScope] }));
      const foreign = await createApiToken(otherSeller.sold.merchant);
      expect(await codeOf(call, { ...seller, ...foreign })).toBe("40400");
      totals.role += 6;
    },
  );

  it.each(merchantCalls.filter(({ call }) => call.write))(
    "$name: is refused for a suspended merchant unless it serves paid orders",
    async ({ call, access }) => {
      // A refused call changes nothing, so one seller serves all of them.
      if (access.whileSuspended) expect(await codeOf(call, await createSuspendedSeller())).not.toBe("40316");
      else expect(await codeOf(call, suspendedSeller)).toBe("40316");
      totals.role++;
    },
  );

  it.each(staffCalls)(
    "$name: is unknown to others, and requires the second factor from staff",
    async ({ call, access }) => {
      expect(await codeOf(call, otherUser)).toBe("40400");
      if (access.factor) expect(await codeOf(call, staffBeforeFactor)).toBe("40314");
      if (access.reauthenticated) expect(await codeOf(call, staffWithOldProof)).toBe("40312");
      totals.role += 3;
    },
  );

  it.each(staffCalls.flatMap((staffCall) => STAFF_ROLES.map((role) => ({ ...staffCall, role }))))(
    "$name as $role: follows the permission table",
    async ({ call, access, role }) => {
      // A call may end staff mode, so each that is allowed has its own caller. A refused one changes nothing.
      const isAllowed = access.roles.includes(role);
      const caller =
        call.write && isAllowed
          ? { ...staffByRole[role], ...(await createStaff({ roles: [role] })) }
          : staffByRole[role];
      const { response } = await sendInput(call, buildInput(call, caller), caller);
      totals.role++;
      const refusals = ["40300", "40400", "40312", ...(access.factor ? ["40314"] : [])];
      if (isAllowed) expect(refusals).not.toContain(response.envelope?.code);
      else expect(response.envelope?.code).toBe("40300");
    },
  );

  // Runs last and with a fixture for each field, because these requests succeed and change records.
  it.each(
    shown.filter((call) =>
      listIdFields(call).fields.some(
        ({ field }) => field?.kind === "owned" || field?.kind === "distinct-code",
      ),
    ),
  )("$name: responds to the owner differently than to a missing record", async (call) => {
    for (const field of listIdFields(call).fields) {
      if (field.field?.kind !== "owned" && field.field?.kind !== "distinct-code") continue;
      const caller = isMerchantAccess(call.declaration.access)
        ? await createSellerFixture(catalog)
        : await createUserFixture(catalog);
      const missing = await sendInput(
        call,
        buildInput(call, caller, { field, value: fieldValue(field, "missing", caller, caller) }),
        caller,
      );
      const own = await sendInput(
        call,
        buildInput(call, caller, { field, value: fieldValue(field, "own", caller, caller) }),
        caller,
      );
      totals.own++;
      const differs =
        comparableResponse(own.response) !== comparableResponse(missing.response) ||
        own.changes.join() !== missing.changes.join();
      expect(
        differs,
        `${call.name} ${field.name}: the fixture shows no difference (${own.response.text})`,
      ).toBe(true);
    }
  });
});

async function countForeignActorEntries(): Promise<number> {
  const [row] = await db.execute<{ n: number }>(
    sql`select count(*)::int as n from audit_entries where action = 'identity.foreign'`,
  );
  return row!.n;
}
