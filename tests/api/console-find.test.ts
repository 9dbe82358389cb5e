import { sql } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { POST as noteCustomer } from "@/app/api/v1/admin/customers/[id]/note/route";
import { GET as getCustomer } from "@/app/api/v1/admin/customers/[id]/route";
import { POST as exportCatalogue } from "@/app/api/v1/admin/exports/catalogue/route";
import { POST as exportRows } from "@/app/api/v1/admin/exports/route";
import { POST as find } from "@/app/api/v1/admin/find/route";
import { POST as noteOrder } from "@/app/api/v1/admin/orders/[id]/note/route";
import { GET as getOrder } from "@/app/api/v1/admin/orders/[id]/route";
import { GET as listProducts } from "@/app/api/v1/admin/products/route";
import { POST as deleteView } from "@/app/api/v1/admin/views/[id]/delete/route";
import { GET as listViews, POST as saveView } from "@/app/api/v1/admin/views/route";
import { closeDatabase, db, transaction } from "@/db/client";
import { createSignedInUser } from "@/db/factories/accounts";
import { createKeys, createProduct } from "@/db/factories/catalog";
import { createOrder } from "@/db/factories/orders";
import { createStaff, type StaffUser } from "@/db/factories/staff";
import { deleteAccount } from "@/lib/accounts/erasure/delete-account";
import { keyPrints } from "@/lib/delivery/fingerprints/key-prints";
import { normalizeKey } from "@/lib/delivery/rules";
import { postLedger } from "@/lib/payments/post-ledger";
import type { Handler } from "@/lib/platform/api/declaration";
import { audit } from "@/lib/platform/audit";
import { csvCell } from "@/lib/platform/console/csv";
import { fingerprint, seal } from "@/lib/platform/crypto/vault";
import { log } from "@/lib/platform/log";
import { listAudit } from "@/lib/staff/audit/list-audit";
import { decideSeen } from "@/tests/setup/seen";
import { authHeaders, call } from "./call";
import { type CatalogFixture, createCatalogFixture, createUserFixture, type UserFixture } from "./fixtures";

const CODE = "Find-Me7 QX93 unusual";
let catalog: CatalogFixture;
let buyer: UserFixture;
let support: StaffUser;
let finance: StaffUser;
let admin: StaffUser;
let keyId: string;

beforeAll(async () => {
  catalog = await createCatalogFixture();
  buyer = await createUserFixture(catalog);
  support = await createStaff({ roles: ["support"] });
  finance = await createStaff({ roles: ["finance"] });
  admin = await createStaff({ roles: ["admin"] });
  keyId = buyer.key;
  const { sealed, vaultKeyId } = seal(keyId, CODE);
  const { fingerprint: print, lettersHash } = keyPrints(CODE);
  await db.execute(sql`update keys set fingerprint = ${print}, letters_hash = ${lettersHash}, sealed = ${sealed},
    vault_key_id = ${vaultKeyId} where id = ${keyId}`);
});
afterAll(closeDatabase);

const post = (handler: Handler, path: string, user: { bearer: string }, body: object, id?: string) =>
  call(handler, path, {
    body,
    headers: { ...authHeaders(user), "idempotency-key": crypto.randomUUID() },
    params: id ? { id } : {},
  });
const get = (handler: Handler, path: string, user: { bearer: string }, id?: string) =>
  call(handler, path, { headers: authHeaders(user), params: id ? { id } : {} });
const hitsOf = async (user: { bearer: string }, q: string) => {
  const { body } = await post(find, "/admin/find", user, { q });
  expect(body.code).toBe("200");
  return body.data.items as { kind: string; id: string; title: string }[];
};

/** The tables of the database, and the first row that contains the text in any of its columns. */
async function findText(text: string): Promise<string[]> {
  const tables = await db.execute<{ name: string }>(sql`
    select table_schema || '.' || table_name as name from information_schema.tables
    where table_type = 'BASE TABLE' and table_schema not in ('pg_catalog', 'information_schema')`);
  const found: string[] = [];
  for (const { name } of tables) {
    const rows = await db.execute(
      sql`select 1 from ${sql.raw(name)} r where r::text ilike ${`%${text}%`} limit 1`,
    );
    if (rows.length > 0) found.push(name);
  }
  return found;
}

