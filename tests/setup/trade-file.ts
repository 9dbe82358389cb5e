import { transaction } from "@/db/client";
import { merchantDocuments } from "@/db/schema/merchants";
import { TERMS_VERSION, TRADE_FIELDS, type TradeField } from "@/lib/merchants/trade-file/rules";
import { storeField } from "@/lib/merchants/trade-file/save-details";
import { beginTradeFile, settleTradeFile } from "@/lib/merchants/trade-file/settle-trade-file";
import { newId } from "@/lib/platform/crypto/ids";
import { sealBytes } from "@/lib/platform/crypto/vault";

/** Creates a required, complete trader file of a merchant, except for the fields in `without`. */
export async function createTradeFile(
  { id }: { id: string },
  { without = [] }: { without?: TradeField[] } = {},
): Promise<void> {
  const given: Partial<Record<TradeField, unknown>> = {
    legal_name: "Acme Tools GmbH",
    form: "company",
    register: { name: "Handelsregister München", number: "HRB 1" },
    tax: { vat_id: "DE123456788", tax_id: "" },
    address: {
      line1: "Musterstraße 1",
      line2: "",
      city: "München",
      region: "",
      postal_code: "80331",
      country: "DE",
    },
    phone: "+49 89 999980",
    contact: { name: "Mara Lind", email: "contact@acme.example" },
    representative: "Mara Lind",
    certification: { words: "Only lawful goods.", locale: "en" },
    terms: { version: TERMS_VERSION, words: "The terms.", locale: "en" },
  };
  await transaction(async (tx) => {
    await beginTradeFile(tx, id);
    for (const field of TRADE_FIELDS)
      if (given[field] !== undefined && !without.includes(field))
        await storeField(tx, id, { field, value: given[field], actor: "system" });
    if (!without.includes("documents")) {
      const documentId = newId("doc");
      await tx.insert(merchantDocuments).values({
        id: documentId,
        merchantId: id,
        kind: "register_extract",
        name: "extract.pdf",
        mediaType: "application/pdf",
        bytes: 20,
        ...sealBytes(documentId, Buffer.from("%PDF-1.4 extract %%EOF")),
        givenBy: "system",
      });
    }
    await settleTradeFile(tx, id, "system");
  });
}
