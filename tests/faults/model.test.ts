import { sql } from "drizzle-orm";
import fc from "fast-check";
import { afterAll, beforeAll, expect, it } from "vitest";
import { db } from "@/db/client";
import { auditSale } from "../setup/audit";
import { rounds } from "../setup/rounds";
import * as sale from "../setup/sale";
import { SEED } from "../setup/shopper";
import { dropSandboxEvents } from "../setup/stripe-faults";
import { COUPON_CENTS, createRealSystem, PRICE_CENTS, type RealSystem } from "./model-system";

const RUNS = Number(process.env.MODEL_RUNS ?? rounds(20, 14));
const COMMANDS = 60;

beforeAll(() => dropSandboxEvents()); // the commands deliver events
afterAll(sale.closeSale);

type Status = "pending" | "processingPayment" | "cancelled" | "completed" | "refunded";
type Order = {
  id: string;
  status: Status;
  cents: number;
  coupon: boolean;
  /** The payment was opened. */
  opened: boolean;
  /** The bank never decides. */
  silent: boolean;
  /** The money arrived after the cancellation. */
  paidLate: boolean;
  /** The buyer cancelled it: money that arrives later goes back. */
  unwanted: boolean;
  refundRequest: "none" | "asked" | "refused";
};
/** The expected state of one buyer, one plan and one coupon. */
type Model = { stock: number; inCart: number; coupon: "open" | "reserved" | "used"; orders: Order[] };

const isOpen = (order: Order) => order.status === "pending" || order.status === "processingPayment";
const orderAt = (model: Model, pick: number) => model.orders[pick % Math.max(1, model.orders.length)];

/** Picks one of the matching orders, so that few steps are skipped. */
const pickOrder = (
  model: Readonly<Model>,
  pick: number,
  matches: (order: Order) => boolean,
): Order | undefined => {
  const matching = model.orders.filter(matches);
  return matching[pick % Math.max(1, matching.length)];
};
const canBePaidLate = (order: Order) => order.status === "cancelled" && order.opened && !order.paidLate;
const awaitsVendor = (order: Order) => order.status === "completed" && order.refundRequest === "asked";
const isCompleted = (order: Order) => order.status === "completed";

function release(model: Model, order: Order): void {
  order.status = "cancelled";
  model.stock++;
  if (order.coupon) model.coupon = "open";
}

function complete(model: Model, order: Order): void {
  order.status = "completed";
  if (order.coupon) model.coupon = "used";
}

let stepCounts: Record<string, number> = {};

/** Runs one step, waits until all jobs have ended, and compares model and database. */
abstract class Step implements fc.AsyncCommand<Model, RealSystem> {
  constructor(
    readonly name: string,
    readonly pick = 0,
  ) {}
  abstract check(model: Readonly<Model>): boolean;
  abstract act(model: Model, system: RealSystem): Promise<void>;
  async run(model: Model, system: RealSystem): Promise<void> {
    await this.act(model, system);
    await system.processEvents();
    const { statuses, available, coupon, cash, provider } = await system.readState();
    const money = model.orders
      .filter(({ status }) => status === "completed")
      .reduce((sum, { cents }) => sum + cents, 0);
    expect({ step: this.name, statuses, available, coupon, cash, provider }).toEqual({
      step: this.name,
      statuses: model.orders.map(({ status }) => status),
      available: model.stock,
      coupon: model.coupon,
      cash: money,
      provider: money,
    });
    stepCounts[this.name] = (stepCounts[this.name] ?? 0) + 1;
  }
  toString = () => `${this.name}(${this.pick})`;
}

class AddToCart extends Step {
  check = (model: Model) => model.inCart === 0;
  async act(model: Model, system: RealSystem) {
    expect((await system.addToCart()).code).toBe(model.stock > 0 ? "200" : "409");
    if (model.stock > 0) model.inCart = 1;
  }
}