it("the audit log is filtered by an order's number, an address or a name", async () => {
  const person = await createSignedInUser({ username: "Vesna Orlitz", email: "vesna@find.example" });
  const [order] = await db.execute<{ number: string }>(
    sql`select order_number as number from orders where id = ${buyer.order}`,
  );
  for (const [subject, id] of [
    [order!.number.toLowerCase(), buyer.order],
    ["Vesna@find.example", person.id],
    ["vesna ORLITZ", person.id],
  ] as const) {
    await audit({ actor: "system", action: "test.asked", subject: id });
    const list = await listAudit(admin.viewer, { subject, sort: "newest" });
    expect(
      list.items.map((item) => item.subject),
      subject,
    ).toContain(id);
  }
  expect((await listAudit(admin.viewer, { subject: "Nobody Orlitz", sort: "newest" })).items).toEqual([]);
});

describe("find", () => {
  it("finds an order by the text of its code, which appears in no log, audit row, idempotency row or address", async () => {
    const lines: string[] = [];
    const spies = (["info", "warn", "error", "debug"] as const).map((level) =>
      vi.spyOn(log, level).mockImplementation((...args: unknown[]) => {
        lines.push(JSON.stringify(args));
      }),
    );
    const typed = "find-me7qx93   UNUSUAL";
    const [hit, ...others] = await hitsOf(support, typed);
    for (const spy of spies) spy.mockRestore();
    expect(hit).toMatchObject({
      kind: "key",
      id: buyer.deliveredOrder,
      title: expect.stringContaining(keyId),
    });
    expect(others).toEqual([]);
    expect(lines.length).toBeGreaterThan(0);
    for (const text of [typed, CODE, normalizeKey(CODE)]) {
      expect(lines.join("\n").toLowerCase()).not.toContain(text.toLowerCase());
      expect(await findText(text), text).toEqual([]);
    }
    expect(JSON.stringify(hit)).not.toMatch(/qx93/i);
    const entries = await db.execute<{ action: string; subject: string; detail: unknown }>(sql`
      select action, subject, detail from audit_entries where actor = ${support.id}`);
    expect(entries).toEqual([{ action: "key.found", subject: keyId, detail: null }]);
    const stored = await db.execute(sql`select 1 from idempotency_keys where owner = ${support.id}`);
    expect(stored).toHaveLength(0);
  });

  it("finds no code for finance, whose role may not look them up", async () => {
    expect(await hitsOf(finance, CODE)).toEqual([]);
  });

  it("finds orders, payments, customers, products, vendors and coupons", async () => {
    const [order] = await db.execute<{ number: string }>(
      sql`update orders set transaction_id = 'pi_find_order', send_email = 'Office@find.example' where id = ${buyer.order} returning order_number as number`,
    );
    const product = await createProduct({ plans: [{}] });
    const [names] = await db.execute<{ name: string; vendor: string }>(sql`
      select t.name, p.vendor_slug as vendor from products p join product_texts t on t.product_id = p.id and t.locale = 'en' where p.id = ${product.id}`);
    const expected: [string, string, string][] = [
      [order!.number.toLowerCase(), "order", buyer.order],
      [buyer.order, "order", buyer.order],
      ["pi_find_order", "payment", buyer.order],
      ["office@find.example", "order", buyer.order],
      [buyer.email.slice(0, -3).toUpperCase(), "customer", buyer.id],
      [product.slug, "product", String(product.id)],
      [String(product.id), "product", String(product.id)],
      [names!.name.slice(0, -1), "product", String(product.id)],
      [names!.vendor.slice(0, -1), "merchant", names!.vendor],
      [buyer.coupon.toLowerCase(), "coupon", buyer.coupon],
    ];
    for (const [q, kind, id] of expected)
      expect(await hitsOf(finance, q), q).toContainEqual(expect.objectContaining({ kind, id }));
    expect(await hitsOf(support, buyer.coupon)).toEqual([]);
    const [coupon] = await hitsOf(finance, buyer.coupon);
    expect(coupon).toMatchObject({ kind: "coupon", owner_id: buyer.id });
    expect(await hitsOf(finance, "nothing of that name")).toEqual([]);
  });

  it.each([
    ["zh", "Yomigusa 日语", "Yomigusa 日语阅读", "日语草"],
    ["ja", "yomigusa よみ", "Yomigusa よみもの", "よみくさ"],
  ])(
    "finds a product by the dictionary's name where it has none of its own (%s)",
    async (locale, q, name, own) => {
      const untranslated = await createProduct({ texts: { en: { name: "Yomigusa Reader" } } });
      const texts = { en: { name: "Yomigusa Reader" }, [locale]: { name: own } };
      const translated = await createProduct({ texts });
      const language = { headers: { ...authHeaders(admin), "accept-language": locale } };
      const found = await call(find, "/admin/find", { body: { q }, ...language });
      const hit = { kind: "product", id: String(untranslated.id), title: name };
      const items: { id: string }[] = found.body.data.items;
      expect(items).toContainEqual(expect.objectContaining(hit));
      const query = `${new URLSearchParams({ name: q })}`;
      const listed = await call(listProducts, "/admin/products", { query, ...language });
      expect(listed.body.data.items).toContainEqual(
        expect.objectContaining({ product_id: untranslated.id, product_name: name }),
      );
      const others = [
        ...items.map(({ id }) => Number(id)),
        ...listed.body.data.items.map((item: { product_id: number }) => item.product_id),
      ];
      expect(others).not.toContain(translated.id);
    },
  );

  it("finds each customer once by the beginning of the name, and orders by part of their number", async () => {
    const [ada, other, gone] = [
      await createSignedInUser({ username: "Zaida Nørgård", email: "zaida@find.example" }),
      await createSignedInUser({ username: "zaida.two", email: "second@find.example" }),
      await createSignedInUser({ username: "Zaida Gone", email: "gone@find.example" }),
    ];
    await deleteAccount(gone.viewer, { confirm: gone.email }, "en");
    for (const q of ["zaida", "ZAIDA"])
      expect((await hitsOf(support, q)).map(({ kind, id }) => [kind, id]).sort()).toEqual(
        [
          ["customer", ada.id],
          ["customer", other.id],
        ].sort(),
      );
    expect(await hitsOf(support, "Zaida NØR")).toEqual([
      expect.objectContaining({ kind: "customer", id: ada.id, title: ada.email, detail: "Zaida Nørgård" }),
    ]);
    const [row] = await db.execute<{ number: string }>(
      sql`select order_number as number from orders where id = ${buyer.order}`,
    );
    const [, month = "", running = ""] = row!.number.split("-");
    const typed = [
      `${month}-${running}`,
      `${month}${running}`,
      `pl${month}${running}`,
      `PL ${month} ${running}`,
    ];
    for (const q of [...typed, running, `#${running}`])
      expect(await hitsOf(support, q), q).toContainEqual(
        expect.objectContaining({ kind: "order", id: buyer.order, title: row!.number }),
      );
    expect((await hitsOf(support, row!.number)).map(({ id }) => id)).toEqual([buyer.order]);
    expect(await hitsOf(support, `${month}-99999999`)).toEqual([]);
  });

  it("finds a customer by surname or the middle of the address, each once and no deleted one", async () => {
    const [mara, gone] = [
      await createSignedInUser({ username: "Mara Quistbeck", email: "office.zelkova@find.example" }),
      await createSignedInUser({ username: "Jo Quistbeck", email: "jo.zelkova@find.example" }),
    ];
    await deleteAccount(gone.viewer, { confirm: gone.email }, "en");
    for (const q of ["quistbeck", "QUISTB", "zelkova", "ice.zelk"])
      expect(await hitsOf(support, q), q).toEqual([
        expect.objectContaining({ kind: "customer", id: mara.id, title: mara.email }),
      ]);
    for (const q of ["qu", "_uistbeck", "%istbeck", "2611"]) expect(await hitsOf(support, q), q).toEqual([]);
    const [plan] = await db.execute<{ plan: string }>(sql`
      select function.prosrc || array_to_string(function.proconfig, ' ') as plan from pg_proc function where proname = 'find_people'`);
    expect(plan!.plan).toContain("gin_fuzzy_search_limit");
  });

  it("shows an order's time, pass, total and state", async () => {
    const [row] = await db.execute<{ number: string; cents: number; status: string }>(sql`
      select order_number as number, total_cents as cents, status from orders where id = ${buyer.order}`);
    const [hit] = await hitsOf(support, row!.number);
    expect(hit).toMatchObject({
      kind: "order",
      order: {
        order_number: row!.number,
        amount: row!.cents / 100,
        status: row!.status,
        pass: expect.stringContaining(" · "),
        more: 0,
        at: expect.any(String),
      },
    });
    const people = (await hitsOf(support, buyer.email)).filter(({ kind }) => kind === "customer");
    expect(people).toEqual([expect.objectContaining({ id: buyer.id, order: null })]);
  });

  it("finds a code as it is usually typed", async () => {
    const [text] = await createKeys(catalog.planId, 1);
    const [row] = await db.execute<{ id: string }>(
      sql`select id from keys where fingerprint = ${fingerprint(normalizeKey(text!))}`,
    );
    const parts = "ABCD-2345-WXYZ";
    const { fingerprint: print, lettersHash } = keyPrints(parts);
    await db.execute(
      sql`update keys set fingerprint = ${print}, letters_hash = ${lettersHash} where id = ${row!.id}`,
    );
    for (const q of [
      parts,
      "abcd-2345-wxyz",
      " abcd 2345 wxyz ",
      "“ABCD–2345–WXYZ”.",
      "abcd2345wxyz",
      "abcd23-45wx-yz",
      "(ABCD-2345-WXYZ\u200b),",
      "ａｂｃｄ-2345-wxyz",
      "Hello, my code ABCD-2345-WXYZ does not work since 12 November, order 4711",
      "コードABCD-2345-WXYZが使えません",
    ])
      expect(await hitsOf(support, q), q).toEqual([
        expect.objectContaining({ kind: "key", vip_id: catalog.planId }),
      ]);
    expect(await hitsOf(support, "abcd-2345-wxy")).toEqual([]);
    expect(await findText("abcd2345wxyz")).toEqual([]);
    const uneven = keyPrints("TLK-1522-NHGR-1005");
    await db.execute(
      sql`update keys set fingerprint = ${uneven.fingerprint}, letters_hash = ${uneven.lettersHash} where id = ${row!.id}`,
    );
    expect(await hitsOf(support, "Hello, my code TLK-1522-NHGR-1005 does not work!")).toEqual([
      expect.objectContaining({ kind: "key", vip_id: catalog.planId }),
    ]);
  });

  it("shows a code beside the order whose number a merchant has uploaded as that code", async () => {
    const [row] = await db.execute<{ number: string }>(
      sql`select order_number as number from orders where id = ${buyer.order}`,
    );
    const [text] = await createKeys(catalog.planId, 1);
    const { fingerprint: print, lettersHash } = keyPrints(row!.number);
    await db.execute(sql`update keys set fingerprint = ${print}, letters_hash = ${lettersHash}
      where fingerprint = ${fingerprint(normalizeKey(text!))}`);
    expect(await hitsOf(support, row!.number)).toEqual([
      expect.objectContaining({ kind: "key", vip_id: catalog.planId }),
      expect.objectContaining({ kind: "order", id: buyer.order }),
    ]);
  });

  it("finds what is pasted from an email or a spreadsheet", async () => {
    const person = await createSignedInUser({ username: "Ｐａｓｔｅ Person", email: "paste@find.example" });
    const [row] = await db.execute<{ number: string }>(
      sql`select order_number as number from orders where id = ${buyer.order}`,
    );
    const wide = row!.number.replace(/[!-~]/g, (sign) => String.fromCharCode(sign.charCodeAt(0) + 0xfee0));
    const spellings: [string, string, string][] = [
      [wide, "order", buyer.order],
      [`${row!.number}\u200b`, "order", buyer.order],
      [row!.number.replaceAll("-", "\u2013"), "order", buyer.order],
      [`\u2060${buyer.order}`, "order", buyer.order],
      ["<paste@find.example>", "customer", person.id],
      ["mailto:paste@find.example", "customer", person.id],
      ["Paste Person <paste@find.example>", "customer", person.id],
      ["ｐａｓｔｅ＠find.example", "customer", person.id],
      ["Ｐａｓｔｅ Per", "customer", person.id],
      [`${buyer.coupon.toLowerCase()}\u200b`, "coupon", buyer.coupon],
    ];
    for (const [q, kind, id] of spellings)
      expect(await hitsOf(finance, q), q).toContainEqual(expect.objectContaining({ kind, id }));
  });

  it("finds first the orders delivered to an address, also one that is a prefix of account addresses", async () => {
    const address = "desk@find.example";
    const [own, longer] = [
      await createSignedInUser({ email: address }),
      await createSignedInUser({ email: `${address}.org` }),
    ];
    await db.execute(sql`update orders set send_email = 'Desk@Find.example' where id = ${buyer.order}`);
    const hits = (await hitsOf(finance, address)).map(({ kind, id }) => [kind, id]);
    expect(hits).toEqual([
      ["order", buyer.order],
      ["customer", own.id],
      ["customer", longer.id],
    ]);
    expect((await hitsOf(finance, "desk@find.exam")).map(({ kind }) => kind)).toEqual([
      "customer",
      "customer",
    ]);
  });
});

