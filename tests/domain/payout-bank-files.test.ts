import { sql } from "drizzle-orm";
import { XMLParser } from "fast-xml-parser";
import { afterAll, beforeAll, expect, it } from "vitest";
import { db, transaction } from "@/db/client";
import { createProduct } from "@/db/factories/catalog";
import { createMerchant, createSales } from "@/db/factories/merchants";
import { createPayoutAccount, TEST_IBAN } from "@/db/factories/payouts";
import { createStaff, type StaffUser } from "@/db/factories/staff";
import { importAnswer } from "@/lib/payouts/bank-files/import-answer";
import { makeBankFile } from "@/lib/payouts/bank-files/make-bank-file";
import { readBankFile } from "@/lib/payouts/bank-files/read-bank-file";
import { endPayout } from "@/lib/payouts/runs/end-payout";
import { fillRun, prepareRun } from "@/lib/payouts/runs/prepare-run";
import { sendRun } from "@/lib/payouts/runs/send-run";
import { env } from "@/lib/platform/env";
import * as sale from "../setup/sale";
import { untilStatementWaits } from "../setup/waiting-statement";

let staff: StaffUser;
let other: StaffUser;
let buyer: sale.Buyer;

beforeAll(async () => {
  [staff, other] = [await createStaff({ roles: ["finance"] }), await createStaff({ roles: ["finance"] })];
  buyer = await sale.createBuyer();
  Object.assign(env(), { BANK_IBAN: "IE64IRCE92050112345678", BANK_BIC: "IRCEIE2D" });
});
afterAll(async () => {
  Object.assign(env(), { BANK_IBAN: undefined, BANK_BIC: undefined });
  await sale.closeSale();
});

const ROUTING = {
  scheme: "routing",
  holder: "Zoë <Möller>",
  country: "US",
  bank: "021000021",
  account: "000123",
} as const;

/** A sent run with a payout of $34.00 for a merchant of each account; returns the keys of its attempts. */
async function sendPayouts(...accounts: (typeof ROUTING | undefined)[]) {
  for (const account of accounts) {
    const { id } = await createMerchant({ trust: "trusted" });
    await createPayoutAccount(id, { details: account });
    const { plans } = await createProduct({
      merchantId: id,
      plans: [{ type: "month", keys: 0, priceCents: 1_000 }],
    });
    const lines = await createSales(buyer, plans[0]!.id, 4);
    await db.execute(
      sql`update merchant_sales set booked_cents = net_cents where line_id = any(${sql.param(lines)}::text[])`,
    );
  }
  const { run_id: runId } = await prepareRun(staff.viewer);
  await fillRun(runId);
  await db.execute(sql`
    update payout_runs set state = 'approved', asked_by = ${staff.id}, approved_by = ${other.id}, approved_at = shop_now(), approved_cents = 10000000
    where id = ${runId}`);
  await sendRun(runId);
  const attempts = await db.execute<{ key: string }>(sql`
    select t.key from payout_attempts t join payouts p on p.id = t.payout_id where p.run_id = ${runId} order by t.key`);
  return { runId, keys: attempts.map(({ key }) => key) };
}
const stateOf = async (key: string) =>
  (
    await db.execute<{ state: string }>(
      sql`select p.state from payouts p join payout_attempts t on t.payout_id = p.id where t.key = ${key}`,
    )
  )[0]!.state;
const camt = (...entries: string[]) =>
  `<?xml version="1.0"?><Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.08"><BkToCstmrStmt><Stmt>${entries.join("")}</Stmt></BkToCstmrStmt></Document>`;
const entry = (key: string, { credit = false, amount = "34.00", status = "BOOK" } = {}) =>
  `<Ntry><Amt Ccy="USD">${amount}</Amt><CdtDbtInd>${credit ? "CRDT" : "DBIT"}</CdtDbtInd><Sts><Cd>${status}</Cd></Sts><NtryDtls><TxDtls>
  <Refs><EndToEndId>${key}</EndToEndId></Refs>${credit ? "<RtrInf><Rsn><Cd>AC04</Cd></Rsn></RtrInf>" : ""}</TxDtls></NtryDtls></Ntry>`;
const effects = async (content: string, apply: boolean) =>
  (await importAnswer(staff.viewer, { content, apply })).lines.map(({ effect }) => effect);