class PlaceOrder extends Step {
  check = () => true;
  async act(model: Model, system: RealSystem) {
    const withCoupon = this.pick % 2 === 1;
    const response = await system.placeOrder(withCoupon);
    const ok = model.inCart > 0 && model.stock > 0 && (!withCoupon || model.coupon === "open");
    expect([response.code === "200", this.pick]).toEqual([ok, this.pick]);
    if (!ok) return;
    model.inCart = 0;
    model.stock--;
    if (withCoupon) model.coupon = "reserved";
    const cents = withCoupon ? PRICE_CENTS - COUPON_CENTS : PRICE_CENTS;
    expect(response.data.final_amount).toBe(cents / 100);
    model.orders.push({
      id: response.data.order_id,
      status: "pending",
      cents,
      coupon: withCoupon,
      opened: false,
      silent: false,
      paidLate: false,
      unwanted: false,
      refundRequest: "none",
    });
  }
}

const OUTCOMES = [
  "succeeded",
  "declined",
  "requires_action",
  "processing_succeeded",
  "processing_failed",
  "silent",
];

class Pay extends Step {
  constructor(
    pick: number,
    readonly outcome: string,
  ) {
    super(`pay ${outcome}`, pick);
  }
  check = (model: Model) => model.orders.length > 0;
  async act(model: Model, system: RealSystem) {
    const order = orderAt(model, this.pick)!;
    const response = await system.pay(order.id, this.outcome);
    expect(response.code === "200").toBe(isOpen(order));
    if (!isOpen(order)) return;
    order.opened = true;
    if (order.silent) return; // a processing payment allows no other attempt
    if (this.outcome === "silent") order.silent = true;
    else if (this.outcome.endsWith("succeeded")) complete(model, order);
  }
}

class Cancel extends Step {
  check = (model: Model) => model.orders.length > 0;
  async act(model: Model, system: RealSystem) {
    const order = orderAt(model, this.pick)!;
    const response = await system.cancel(order.id);
    const ok = isOpen(order) || order.status === "cancelled";
    expect([response.code === "200", order.status]).toEqual([ok, order.status]);
    if (!isOpen(order)) return;
    release(model, order);
    order.unwanted = true;
  }
}

class ExpireHold extends Step {
  check = (model: Model) => model.orders.some(isOpen);
  async act(model: Model, system: RealSystem) {
    await system.expireHold();
    for (const order of model.orders) if (isOpen(order)) release(model, order);
  }
}

class PayLate extends Step {
  check = (model: Model) => model.orders.some(canBePaidLate);
  async act(model: Model, system: RealSystem) {
    const order = pickOrder(model, this.pick, canBePaidLate)!;
    await system.payLate(order.id);
    order.paidLate = true;
    const canBeFulfilled = !order.unwanted && model.stock > 0 && (!order.coupon || model.coupon === "open");
    if (!canBeFulfilled) order.status = "refunded";
    else {
      model.stock--;
      complete(model, order);
    }
  }
}

class RequestRefund extends Step {
  check = (model: Model) => model.orders.length > 0;
  async act(model: Model, system: RealSystem) {
    const order = orderAt(model, this.pick)!;
    const response = await system.requestRefund(order.id);
    const ok = order.status === "completed" && order.refundRequest === "none";
    expect([response.code === "200", order.status, order.refundRequest]).toEqual([
      ok,
      order.status,
      order.refundRequest,
    ]);
    if (!ok) return;
    expect(response.data.state).toBe("asked"); // the key was mailed, so the vendor has to confirm whether it was used
    order.refundRequest = "asked";
  }
}

class VendorConfirms extends Step {
  check = (model: Model) => model.orders.some(awaitsVendor);
  async act(model: Model, system: RealSystem) {
    const order = pickOrder(model, this.pick, awaitsVendor)!;
    const approved = this.pick % 3 > 0;
    await system.confirmAsVendor(order.id, approved ? "approved" : "refused");
    order.refundRequest = approved ? "none" : "refused";
    if (approved) order.status = "refunded";
  }
}

