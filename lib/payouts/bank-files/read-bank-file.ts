import { sql } from "drizzle-orm";
import { db } from "@/db/client";
import type { AccountDetails } from "@/lib/payouts/accounts/rules";
import type { BankFileFormat } from "@/lib/payouts/rules";
import { audit } from "@/lib/platform/audit";
import type { StaffViewer } from "@/lib/platform/auth/session";
import { csvLine } from "@/lib/platform/console/csv";
import { unseal } from "@/lib/platform/crypto/vault";
import { env } from "@/lib/platform/env";
import { ShopError } from "@/lib/platform/errors";
import { instant } from "@/lib/platform/instant";
import { toDecimal } from "@/lib/platform/money";
import { sellerIdentity } from "@/lib/platform/seller";
import { painDocument, type Transfer } from "./pain-document";

type FileRow = { id: string; runId: string; format: BankFileFormat; createdAt: string };
type AttemptRow = {
  key: string;
  cents: number;
  accountId: string;
  sealed: Buffer;
  vaultKeyId: string;
};

const COLUMNS = ["reference", "holder", "country", "iban", "bank", "account", "amount", "currency", "text"];

/**
 * A file for the bank, the same at each download. It has the whole numbers of accounts: each download stands in the audit log.
 * @throws ShopError bank_file_unknown
 */
export async function readBankFile(
  { userId }: StaffViewer,
  id: string,
): Promise<{ name: string; type: string; content: string }> {
  const [file] = await db.execute<FileRow>(sql`
    select id, run_id as "runId", format, created_at as "createdAt" from bank_files where id = ${id}`);
  if (!file) throw new ShopError("bank_file_unknown");
  const attempts = await db.execute<AttemptRow>(sql`
    select t.key, t.cents, a.id as "accountId", a.sealed, a.vault_key_id as "vaultKeyId"
    from payout_attempts t join payout_accounts a on a.id = t.account_id where t.file_id = ${id} order by t.key`);
  const text = `${sellerIdentity().name} ${file.runId}`;
  const transfers = attempts.map(({ key, cents, accountId, ...sealed }): Transfer => {
    const details = JSON.parse(unseal(accountId, sealed)) as AccountDetails;
    return { key, cents, details, text };
  });
  await audit({
    actor: userId,
    action: "payout.file_downloaded",
    subject: file.runId,
    detail: { file_id: id },
  });
  if (file.format === "csv") return { name: `${id}.csv`, type: "text/csv", content: csvOf(transfers) };
  const { BANK_IBAN, BANK_BIC } = env();
  const content = painDocument(transfers, {
    id,
    createdAt: new Date(instant(file.createdAt)),
    debtor: { name: sellerIdentity().name, iban: BANK_IBAN ?? "", bic: BANK_BIC ?? null },
  });
  return { name: `${id}.xml`, type: "application/xml", content };
}

const csvOf = (transfers: readonly Transfer[]): string =>
  `\ufeff${csvLine(COLUMNS)}${transfers
    .map(({ key, cents, details, text }) => {
      const account =
        details.scheme === "iban"
          ? [details.iban.slice(0, 2), details.iban, null, null]
          : [details.country, null, details.bank, details.account];
      return csvLine([key, details.holder, ...account, toDecimal(cents).toFixed(2), "USD", text]);
    })
    .join("")}`;