describe("the page of an order", () => {
  it("shows lines with the refund decision, codes by reference, ledger and one timeline, and never a code", async () => {
    await db.execute(sql`insert into key_events (key_id, event, order_line_id, actor)
      values (${keyId}, 'assigned', ${buyer.deliveredLine}, 'system'), (${keyId}, 'revealed', ${buyer.deliveredLine}, ${`${buyer.id} Firefox, Linux`})`);
    await db.execute(sql`insert into ledger_entries (transfer_id, account, amount_cents, order_id)
      values ('t_find', 'provider_cash', 500, ${buyer.deliveredOrder}), ('t_find', 'sales', -500, ${buyer.deliveredOrder})`);
    const [row] = await db.execute<{ number: string }>(
      sql`select order_number as number from orders where id = ${buyer.deliveredOrder}`,
    );
    await db.execute(sql`insert into mails (id, event, to_address, locale, refs, dedupe_key, state, attempts, last_error, order_number)
      values ('mail_find', 'keys', ${buyer.email}, 'en', '{}', 'mail_find', 'failed', 12, 'refused', ${row!.number})`);
    await post(noteOrder, "/admin/orders/x/note", support, { text: "Called back" }, row!.number);
    const { body } = await get(getOrder, "/admin/orders/x", finance, row!.number);
    const order = body.data;
    expect(order).toMatchObject({
      order_id: buyer.deliveredOrder,
      status: "completed",
      customer: { email: buyer.email },
    });
    expect(order.order_products[0].refund).toHaveProperty("reason");
    expect(order.order_products[0]).not.toHaveProperty("keys");
    expect(order.keys).toEqual([expect.objectContaining({ key_id: keyId, state: "assigned" })]);
    expect(order.ledger.map(({ amount }: { amount: number }) => amount)).toEqual([5, -5]);
    expect(order.mails).toEqual([expect.objectContaining({ attempts: 12, last_error: "refused" })]);
    expect(order.notes).toEqual([
      expect.objectContaining({ text: "Called back", written_by: support.email }),
    ]);
    const events = order.timeline.map(
      ({ kind, event }: { kind: string; event: string }) => `${kind} ${event}`,
    );
    for (const event of [
      "order created",
      "order payment_verified",
      "key assigned",
      "key revealed",
      "email failed",
      "note written",
      "staff note.added",
    ])
      expect(events).toContain(event);
    expect(order.timeline.map(({ at }: { at: string }) => at)).toEqual(
      order.timeline.map(({ at }: { at: string }) => at).toSorted(),
    );
    expect(order.timeline).toContainEqual(
      expect.objectContaining({ event: "revealed", actor: buyer.email, device: "Firefox, Linux" }),
    );
    expect(JSON.stringify(body)).not.toMatch(/qx93/i);
    expect((await get(getOrder, "/admin/orders/x", finance, "ord_none")).body.code).toBe("40402");
  });
});

