import { verifySignedToken } from "@/lib/platform/auth/signed-link";
import { ShopError } from "@/lib/platform/errors";
import { formatMoment } from "@/lib/platform/format";
import type { Locale } from "@/lib/platform/i18n/locales";
import { shopTranslator } from "@/lib/platform/i18n/shop-translator";
import { type PdfBlock, renderPdf } from "@/lib/platform/pdf";
import { sellerIdentity } from "@/lib/platform/seller";
import { findDeclaredWords } from "./find-declared-words";

/**
 * The receipt of a declaration of withdrawal as a PDF (`/order/withdraw/receipt`, docs/product.md#82-withdrawal), with
 * what was declared, word for word.
 * @throws ShopError link_invalid
 */
export async function getDeclarationReceipt(
  token: string,
  locale: Locale,
): Promise<{ fileName: string; file: Buffer }> {
  const claims = verifySignedToken("withdrawal-receipt", token);
  const declared = claims && (await findDeclaredWords(String(claims.id), Number(claims.nth)));
  if (!declared) throw new ShopError("link_invalid");
  const { orderRef, email, words } = declared;
  const t = shopTranslator(locale);
  const seller = sellerIdentity();
  const blocks: PdfBlock[] = [
    { kind: "title", text: t("orders.withdraw.receipt.title") },
    {
      kind: "note",
      text: t("orders.withdraw.receipt.lead", { moment: formatMoment(words.at, locale, "UTC") }),
    },
    {
      kind: "rows",
      rows: [
        { term: t("orders.withdraw.name"), value: words.name ?? "–" },
        { term: t("orders.withdraw.order"), value: orderRef },
        { term: t("orders.withdraw.passes"), value: words.passes ?? t("orders.withdraw.all_passes") },
        { term: t("orders.withdraw.email"), value: email },
        { term: t("orders.withdraw.receipt.reference"), value: String(claims.id) },
      ],
    },
    { kind: "note", text: t("orders.withdraw.receipt.next") },
    { kind: "note", text: `${seller.name} · ${seller.site} · ${seller.email}` },
  ];
  const info = {
    title: t("orders.withdraw.receipt.title"),
    author: seller.name,
    createdAt: new Date(words.at),
  };
  return { fileName: `withdrawal-${orderRef}.pdf`, file: await renderPdf(blocks, info, locale) };
}
