import { performance } from "node:perf_hooks";
import { setTimeout as sleep } from "node:timers/promises";
import { LRUCache } from "lru-cache";
import { DatabaseDownError } from "@/lib/platform/database-failure";
import { ShopError } from "@/lib/platform/errors";
import { log } from "@/lib/platform/log";
import { parsePath } from "@/lib/platform/routing/paths";
import { ipGroup } from "./ip";

/** The tokens that a read takes from its address, in renders of a page. Only reads that must be made take any. */
export const READ_COSTS = {
  page: 1,
  list: 1,
  suggestion: 2,
  search: 2,
  picture: 0.5,
  shareImage: 10,
  /** a PDF takes the processor for 0.2 s */
  invoice: 10,
} as const;

type Limits = {
  /** Reads at a time. Rendering has one thread: more reads at once end no earlier, and each of them later. */
  slots: number;
  /** Slots that only light addresses get, so that heavy ones never fill all. */
  keptSlots: number;
  /** Slots of a light address. A heavy one has one slot. */
  slotsPerAddress: number;
  /** A read that takes longer waits for the database or a provider, and not for this process: its slot is passed on. */
  slotMs: number;
  /** Reads that may wait for a slot: a few seconds of work. */
  waiting: number;
  waitingPerAddress: number;
  waitMs: number;
  /**
   * A read that waits for the database is answered or fails by then, with its wait for a slot: while a table is locked, its
   * client gets the 503 within three seconds.
   */
  answerMs: number;
  /** What an address may read at once, and a second over time. */
  tokens: number;
  tokensPerSecond: number;
  /** Addresses whose use is remembered; the one that has read nothing for the longest time is forgotten first. */
  addresses: number;
};

/** Described in docs/reliability.md#limits. A crawler at 20 pages a second is not slowed. */
export const READ_LIMITS: Limits = {
  slots: 4,
  keptSlots: 2,
  slotsPerAddress: 2,
  slotMs: 1_000,
  waiting: 500,
  waitingPerAddress: 100,
  waitMs: 10_000,
  answerMs: 2_700,
  tokens: 200,
  tokensPerSecond: 20,
  addresses: 20_000,
};

/** An address is light while it has at least this share of its tokens: it has read 25 pages more than it may over time. */
const LIGHT_SHARE = 7 / 8;
const RETRY_SECONDS = 5;
const REFUSAL_DELAY_MS = 250;
const LOG_EVERY_MS = 60_000;

/** `lastStart` is the number of the last read that was started, of all reads. */
type Address = { tokens: number; refilledAt: number; running: number; lastStart: number };
type WaitingRead = {
  key: string | undefined;
  /** All addresses that wait for this read, the one that asked first in front. */
  addresses: Address[];
  long: boolean;
  since: number;
  start: (slot: Slot) => void;
  refuse: (error: Error) => void;
};
/** `onStuck` is called if the read turns out to wait for the database. */
type Slot = { release: () => void; onStuck: () => void };
/**
 * `client` is an IP address. Reads with the same `key` are one read, which others may join. A `long` read may take any
 * time, for example to write a file.
 */
type Hold = { client: string; key?: string; long?: boolean };
type Read = Hold & { cost: number };

/**
 * Limits reads that are expensive: uncached renders, searches, images. Each address (IPv6: each /64) has tokens and a few of
 * the slots. When no slot is free, reads wait, and addresses take turns, light ones first. The limits are in memory, because a read must not write to the database; so each process has its own.
 */
export class ReadLimits {
  private readonly addresses: LRUCache<string, Address>;
  private readonly waiting: WaitingRead[] = [];
  private running = 0;
  private starts = 0;
  /** Says whether statements wait for a locked table; a read that then takes longer than `slotMs` waits for it. */
  private isTableLocked: () => boolean = () => false;
  /** Started reads that wait for the database. */
  private stuck = 0;
  private refused = 0;
  private loggedAt = Number.NEGATIVE_INFINITY;

  constructor(
    private readonly limits: Limits,
    private readonly clock: { now: () => number } = performance,
  ) {
    this.addresses = new LRUCache({ max: limits.addresses });
  }

  watchDatabase(isTableLocked: () => boolean): void {
    this.isTableLocked = isTableLocked;
  }

  /**
   * Takes the tokens of a read, waits for a slot and runs it.
   * @throws ShopError too_many_requests with `retryAfterSeconds`
   * @throws DatabaseDownError when reads wait for the database, and this one cannot be done in time
   */
  async run<T>({ cost, ...held }: Read, read: () => Promise<T>): Promise<T> {
    this.take(held.client, cost);
    return this.hold(held, read);
  }