describe("the page of a customer", () => {
  it("shows orders, passes by reference, coupons, devices and emails", async () => {
    const { body } = await get(getCustomer, "/admin/customers/x", support, buyer.id);
    expect(body.data).toMatchObject({
      customer_id: buyer.id,
      email: buyer.email,
      order_total: 3,
      order_total_exact: true,
    });
    expect(body.data.library).toEqual([
      expect.objectContaining({ key_id: keyId, order_id: buyer.deliveredOrder, is_gift: false }),
    ]);
    expect(body.data.coupons).toEqual([
      expect.objectContaining({ coupon_code: buyer.coupon, amount: 1, state: "open" }),
    ]);
    expect(body.data.sessions.map(({ session_id }: { session_id: string }) => session_id)).toContain(
      buyer.session,
    );
    expect(JSON.stringify(body)).not.toMatch(/qx93/i);
    expect((await get(getCustomer, "/admin/customers/x", support, "usr_none")).body.code).toBe("40421");
  });

  it("loses its notes when the account is erased", async () => {
    const shopper = await createSignedInUser();
    await post(noteCustomer, "/admin/customers/x/note", support, { text: "Prefers phone" }, shopper.id);
    await deleteAccount(shopper.viewer, { confirm: shopper.email }, "en");
    expect(await db.execute(sql`select 1 from notes where subject_id = ${shopper.id}`)).toHaveLength(0);
    expect(
      (await post(noteCustomer, "/admin/customers/x/note", support, { text: "Gone" }, shopper.id)).body.code,
    ).toBe("40421");
  });
});

