import { parse } from "csv-parse/sync";
import { XMLParser } from "fast-xml-parser";
import type { PayoutOutcome } from "@/lib/payouts/rules";

/** What a bank says about one payment. `cents`: null where it names no amount. */
export type Answer = { key: string; outcome: PayoutOutcome; cents: number | null; reason?: string };

const parser = new XMLParser({
  ignoreAttributes: false,
  removeNSPrefix: true,
  parseTagValue: false,
  processEntities: false,
  isArray: (name) => ["Stmt", "Ntry", "NtryDtls", "TxDtls"].includes(name),
});

type Amount = { "#text"?: string } | string | undefined;
type TxDetails = {
  Refs?: { EndToEndId?: string };
  Amt?: Amount;
  RtrInf?: { Rsn?: { Cd?: string; Prtry?: string }; AddtlInf?: string };
};
type Entry = {
  Amt?: Amount;
  CdtDbtInd?: string;
  Sts?: { Cd?: string } | string;
  NtryDtls?: { TxDtls?: TxDetails[] }[];
};

const toCents = (amount: Amount): number | null => {
  const text = typeof amount === "string" ? amount : amount?.["#text"];
  const value = Number(text);
  return text === undefined || !Number.isFinite(value) ? null : Math.round(value * 100);
};

/** The booked payments of a bank statement (camt.053): a debit was paid, a credit with a reason came back. */
function readCamt(content: string): Answer[] | null {
  let statements: { Ntry?: Entry[] }[] | undefined;
  try {
    statements = parser.parse(content)?.Document?.BkToCstmrStmt?.Stmt;
  } catch {
    return null;
  }
  if (!statements) return null;
  return statements.flatMap(({ Ntry: entries = [] }) =>
    entries.flatMap((entry) => {
      const status = typeof entry.Sts === "string" ? entry.Sts : entry.Sts?.Cd;
      if (status !== "BOOK") return [];
      const payments = (entry.NtryDtls ?? []).flatMap(({ TxDtls = [] }) => TxDtls);
      return payments.flatMap(({ Refs, Amt, RtrInf }): Answer[] => {
        const key = Refs?.EndToEndId;
        if (!key) return [];
        const cents = toCents(Amt) ?? (payments.length === 1 ? toCents(entry.Amt) : null);
        if (entry.CdtDbtInd === "DBIT") return [{ key, outcome: "confirmed", cents }];
        const reason = [RtrInf?.Rsn?.Cd ?? RtrInf?.Rsn?.Prtry, RtrInf?.AddtlInf].filter(Boolean).join(" ");
        return [{ key, outcome: "returned", cents, ...(reason && { reason: reason.slice(0, 500) }) }];
      });
    }),
  );
}

const RESULTS: Readonly<Record<string, PayoutOutcome>> = {
  paid: "confirmed",
  confirmed: "confirmed",
  failed: "failed",
  returned: "returned",
};

/** The lines of a CSV file with the columns reference, result (paid, failed or returned) and perhaps amount and reason. */
function readCsv(content: string): Answer[] | null {
  try {
    const rows: Record<string, string>[] = parse(content, {
      bom: true,
      columns: (names: string[]) => names.map((name) => name.trim().toLowerCase()),
      delimiter: [",", ";", "\t"],
      trim: true,
      skip_empty_lines: true,
    });
    const answers = rows.map(({ reference, result, amount, reason }) => {
      const outcome = RESULTS[(result ?? "").toLowerCase()];
      if (!reference || !outcome) throw new Error("a line without reference or result");
      const cents = amount ? toCents(amount) : null;
      if (amount && cents === null) throw new Error("an amount that cannot be read");
      return { key: reference, outcome, cents, ...(reason && { reason: reason.slice(0, 500) }) };
    });
    return answers.length > 0 ? answers : null;
  } catch {
    return null;
  }
}

/** Reads a bank's answer; null: it is neither a camt.053 file nor such a CSV file. */
export const readAnswer = (content: string): Answer[] | null =>
  content.trimStart().startsWith("<") ? readCamt(content) : readCsv(content);