  /** @throws ShopError too_many_requests when the address has fewer tokens left */
  take(client: string, cost: number): void {
    const address = this.find(client);
    const missing = cost - address.tokens;
    if (missing > 0) throw this.refusal(Math.ceil(missing / this.limits.tokensPerSecond));
    address.tokens -= cost;
  }

  /**
   * Runs a read in a slot. A read that fails for its time continues, but its result is dropped.
   * @throws ShopError too_many_requests when too many reads wait, or this one waits too long
   * @throws DatabaseDownError when reads wait for the database, and this one cannot be done in time
   */
  async hold<T>({ client, key, long = false }: Hold, read: () => Promise<T>): Promise<T> {
    const address = this.find(client);
    const since = this.clock.now();
    const slot = this.canStart(address)
      ? this.start(address, long)
      : await this.wait(address, { key, long, since });
    const result = (async () => read())().finally(slot.release);
    return this.failWhenLate(slot, result, since);
  }

  private failWhenLate<T>(slot: Slot, result: Promise<T>, since: number): Promise<T> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      slot.onStuck = () => {
        const leftMs = Math.max(0, since + this.limits.answerMs - this.clock.now());
        timer = setTimeout(() => reject(slowDatabase()), leftMs);
      };
    });
    return Promise.race([result, late]).finally(() => clearTimeout(timer));
  }

  /** Another client waits for the read with this key: it is not served later than a read of the client's own. */
  join(client: string, key: string): void {
    const read = this.waiting.find((waiting) => waiting.key === key);
    const address = read && this.find(client);
    if (!address || read.addresses.includes(address)) return;
    read.addresses.push(address);
    this.startWaiting();
  }

  /** An address with its tokens of this moment. */
  private find(client: string): Address {
    const group = ipGroup(client);
    const { tokens } = this.limits;
    const known = this.addresses.get(group);
    const address = known ?? { tokens, refilledAt: this.clock.now(), running: 0, lastStart: 0 };
    if (known) this.refill(address);
    else this.addresses.set(group, address);
    return address;
  }

  private refill(address: Address): void {
    const now = this.clock.now();
    const added = ((now - address.refilledAt) / 1000) * this.limits.tokensPerSecond;
    address.tokens = Math.min(this.limits.tokens, address.tokens + added);
    address.refilledAt = now;
  }

  private isLight(address: Address): boolean {
    this.refill(address);
    return address.tokens >= this.limits.tokens * LIGHT_SHARE;
  }

  private canStart(address: Address): boolean {
    const { slots, keptSlots, slotsPerAddress } = this.limits;
    return this.isLight(address)
      ? this.running < slots && address.running < slotsPerAddress
      : this.running < slots - keptSlots && address.running < 1;
  }

  private start(address: Address, long: boolean): Slot {
    this.running += 1;
    this.starts += 1;
    address.running += 1;
    address.lastStart = this.starts;
    let isHeld = true;
    let isStuck = false;
    const passOn = () => {
      if (!isHeld) return;
      isHeld = false;
      clearTimeout(timer);
      this.running -= 1;
      address.running -= 1;
      this.startWaiting();
    };
    const slot: Slot = {
      onStuck: () => {},
      release: () => {
        if (isStuck) this.stuck -= 1;
        isStuck = false;
        passOn();
      },
    };
    const timer = setTimeout(() => {
      isStuck = !long && this.isTableLocked();
      if (isStuck) {
        this.stuck += 1;
        slot.onStuck();
        this.refuseLate();
      }
      passOn();
    }, this.limits.slotMs);
    return slot;
  }

  private wait(address: Address, read: Pick<WaitingRead, "key" | "long" | "since">): Promise<Slot> {
    this.makeRoom(address);
    return new Promise((resolve, reject) => {
      const timers = [
        setTimeout(() => this.stuck > 0 && this.refuse(waiting, slowDatabase()), this.lateAfterMs()),
        setTimeout(() => this.refuse(waiting), this.limits.waitMs),
      ];
      const stopTimers = () => timers.forEach(clearTimeout);
      const waiting: WaitingRead = {
        ...read,
        addresses: [address],
        start: (slot) => {
          stopTimers();
          resolve(slot);
        },
        refuse: (error) => {
          stopTimers();
          reject(error);
        },
      };
      this.waiting.push(waiting);
    });
  }

  /** A read that waits longer for a slot could not be done in time if it had to wait for the database too. */
  private lateAfterMs(): number {
    return this.limits.answerMs - this.limits.slotMs;
  }

  /** While reads wait for the database, refuses those that have waited too long for a slot. */
  private refuseLate(): void {
    if (this.stuck === 0) return;
    const before = this.clock.now() - this.lateAfterMs();
    for (const read of this.waiting.filter(({ since }) => since <= before)) this.refuse(read, slowDatabase());
  }

  /** Refuses all reads that wait for a slot, because the database is down. */
  refuseWaiting(): void {
    for (const read of [...this.waiting]) this.refuse(read, new DatabaseDownError("the database went down"));
  }

  /** Refuses this read, or, if all places are taken, the last read of the address that has the most of them. */
  private makeRoom(address: Address): void {
    const own = this.waiting.filter(({ addresses }) => addresses[0] === address).length;
    if (own >= this.limits.waitingPerAddress) throw this.refusal(RETRY_SECONDS);
    if (this.waiting.length < this.limits.waiting) return;
    const counts = new Map<Address | undefined, number>();
    for (const { addresses } of this.waiting) counts.set(addresses[0], (counts.get(addresses[0]) ?? 0) + 1);
    const [largest, count] = [...counts].reduce((a, b) => (b[1] > a[1] ? b : a));
    // A read that others have joined is not only this address's.
    const last = this.waiting.findLast(({ addresses }) => addresses[0] === largest && addresses.length === 1);
    if (!last || count <= own + 1) throw this.refusal(RETRY_SECONDS);
    this.refuse(last);
  }

  private startWaiting(): void {
    for (let next = this.pickNext(); next; next = this.pickNext()) {
      this.remove(next.read);
      next.read.start(this.start(next.address, next.read.long));
    }
  }

  /** The oldest read of the address whose turn it is: light ones come first, then the one that has waited longest. */
  private pickNext(): { read: WaitingRead; address: Address } | undefined {
    if (this.running >= this.limits.slots) return undefined;
    let best: { read: WaitingRead; address: Address; isLight: boolean } | undefined;
    for (const read of this.waiting)
      for (const address of read.addresses) {
        if (!this.canStart(address)) continue;
        const isLight = this.isLight(address);
        const isBetter =
          !best || (isLight === best.isLight ? address.lastStart < best.address.lastStart : isLight);
        if (isBetter) best = { read, address, isLight };
      }
    return best;
  }

  private refuse(read: WaitingRead, error: Error = this.refusal(RETRY_SECONDS)): void {
    this.remove(read);
    read.refuse(error);
  }

  private remove(read: WaitingRead): void {
    this.waiting.splice(this.waiting.indexOf(read), 1);
  }

  private refusal(retryAfterSeconds: number): ShopError {
    this.refused += 1;
    const now = this.clock.now();
    if (now - this.loggedAt >= LOG_EVERY_MS) {
      log.warn({ refused: this.refused, waiting: this.waiting.length }, "reads refused by their limits");
      this.loggedAt = now;
      this.refused = 0;
    }
    return new ShopError("too_many_requests", { params: { retryAfterSeconds } });
  }
}