describe("notes", () => {
  it("refuse a text with an activation code, and roles that only read", async () => {
    for (const text of [
      `The customer sent ${CODE.replaceAll(" ", "")}.`.replace(".", " !"),
      `Her code:\n${CODE}\nfails`,
    ])
      expect(
        (await post(noteOrder, "/admin/orders/x/note", support, { text }, buyer.order)).body.code,
        text,
      ).toBe("40000");
    const withCode = { text: `Her code:\n${CODE}` };
    expect((await post(noteCustomer, "/admin/customers/x/note", support, withCode, buyer.id)).body.code).toBe(
      "40000",
    );
    const catalogue = await createStaff({ roles: ["catalogue"] });
    expect(
      (await post(noteOrder, "/admin/orders/x/note", catalogue, { text: "Hello" }, buyer.order)).body.code,
    ).toBe("40300");
  });
});

describe("saved views", () => {
  it("belong to the person who saved them, and hold only filters of their list", async () => {
    const save = (body: object) => post(saveView, "/admin/views", support, body);
    const { body: first } = await save({ list: "orders", name: "Waiting", filters: { waiting: "true" } });
    const { body: second } = await save({
      list: "orders",
      name: "Waiting",
      filters: { status: "processing" },
    });
    expect(second.data.view_id).toBe(first.data.view_id);
    expect((await get(listViews, "/admin/views", support)).body.data.items).toEqual([
      {
        view_id: first.data.view_id,
        list: "orders",
        name: "Waiting",
        filters: { status: "processing" },
        shared: false,
        is_default: false,
        own: true,
      },
    ]);
    expect((await get(listViews, "/admin/views", finance)).body.data.items).toEqual([]);
    for (const filters of [{ status: "nonsense" }, { unknown: "1" }, { cursor: "x" }])
      expect((await save({ list: "orders", name: "Bad", filters })).body.code).toBe("40000");
    expect((await post(deleteView, "/admin/views/x/delete", finance, {}, first.data.view_id)).body.code).toBe(
      "40422",
    );
    expect(
      (await post(deleteView, "/admin/views/x/delete", support, {}, first.data.view_id)).body.data,
    ).toEqual({ deleted: true });
  });

  it("are shared with those who may read the list, and one can be its owner's default", async () => {
    const save = (name: string, more: object) =>
      post(saveView, "/admin/views", finance, { list: "refunds", name, filters: { state: "late" }, ...more });
    await save("Late", { shared: true, is_default: true });
    await save("Own", { is_default: true });
    type View = { name: string; own: boolean; is_default: boolean };
    const viewsOf = async (person: StaffUser) => {
      const { items } = (await get(listViews, "/admin/views?list=refunds", person)).body.data as {
        items: View[];
      };
      return items.map(({ name, own, is_default }) => ({ name, own, is_default }));
    };
    expect(await viewsOf(finance)).toEqual([
      { name: "Late", own: true, is_default: false },
      { name: "Own", own: true, is_default: true },
    ]);
    expect(await viewsOf(support)).toEqual([{ name: "Late", own: false, is_default: false }]);
    const catalogue = await createStaff({ roles: ["catalogue"] });
    expect(await viewsOf(catalogue)).toEqual([]);
  });

  it("are limited to 100", async () => {
    const person = await createStaff({ roles: ["support"] });
    await db.execute(sql`insert into saved_views (id, user_id, list, name, filters)
      select 'view_full_' || n, ${person.id}, 'orders', 'View ' || n, '{}' from generate_series(1, 100) n`);
    const body = { list: "orders", name: "One more", filters: {} };
    expect((await post(saveView, "/admin/views", person, body)).body).toMatchObject({ code: "40000" });
  });
});

