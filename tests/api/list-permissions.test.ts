import { sql } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { POST as exportCatalogue } from "@/app/api/v1/admin/exports/catalogue/route";
import { POST as exportInsight } from "@/app/api/v1/admin/exports/insight/route";
import { POST as exportPersons } from "@/app/api/v1/admin/exports/route";
import { POST as find } from "@/app/api/v1/admin/find/route";
import { GET as listViews, POST as saveView } from "@/app/api/v1/admin/views/route";
import { closeDatabase, db } from "@/db/client";
import { createProduct } from "@/db/factories/catalog";
import { createCoupon } from "@/db/factories/coupons";
import { createStaff, type StaffUser } from "@/db/factories/staff";
import type { Handler } from "@/lib/platform/api/declaration";
import { mayStaff, STAFF_ROLES, type StaffRole } from "@/lib/platform/auth/permissions";
import {
  CATALOGUE_EXPORT_LISTS,
  EXPORT_LISTS,
  type ExportList,
  INSIGHT_EXPORT_LISTS,
} from "@/lib/staff/exports/rules";
import { CONSOLE_LISTS, LIST_PERMISSIONS, type ReadableList } from "@/lib/staff/rules";
import { apiRoutes } from "@/scripts/write-openapi";
import { authHeaders, call } from "./call";

afterAll(closeDatabase);

/** The address of each list's call. */
const PATHS: Record<ReadableList, string> = {
  orders: "/admin/orders",
  customers: "/admin/customers",
  mails: "/admin/mails",
  applications: "/admin/applications",
  products: "/admin/products",
  keys: "/admin/keys/stock",
  refunds: "/admin/refunds",
  reviews: "/admin/reviews",
  disputes: "/admin/disputes",
  replacements: "/admin/replacements",
  merchants: "/admin/merchants",
  changes: "/admin/changes",
  batches: "/admin/keys/batches",
  posts: "/admin/posts",
  referrals: "/admin/referrals",
  audit: "/admin/audit",
  coupons: "/admin/coupons",
  sources: "/admin/insight/sources",
  searches: "/admin/insight/searches",
};
const LISTS = Object.keys(PATHS) as ReadableList[];
const routes = await apiRoutes();
const people = new Map<StaffRole, StaffUser>();
beforeAll(async () => {
  for (const role of STAFF_ROLES) people.set(role, await createStaff({ roles: [role] }));
});

/** The code of a call, or the status of a file. */
async function codeOf(handler: Handler, path: string, role: StaffRole, body?: object): Promise<string> {
  const headers = authHeaders(people.get(role)!);
  const isFile = path.startsWith("/admin/exports");
  if (!isFile) return (await call(handler, path, { body, headers })).body.code;
  const request = new Request(`http://localhost:3000/api/v1${path}`, {
    method: "POST",
    headers: {
      ...headers,
      host: "localhost:3000",
      "content-type": "application/json",
      "x-forwarded-for": "198.51.100.7",
    },
    body: JSON.stringify(body),
  });
  const response = await handler(request, { params: Promise.resolve({}) });
  if (response.ok) {
    await response.text();
    return "200";
  }
  return ((await response.json()) as { code: string }).code;
}

const EXPORTS: readonly { path: string; handler: Handler; lists: readonly ExportList[] }[] = [
  { path: "/admin/exports", handler: exportPersons, lists: EXPORT_LISTS },
  { path: "/admin/exports/catalogue", handler: exportCatalogue, lists: CATALOGUE_EXPORT_LISTS },
  { path: "/admin/exports/insight", handler: exportInsight, lists: INSIGHT_EXPORT_LISTS },
];

describe.each(STAFF_ROLES)("%s", (role) => {
  const reads = (list: ReadableList) => mayStaff([role], LIST_PERMISSIONS[list]);

  it.each(LISTS)("reads the %s list only with its permission", async (list) => {
    const { handler } = routes.find(({ path, method }) => path === PATHS[list] && method === "GET")!;
    // Only people who may read coupons learn that a campaign does not exist.
    const query = list === "coupons" ? "campaign=none" : undefined;
    const { body } = await call(handler, PATHS[list], { headers: authHeaders(people.get(role)!), query });
    expect(body.code === "40300").toBe(!reads(list));
    if (list !== "coupons") expect(body.code).toBe(reads(list) ? "200" : "40300");
  });

  it.each(EXPORTS.flatMap(({ lists, ...call }) => lists.map((list) => ({ ...call, list }))))(
    "exports $list only when it may read the list",
    async ({ path, handler, list }) => {
      const code = await codeOf(handler, path, role, { list, filters: {} });
      const mayExport = path !== "/admin/exports" || mayStaff([role], "exports.persons");
      expect(code).toBe(mayExport && reads(list) ? "200" : "40300");
    },
  );

  it.each(CONSOLE_LISTS)("saves views of %s only when it may read the list", async (list) => {
    const code = await codeOf(saveView, "/admin/views", role, { list, name: "mine", filters: {} });
    expect(code).toBe(reads(list) ? "200" : "40300");
    const { body } = await call(listViews, "/admin/views", { headers: authHeaders(people.get(role)!) });
    expect(body.data.items.some((view: { list: string }) => view.list === list)).toBe(reads(list));
  });

  it("finds coupons and products only when it may read their lists", async () => {
    const code = await createCoupon();
    const product = await createProduct({ plans: [{}] });
    const kinds = async (q: string) => {
      const { body } = await call(find, "/admin/find", {
        body: { q },
        headers: authHeaders(people.get(role)!),
      });
      return body.data.items.map(({ kind }: { kind: string }) => kind);
    };
    expect(await kinds(code)).toEqual(reads("coupons") ? ["coupon"] : []);
    expect(await kinds(`${product.id}`)).toEqual(reads("products") ? ["product"] : []);
  });
});

it("a saved view disappears with the role that could read its list", async () => {
  const person = await createStaff({ roles: ["admin"] });
  const options = { headers: authHeaders(person) };
  const body = { list: "applications", name: "waiting", filters: {} };
  expect((await call(saveView, "/admin/views", { body, ...options })).body.code).toBe("200");
  await db.execute(sql`update staff_members set roles = '{finance}' where user_id = ${person.id}`);
  expect((await call(listViews, "/admin/views", options)).body.data.items).toEqual([]);
});
