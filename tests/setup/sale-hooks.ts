import { afterAll, afterEach, beforeAll, expect } from "vitest";
import { auditSale } from "./audit";
import { closeSale, receiveEventsInProcess, runQueue, setClockAhead } from "./sale";

/**
 * Registers the hooks of a test file with sales: webhook events are received in this process, and after each test the
 * clock is reset and the sales are audited. `runJobs` runs the queued jobs before the audit.
 */
export function registerSaleHooks({ runJobs = false } = {}): void {
  beforeAll(receiveEventsInProcess);
  afterEach(async () => {
    await setClockAhead("0");
    if (runJobs) await runQueue();
    expect(await auditSale()).toEqual([]);
  });
  afterAll(closeSale);
}
