import { transaction } from "@/db/client";
import { audit } from "@/lib/platform/audit";
import type { MerchantViewer } from "@/lib/platform/auth/merchant-access";
import { ShopError } from "@/lib/platform/errors";
import { consoleText } from "@/lib/platform/i18n/console-messages";
import type { Locale } from "@/lib/platform/i18n/locales";
import type { DeclareInput, TradeFile } from "./contract";
import { getTradeFile } from "./get-trade-file";
import { CERTIFICATION_DAYS, TERMS_VERSION } from "./rules";
import { storeField } from "./save-details";
import { lockTradeFile, readShopTime, settleTradeFile } from "./settle-trade-file";

const DAY_MS = 86_400_000;

/**
 * Stores an owner's declarations with the displayed text, its language and the time: the yearly certification that only
 * lawful goods are offered, and the acceptance of the terms for merchants.
 * @throws ShopError invalid_input: nothing is declared, terms_changed: newer terms are in force
 */
export async function declareTrade(
  viewer: MerchantViewer,
  input: DeclareInput,
  locale: Locale,
): Promise<TradeFile> {
  const { certification, terms_version: version } = input;
  if (!certification && version === null) throw new ShopError("invalid_input");
  if (version !== null && version !== TERMS_VERSION) throw new ShopError("terms_changed");
  const { merchant, actor } = viewer;
  return transaction(async (tx) => {
    await lockTradeFile(tx, merchant.id);
    const now = await readShopTime(tx);
    if (certification) {
      const value = { words: await consoleText(locale, "console.trade_words.certification"), locale };
      const expiresAt = new Date(now.getTime() + CERTIFICATION_DAYS * DAY_MS);
      await storeField(tx, merchant.id, { field: "certification", value, actor, expiresAt });
    }
    if (version !== null) {
      const value = { version, words: await consoleText(locale, "console.trade_words.terms"), locale };
      await storeField(tx, merchant.id, { field: "terms", value, actor });
    }
    const detail = { certification, ...(version !== null && { terms: version }) };
    await audit({ actor, action: "trade_file.declared", subject: merchant.id, detail }, tx);
    await settleTradeFile(tx, merchant.id, actor);
    return getTradeFile(viewer, tx);
  });
}
