import { XMLBuilder } from "fast-xml-parser";
import type { AccountDetails } from "@/lib/payouts/accounts/rules";

export type Transfer = { key: string; cents: number; details: AccountDetails; text: string };
type Debtor = { name: string; iban: string; bic: string | null };

const builder = new XMLBuilder({ ignoreAttributes: false, format: true, suppressEmptyNode: true });

const amount = (cents: number) => (cents / 100).toFixed(2);

/** Characters that every bank takes in a name or text (ISO 20022, EPC217-08); letters lose their marks, others become a point. */
const toBankText = (text: string, max: number) =>
  text
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .replace(/[^A-Za-z0-9 /?:().,'+-]/g, ".")
    .slice(0, max);

/** A credit transfer initiation (pain.001.001.09) to accounts that have an IBAN, from one account of the shop. */
export function painDocument(
  transfers: readonly Transfer[],
  { id, createdAt, debtor }: { id: string; createdAt: Date; debtor: Debtor },
): string {
  const total = {
    NbOfTxs: transfers.length,
    CtrlSum: amount(transfers.reduce((sum, { cents }) => sum + cents, 0)),
  };
  const name = toBankText(debtor.name, 70);
  const agent = debtor.bic ? { BICFI: debtor.bic } : { Othr: { Id: "NOTPROVIDED" } };
  const document = {
    "?xml": { "@_version": "1.0", "@_encoding": "UTF-8" },
    Document: {
      "@_xmlns": "urn:iso:std:iso:20022:tech:xsd:pain.001.001.09",
      CstmrCdtTrfInitn: {
        GrpHdr: {
          MsgId: id,
          CreDtTm: createdAt.toISOString().slice(0, 19),
          ...total,
          InitgPty: { Nm: name },
        },
        PmtInf: {
          PmtInfId: id,
          PmtMtd: "TRF",
          ...total,
          ReqdExctnDt: { Dt: createdAt.toISOString().slice(0, 10) },
          Dbtr: { Nm: name },
          DbtrAcct: { Id: { IBAN: debtor.iban } },
          DbtrAgt: { FinInstnId: agent },
          ChrgBr: "SHAR",
          CdtTrfTxInf: transfers.map(({ key, cents, details, text }) => ({
            PmtId: { EndToEndId: key },
            Amt: { InstdAmt: { "@_Ccy": "USD", "#text": amount(cents) } },
            Cdtr: { Nm: toBankText(details.holder, 70) },
            CdtrAcct: { Id: { IBAN: details.scheme === "iban" ? details.iban : "" } },
            RmtInf: { Ustrd: toBankText(text, 140) },
          })),
        },
      },
    },
  };
  return builder.build(document);
}