describe("exports", () => {
  const exportRaw = async (user: { bearer: string }, body: object, handler: Handler = exportRows) => {
    const request = new Request("http://localhost:3000/api/v1/admin/exports", {
      method: "POST",
      headers: {
        ...authHeaders(user),
        host: "localhost:3000",
        "content-type": "application/json",
        "x-forwarded-for": "203.0.113.9",
      },
      body: JSON.stringify(body),
    });
    const response = await handler(request, { params: Promise.resolve({}) });
    const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
    return { response, text: decoder.decode(await response.arrayBuffer()) };
  };

  it("send all rows of a list as CSV, with formulas escaped, and are audited", async () => {
    await db.execute(sql`insert into users (id, email, username, locale, invite_code)
      select 'usr_exp' || n, 'export' || n || '@example.com', case n when 1 then '=HYPERLINK("x")' else 'Ada, "A"' end, 'en', 'exp' || n
      from generate_series(1, 1200) n`);
    const { response, text } = await exportRaw(finance, { list: "customers", filters: { email: "export" } });
    expect(response.headers.get("content-type")).toBe("text/csv; charset=utf-8");
    const lines = text.trimEnd().split("\r\n");
    expect(lines).toHaveLength(1201);
    expect(lines[0]).toBe("\ufeffcustomer_id,email,username,state,since,orders,orders_exact,spent,refunded");
    expect(lines.find((line) => line.startsWith("usr_exp1,"))).toContain(`"'=HYPERLINK(""x"")"`);
    expect(new Set(lines).size).toBe(1201);
    const [entry] = await db.execute<{ subject: string; detail: unknown }>(
      sql`select subject, detail from audit_entries where actor = ${finance.id} and action = 'list.exported'`,
    );
    expect(entry).toEqual({ subject: "customers", detail: { filters: { email: "export" }, rows: 1200 } });
    for (const list of ["orders", "mails", "applications"])
      expect((await exportRaw(admin, { list })).text.startsWith("\ufeff"), list).toBe(true);
  });

  it("and saved views filter refunds as the list does", async () => {
    const email = "refund-export@example.com";
    await db.execute(sql`insert into users (id, email, username, locale, invite_code)
      values ('usr_refexp', ${email}, 'Ada', 'en', 'refexp')`);
    const order = await createOrder({ id: "usr_refexp", email }, catalog.planId, { status: "completed" });
    await db.execute(sql`insert into refund_requests (id, order_line_id, user_id, amount_cents, answer_by)
      values ('rrq_export', ${order.lineId}, 'usr_refexp', 700, shop_now() + interval '5 hours')`);
    await transaction((tx) =>
      postLedger(tx, {
        transferId: "pay_refexp",
        orderId: order.id,
        debit: "provider_cash",
        credit: "sales",
        amountCents: 700,
      }),
    );
    const { text } = await exportRaw(finance, { list: "refunds", filters: { email } });
    expect(text.trimEnd().split("\r\n")).toEqual([
      expect.stringMatching(/refund_id,order_number,email,/),
      expect.stringMatching(/^rrq_export,PL-.*,7,/),
    ]);
    for (const [list, filters] of [
      ["refunds", { email }],
      ["reviews", { rating: "1" }],
    ] as const) {
      const saved = await post(saveView, "/admin/views", support, { list, name: `Kept ${list}`, filters });
      expect(saved.body.data).toMatchObject({ list, filters });
    }
  });

  it("and saved views filter disputes and replacements by state", async () => {
    await db.execute(sql`insert into disputes (id, order_id, intent_id, amount_cents, reason, status, is_open, closed_at)
      values ('du_export', ${buyer.order}, 'pi_export', 1250, 'fraudulent', 'lost', false, shop_now())`);
    await db.execute(sql`insert into replacement_requests (id, key_id, user_id, reason, state, decided_at, decided_by)
      values ('rpl_export', ${keyId}, ${buyer.id}, ${`=It does not work: ${CODE.replaceAll(" ", "")}`}, 'refused', shop_now(), ${support.id})`);
    const rowsOf = async (list: string, filters: object) => {
      const [head, ...rows] = (await exportRaw(finance, { list, filters })).text.trimEnd().split("\r\n");
      return { head, row: rows.find((row) => /^(du|rpl)_export,/.test(row)) };
    };
    const disputes = await rowsOf("disputes", { state: "closed" });
    expect(disputes.head).toBe(
      "\ufeffdispute_id,order_number,email,amount,reason,status,is_open,evidence_due_at,created_at,closed_at,transaction_id",
    );
    expect(disputes.row).toMatch(/^du_export,PL-.*,12\.5,fraudulent,lost,false,,2.*Z,2.*Z,pi_export$/);
    expect((await rowsOf("disputes", {})).row).toBeUndefined();
    const replacements = await rowsOf("replacements", { state: "refused" });
    expect(replacements.head).toMatch(
      /^\ufeffrequest_id,order_number,email,product_name,vip_type,key_id,reason,asked_by,state,/,
    );
    expect(replacements.row).toMatch(/^rpl_export,PL-.*,refused,2.*Z,.*$/);
    expect(replacements.row).toContain("'=It does not work: ");
    expect(replacements.row).not.toContain(CODE.replaceAll(" ", ""));
    expect((await rowsOf("replacements", { state: "asked" })).row).toBeUndefined();
    for (const [list, filters] of [
      ["disputes", { state: "closed" }],
      ["replacements", { state: "refused" }],
    ] as const) {
      const saved = await post(saveView, "/admin/views", support, { list, name: `Kept ${list}`, filters });
      expect(saved.body.data).toMatchObject({ list, filters });
      const wrong = { list, name: "Wrong", filters: { state: "nothing" } };
      expect((await post(saveView, "/admin/views", support, wrong)).body.code).toBe("40000");
      expect(
        (await post(exportRows, "/admin/exports", finance, { list, filters: wrong.filters })).body.code,
      ).toBe("40000");
      expect((await post(exportRows, "/admin/exports", support, { list })).body.code).toBe("40300");
    }
  });

  it("of products and codes name no one, contain no code, and are open to all who read the lists", async () => {
    const product = await createProduct({ plans: [{ priceCents: 1990, keys: 2 }] });
    const filters = { product_id: String(product.id) };
    const products = await exportRaw(support, { list: "products", filters }, exportCatalogue);
    const [head, ...rows] = products.text.trimEnd().split("\r\n");
    expect(head).toMatch(/^\ufeffproduct_id,slug,product_name,vendor,category,plans,price_from,stock,/);
    expect(rows).toEqual([expect.stringMatching(new RegExp(`^${product.id},.*,1,19\\.9,2,true,true,`))]);
    const codes = await exportRaw(support, { list: "keys", filters }, exportCatalogue);
    expect(codes.text.trimEnd().split("\r\n")).toEqual([
      "\ufeffvip_id,product_id,product_name,vip_type,vendor,listed,available,reserved,waiting,sold_28_days,days_of_cover,next_redeem_by",
      expect.stringMatching(new RegExp(`^\\d+,${product.id},.*,true,2,0,0,0,,$`)),
    ]);
    const [entry] = await db.execute(sql`select detail from audit_entries
      where action = 'list.exported' and subject = 'keys' and actor = ${support.id}`);
    expect(entry).toMatchObject({ detail: { filters } });
    const path = "/admin/exports/catalogue";
    expect((await post(exportCatalogue, path, support, { list: "customers" })).body.code).toBe("40000");
    const unknown = { list: "keys", filters: { state: "open" } };
    expect((await post(exportCatalogue, path, support, unknown)).body.code).toBe("40000");
    expect((await post(exportCatalogue, path, buyer, { list: "keys" })).body.code).toBe("40400");
  });

  it("need the permission, a reauthentication, and filters of the list", async () => {
    expect((await post(exportRows, "/admin/exports", support, { list: "orders" })).body.code).toBe("40300");
    expect(
      (await post(exportRows, "/admin/exports", finance, { list: "orders", filters: { x: "1" } })).body.code,
    ).toBe("40000");
    const tired = await createStaff({ roles: ["finance"] });
    await db.execute(sql`update sessions set staff_reauthenticated_at = staff_reauthenticated_at - interval '16 minutes',
      reauthenticated_at = reauthenticated_at - interval '16 minutes' where id = ${tired.viewer.sessionId}`);
    expect((await post(exportRows, "/admin/exports", tired, { list: "orders" })).body.code).toBe("40312");
  });

  it("of more than 10,000 rows wait for a second person", async () => {
    await db.execute(sql`insert into users (id, email, username, locale, invite_code)
      select 'usr_many' || n, 'many' || n || '@example.com', 'Many', 'en', 'many' || n from generate_series(1, 10001) n`);
    const body = { list: "customers", filters: { email: "many" } };
    const asked = await post(exportRows, "/admin/exports", finance, body);
    expect(asked.body.code).toBe("40941");
    const id = asked.body.errors![0]!.message;
    await decideSeen(admin.viewer, { id, decision: "approve" });
    expect((await exportRaw(admin, body)).response.status).toBe(409); // another person's export
    // The approval can be used once, also by concurrent requests.
    const served = await Promise.all([exportRaw(finance, body), exportRaw(finance, body)]);
    expect(served.map(({ response }) => response.status).sort()).toEqual([200, 409]);
    const file = served.find(({ response }) => response.status === 200)!;
    expect(file.text.trimEnd().split("\r\n")).toHaveLength(10_002);
    const again = await post(exportRows, "/admin/exports", finance, body);
    expect(again.body.code).toBe("40941");
    expect(again.body.errors![0]!.message).not.toBe(id);
  });

  it("count the rows of one person in a day together", async () => {
    await db.execute(sql`insert into users (id, email, username, locale, invite_code)
      select 'usr_half' || n, case when n <= 6000 then 'first' else 'last' end || 'half' || n || '@example.com', 'Half', 'en', 'half' || n
      from generate_series(1, 12000) n`);
    const person = await createStaff({ roles: ["finance"] });
    const half = (email: string) =>
      post(exportRows, "/admin/exports", person, { list: "customers", filters: { email } });
    expect(
      (await exportRaw(person, { list: "customers", filters: { email: "firsthalf" } })).response.status,
    ).toBe(200);
    const second = await half("lasthalf");
    expect(second.body.code).toBe("40941");
    await decideSeen(admin.viewer, { id: second.body.errors![0]!.message, decision: "approve" });
    const last = await exportRaw(person, { list: "customers", filters: { email: "lasthalf" } });
    expect(last.text.trimEnd().split("\r\n")).toHaveLength(6_001);
    // What a second person agreed to does not count against the day.
    const few = await exportRaw(person, { list: "customers", filters: { email: "firsthalf111" } });
    expect(few.response.status).toBe(200);
  });

  it.each([
    ["=1+1", "'=1+1"],
    [" +1", "' +1"],
    ["@SUM(A1)", "'@SUM(A1)"],
    ["-2", "'-2"],
    ["\t=1", "'\t=1"],
    ["＝1", "'＝1"],
    ["a\nb", '"a\nb"'],
    ['"', '""""'],
    ["plain", "plain"],
    [-2, "-2"],
    [null, ""],
  ])("escape the cell %j", (value, cell) => {
    expect(csvCell(value)).toBe(cell);
  });
});
