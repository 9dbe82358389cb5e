import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { POST as saveBilling } from "@/app/api/v1/auth/billing/save/route";
import { GET as invoice } from "@/app/api/v1/order/invoice/route";
import { POST as updateDelivery } from "@/app/api/v1/order/update-delivery/route";
import { createSinglePlan } from "@/db/factories/catalog";
import { getOrder } from "@/lib/orders/find-order";
import { resolveViewer } from "@/lib/platform/auth/session";
import { Lane, RefusedPicture } from "@/lib/platform/drawing-process";
import { takePoints } from "@/lib/platform/expensive-work";
import { formatDate } from "@/lib/platform/format";
import { clientAddress } from "../setup/client-address";
import * as sale from "../setup/sale";
import { authHeaders, call } from "./call";

let buyer: sale.Buyer;
let other: sale.Buyer;
let orderId: string;
beforeAll(async () => {
  sale.receiveEventsInProcess();
  [buyer, other] = await Promise.all([sale.createBuyer(), sale.createBuyer()]);
  orderId = await sale.sell(buyer, (await createSinglePlan({ keys: 2 })).id);
});
afterAll(sale.closeSale);

const request = (caller: sale.Buyer, query: Record<string, string>) =>
  invoice(
    new Request(`http://localhost/api/v1/order/invoice?${new URLSearchParams(query)}`, {
      headers: { ...authHeaders(caller), "x-forwarded-for": clientAddress() },
    }),
  );

describe("GET /order/invoice", () => {
  it("returns the owner a PDF with the order's number", async () => {
    const { order_number } = await getOrder(buyer.viewer, orderId, "en");
    const response = await request(buyer, { order_id: orderId, target_lang: "ja" });
    expect(response.status).toBe(200);
    expect(response.headers.get("content-type")).toBe("application/pdf");
    expect(response.headers.get("content-disposition")).toContain(`invoice-${order_number}.pdf`);
    expect(response.headers.get("cache-control")).toBe("private, no-store");
    expect(Buffer.from(await response.arrayBuffer()).toString("latin1")).toMatch(/^%PDF-/);
  });

  it.each(["李梓萱", "闫晟", "坂本太郎", "Tomáš Novák", "김민수", "محمد علي", "דוד כהן"])(
    "returns an invoice for %s in every language",
    async (full_name) => {
      const body = { full_name, line1: "1 Main Street", city: "Oslo", postal_code: "0150", country: "NO" };
      const saved = await call(saveBilling, "/auth/billing/save", { body, headers: authHeaders(buyer) });
      const { address_id } = saved.body.data as { address_id: string };
      for (const target_lang of ["zh", "ja", "en"]) {
        const response = await request(buyer, { order_id: orderId, address_id, target_lang });
        expect(response.status, target_lang).toBe(200);
      }
    },
  );

  it("is dated in the time zone of the query, else of the session", async () => {
    const draw = vi.spyOn(Lane.prototype, "draw");
    const { paid_at } = await getOrder(buyer.viewer, orderId, "en");
    for (const time_zone of ["Pacific/Kiritimati", "Pacific/Pago_Pago", "Mars/Olympus"]) {
      expect((await request(buyer, { order_id: orderId, time_zone })).status, time_zone).toBe(200);
      const zone = time_zone.startsWith("Pacific") ? time_zone : "UTC";
      expect(JSON.stringify(draw.mock.lastCall)).toContain(`"${formatDate(paid_at!, "en", zone)}"`);
    }
    draw.mockRestore();
  });

  it("responds 404 to others, for an unpaid order, and for an unknown address", async () => {
    const unpaid = await sale.orderPlan(buyer, (await createSinglePlan({ keys: 1 })).id);
    const statuses = await Promise.all([
      request(other, { order_id: orderId }),
      request(buyer, { order_id: unpaid }),
      request(buyer, { order_id: orderId, address_id: "adr_unknown" }),
    ]);
    expect(statuses.map(({ status }) => status)).toEqual([404, 404, 404]);
  });
});

it("an invoice whose process exceeds a limit is answered with Retry-After", async () => {
  vi.spyOn(Lane.prototype, "draw").mockRejectedValueOnce(new RefusedPicture("complex"));
  const options = {
    query: `order_id=${orderId}`,
    headers: { ...authHeaders(buyer), "accept-language": "ja" },
  };
  const { status, body, headers } = await call(invoice, "/order/invoice", options);
  expect([status, body.code, headers.get("retry-after")]).toEqual([503, "50306", "10"]);
  expect(body.message).toContain("書類の作成が混み合っています");
});

it("an invoice costs the reader's address as many points as a share image", async () => {
  const ip = "2001:db8:77::1";
  await takePoints(ip, 193);
  const options = { query: `order_id=${orderId}`, headers: authHeaders(buyer), ip };
  expect((await call(invoice, "/order/invoice", options)).status).toBe(429);
});

describe("the Time-Zone header", () => {
  it("is stored with the session by a write, and ignored when it does not name a zone", async () => {
    const order_id = await sale.orderPlan(buyer, (await createSinglePlan({ keys: 1 })).id);
    const write = (timeZone: string) => {
      const headers = { ...authHeaders(buyer), "time-zone": timeZone };
      return call(updateDelivery, "/order/update-delivery", { body: { order_id }, headers });
    };
    const readZone = async () => {
      const viewer = await resolveViewer({ authorization: authHeaders(buyer).authorization });
      return viewer.kind === "user" ? viewer.timeZone : undefined;
    };
    expect((await write("asia/tokyo")).status).toBe(200);
    expect(await readZone()).toBe("Asia/Tokyo");
    expect((await write("Mars/Olympus")).status).toBe(200);
    expect(await readZone()).toBe("Asia/Tokyo");
  });

  it("rejects an unknown country", async () => {
    const order_id = await sale.orderPlan(buyer, (await createSinglePlan({ keys: 1 })).id);
    const options = { body: { order_id, country: "XX" }, headers: authHeaders(buyer) };
    const response = await call(updateDelivery, "/order/update-delivery", options);
    expect(response.body.code).toBe("40000");
    expect(JSON.stringify(response.body.errors)).toContain("country");
  });
});