class Reveal extends Step {
  check = (model: Model) => model.orders.some(isCompleted);
  async act(model: Model, system: RealSystem) {
    const order = pickOrder(model, this.pick, isCompleted)!;
    expect((await system.reveal(order.id)).code === "200").toBe(order.refundRequest !== "asked");
  }
}

class AddStock extends Step {
  check = (model: Model) => model.stock < 3;
  async act(model: Model, system: RealSystem) {
    await system.addStock();
    model.stock++;
  }
}

class ReplayEvent extends Step {
  check = (model: Model) => model.orders.some(({ opened }) => opened);
  act = (_model: Model, system: RealSystem) => system.replayEvent(this.pick);
}

const picks = fc.nat(11);
const steps = [
  fc.constant(new AddToCart("add to cart")),
  fc.constant(new AddToCart("add to cart")),
  picks.map((pick) => new PlaceOrder("place order", pick)),
  picks.map((pick) => new PlaceOrder("place order", pick)),
  fc.tuple(picks, fc.constantFrom(...OUTCOMES)).map(([pick, outcome]) => new Pay(pick, outcome)),
  picks.map((pick) => new Pay(pick, "succeeded")),
  picks.map((pick) => new Cancel("cancel", pick)),
  fc.constant(new ExpireHold("expire hold")),
  picks.map((pick) => new PayLate("pay late", pick)),
  picks.map((pick) => new RequestRefund("request refund", pick)),
  picks.map((pick) => new VendorConfirms("vendor confirms", pick)),
  picks.map((pick) => new Reveal("reveal", pick)),
  fc.constant(new AddStock("add stock")),
  picks.map((pick) => new ReplayEvent("replay event", pick)),
];

async function runCommands(commands: Iterable<fc.AsyncCommand<Model, RealSystem>>): Promise<void> {
  await sale.setClockAhead("0");
  const real = await createRealSystem(2);
  const model: Model = { stock: 2, inCart: 0, coupon: "open", orders: [] };
  await fc.asyncModelRun(() => ({ model, real }), commands);
}

it("order, coupon, key and money match the model after any sequence of commands", async () => {
  stepCounts = {};
  await fc.assert(fc.asyncProperty(fc.commands(steps, { maxCommands: COMMANDS, size: "max" }), runCommands), {
    numRuns: RUNS,
    seed: SEED,
    endOnFailure: true,
  });
  expect(await auditSale({ whenIdle: true })).toEqual([]);
  const total = Object.values(stepCounts).reduce((sum, count) => sum + count, 0);
  console.log(
    `model: ${RUNS} runs, ${total} commands (${Object.entries(stepCounts)
      .map(([name, n]) => `${name} ${n}`)
      .join(", ")}), seed=${SEED}`,
  );
  for (const name of [
    "place order",
    "cancel",
    "expire hold",
    "pay late",
    "vendor confirms",
    "reveal",
    "replay event",
  ])
    expect([name, (stepCounts[name] ?? 0) > 0]).toEqual([name, true]);
});

it("a broken variant that keeps the coupon of a cancelled order fails", async () => {
  await db.execute(
    sql.raw(`create function keep_coupon() returns trigger language plpgsql as
    $$ begin if old.state = 'reserved' and new.state = 'open' then return old; end if; return new; end $$`),
  );
  await db.execute(
    sql.raw(
      "create trigger keep_coupon before update on coupons for each row execute function keep_coupon()",
    ),
  );
  try {
    const steps = [new AddToCart("add to cart"), new PlaceOrder("place order", 1), new Cancel("cancel", 0)];
    await expect(runCommands(steps)).rejects.toThrow(/step: 'cancel'/);
  } finally {
    await db.execute(sql.raw("drop trigger keep_coupon on coupons"));
    await db.execute(sql.raw("drop function keep_coupon"));
  }
});