const slowDatabase = () => new DatabaseDownError("reads wait for the database");

/** A refusal is sent late, so that a client that asks again at once does not keep the process busy with refusals. */
export const delayRefusal = (): Promise<void> => sleep(REFUSAL_DELAY_MS);

// Next bundles calls separately from the server entry. Both reach the same limits through globalThis.
const globals = globalThis as typeof globalThis & { passlaneReadLimits?: ReadLimits };

/** The limits of this process. */
export function readLimits(): ReadLimits {
  globals.passlaneReadLimits ??= new ReadLimits(READ_LIMITS);
  return globals.passlaneReadLimits;
}

const PICTURES = ["/admin/product-image/", "/api/v1/admin/product-image/"];

/** The tokens of a request that Next answers. 0: not limited here, because calls declare theirs (`readCost`). */
export function renderCost(pathname: string): number {
  if (PICTURES.some((folder) => pathname.startsWith(folder))) return READ_COSTS.picture;
  if (/^\/api\/(?:v1|auth)\//.test(pathname) || pathname === "/dev/mailbox.json") return 0;
  return parsePath(pathname).path === "/search" ? READ_COSTS.search : READ_COSTS.page;
}

/** The client's address as `sanitizeHeaders` left it. */
export const clientOf = ({ headers }: { headers: NodeJS.Dict<string | string[]> }): string =>
  String(headers["x-forwarded-for"] ?? "");