it("a run whose accounts all have an IBAN makes a pain.001 file, once, and the same at each download", async () => {
  const { runId, keys } = await sendPayouts(undefined, undefined);
  const { file_id: id, format, payouts } = await makeBankFile(staff.viewer, runId);
  expect({ format, payouts }).toEqual({ format: "pain", payouts: 2 });
  await expect(makeBankFile(staff.viewer, runId)).rejects.toThrow("nothing_to_send");
  const { content } = await readBankFile(staff.viewer, id);
  expect((await readBankFile(other.viewer, id)).content).toBe(content);
  const root = new XMLParser({ ignoreAttributes: false, parseTagValue: false }).parse(content).Document;
  expect(root["@_xmlns"]).toBe("urn:iso:std:iso:20022:tech:xsd:pain.001.001.09");
  const { GrpHdr, PmtInf } = root.CstmrCdtTrfInitn;
  expect(GrpHdr).toMatchObject({ MsgId: id, NbOfTxs: "2", CtrlSum: "68.00" });
  expect(PmtInf.DbtrAcct.Id.IBAN).toBe("IE64IRCE92050112345678");
  const transfers = PmtInf.CdtTrfTxInf as {
    PmtId: { EndToEndId: string };
    CdtrAcct: { Id: { IBAN: string } };
  }[];
  expect(transfers.map(({ PmtId }) => PmtId.EndToEndId)).toEqual(keys);
  for (const { PmtId, CdtrAcct } of transfers) {
    expect(CdtrAcct.Id.IBAN).toBe(TEST_IBAN);
    expect(PmtId.EndToEndId.length).toBeLessThanOrEqual(35);
  }
  expect(id.length).toBeLessThanOrEqual(35);
});

it("a run with another kind of account makes a CSV file", async () => {
  const { runId, keys } = await sendPayouts(ROUTING);
  const { file_id, format } = await makeBankFile(staff.viewer, runId);
  expect(format).toBe("csv");
  const { content } = await readBankFile(staff.viewer, file_id);
  expect(content).toContain(`${keys[0]},Zoë <Möller>,US,,021000021,000123,34.00,USD,`);
  await expect(readBankFile(staff.viewer, "bf_none")).rejects.toThrow("bank_file_unknown");
});

it("a bank's statement is previewed, recorded once, and changes nothing that is not booked, ours or of that amount", async () => {
  const { keys } = await sendPayouts(undefined, undefined, undefined);
  const [paid, back, open] = keys as [string, string, string];
  const content = camt(
    entry(paid),
    entry(back, { credit: true }),
    entry(open, { amount: "33.99" }),
    entry(open, { status: "PDNG" }),
    entry("po_none-1"),
  );
  const expected = ["applied", "applied", "amount_differs", "unknown"];
  expect(await effects(content, false)).toEqual(expected);
  expect(await stateOf(paid)).toBe("sent");
  expect(await effects(content, true)).toEqual(expected);
  expect(await Promise.all([paid, back, open].map(stateOf))).toEqual(["confirmed", "returned", "sent"]);
  expect(await effects(content, true)).toEqual(["unchanged", "unchanged", "amount_differs", "unknown"]);
  const [reason] = await db.execute<{ reason: string }>(
    sql`select reason from payout_attempts where key = ${back}`,
  );
  expect(reason!.reason).toBe("AC04");
  expect(await effects(camt(entry(paid, { credit: true })), true)).toEqual(["applied"]);
  expect(await stateOf(paid)).toBe("returned");
});

it("a CSV answer marks paid and failed ones, and another text is refused", async () => {
  const { keys } = await sendPayouts(undefined, undefined);
  const [paid, failed] = keys as [string, string];
  const content = `reference;result;reason\n${paid};paid;\n${failed};failed;closed account\n${failed};returned;\n`;
  expect(await effects(content, true)).toEqual(["applied", "applied", "impossible"]);
  expect(await Promise.all([paid, failed].map(stateOf))).toEqual(["confirmed", "failed"]);
  for (const wrong of [
    "nonsense",
    "reference,result\na,perhaps\n",
    `reference,result,amount\n${paid},paid,"1,234.50"\n`,
    "<Document/>",
    "<a",
    camt("<Ntry").slice(0, 90),
  ])
    await expect(importAnswer(staff.viewer, { content: wrong, apply: true }), wrong).rejects.toThrow(
      "answer_unreadable",
    );
});

it("an answer about a payout that somebody ends meanwhile is not counted as recorded", async () => {
  const { keys } = await sendPayouts(undefined);
  const [{ id }] = (await db.execute<{ id: string }>(
    sql`select payout_id as id from payout_attempts where key = ${keys[0]!}`,
  )) as [{ id: string }];
  let imported: ReturnType<typeof importAnswer> | undefined;
  await transaction(async (tx) => {
    await endPayout(tx, id, { outcome: "failed", reason: "AC04", by: other.viewer.userId });
    imported = importAnswer(staff.viewer, { content: camt(entry(keys[0]!)), apply: true });
    await untilStatementWaits();
  });
  expect(await imported).toMatchObject({ applied: 0, lines: [{ effect: "impossible" }] });
  expect(await stateOf(keys[0]!)).toBe("failed");
});
