import { z } from "zod";
import { db } from "@/db/client";
import { ProductsRevised } from "@/lib/catalog/import/contract-jobs";
import {
  findDecidedChange,
  findPauseMail,
  findProductsChanged,
} from "@/lib/merchants/changes/find-change-mails";
import { recordShopChanges } from "@/lib/merchants/changes/record-shop-changes";
import { countShopDiscounts } from "@/lib/merchants/discounts/count-shop-discounts";
import { updateProductFigures } from "@/lib/merchants/insight/update-product-figures";
import { updateSearches } from "@/lib/merchants/insight/update-searches";
import { findStockLowMail } from "@/lib/merchants/key-files/find-stock-low-mail";
import { findWithdrawalMail } from "@/lib/merchants/key-files/get-key-batch";
import { notifyLowStock } from "@/lib/merchants/key-files/notify-low-stock";
import { nameMail } from "@/lib/merchants/names/name-mail";
import { findReviewMail, notifyOfReview } from "@/lib/merchants/notices/notify-review";
import { findDigest, sendDigests } from "@/lib/merchants/notices/send-digests";
import { noticeMail } from "@/lib/merchants/states/notice-mail";
import { inviteMail } from "@/lib/merchants/team/find-invite";
import { tradeFileMail } from "@/lib/merchants/trade-file/trade-file-mail";
import { watchTradeFiles } from "@/lib/merchants/trade-file/watch-trade-files";
import { registerMail } from "@/lib/notifications/jobs";
import { defineJob } from "@/lib/platform/jobs/queue";
import { supportAddress } from "@/lib/platform/support-address";
import { ReviewWritten } from "@/lib/reviews/contract-jobs";
import { findApplication } from "./find-application";

registerMail("application-received", {
  load: async ({ applicationId }) => ((await findApplication(String(applicationId))) ? {} : null),
});
registerMail("merchant-name", {
  /** An email that an older version queued names no refused name. */
  load: ({ merchantId, decision, refused, note }) =>
    nameMail(db, String(merchantId), {
      decision: String(decision),
      refused: refused === undefined ? null : String(refused),
      note: String(note),
    }),
});

async function loadDecision(applicationId: unknown) {
  const application = await findApplication(String(applicationId));
  if (!application) return null;
  return { note: application.note ?? "", support: supportAddress() };
}

registerMail("application-approved", { load: ({ applicationId }) => loadDecision(applicationId) });
registerMail("application-refused", { load: ({ applicationId }) => loadDecision(applicationId) });
registerMail("merchant-invite", { load: ({ inviteId }) => inviteMail(String(inviteId)) });
registerMail("merchant-notice", {
  load: ({ merchantId, state, note }) => noticeMail(String(merchantId), String(state), String(note)),
});

for (const state of ["approved", "returned", "refused"] as const)
  registerMail(`change-${state}`, {
    /** A returned change that was proposed again needs no email any more. */
    load: ({ changeId }, locale) => findDecidedChange(String(changeId), state, locale),
  });

registerMail("products-changed", {
  load: ({ merchantId, changeIds }, locale) =>
    findProductsChanged(String(merchantId), String(changeIds).split(","), locale),
});

/** After an edit or an import of staff: the merchants whose products it changed. */
export const productsRevisedJob = defineJob({ ...ProductsRevised, run: recordShopChanges });

/** Every ten minutes: views and carts of the running day and the one before. */
export const updateProductFiguresJob = defineJob({
  name: "update-product-figures",
  schema: z.unknown(),
  cron: "*/10 * * * *",
  async run() {
    await updateProductFigures();
  },
});

/** Every night: the searches that find nothing, for staff, and those that show each product, for its merchant. */
export const updateSearchesJob = defineJob({
  name: "update-searches",
  schema: z.unknown(),
  cron: "11 4 * * *",
  async run() {
    await updateSearches();
  },
});

/** Every night: what the shop paid of each merchant's sales by its coupons. */
export const countShopDiscountsJob = defineJob({
  name: "count-shop-discounts",
  schema: z.unknown(),
  cron: "47 3 * * *",
  run: countShopDiscounts,
});

registerMail("codes-withdrawn", {
  load: ({ batchId, actor, withdrawn }) =>
    findWithdrawalMail(String(batchId), String(actor), Number(withdrawn)),
});
registerMail("plan-paused", {
  load: ({ merchantId, productId, plans, actor }, locale) =>
    findPauseMail(String(merchantId), {
      productId: Number(productId),
      plans: String(plans).split(","),
      actor: String(actor),
      locale,
    }),
});

registerMail("trade-file", {
  load: ({ merchantId, kind, fields, note }) =>
    tradeFileMail(String(merchantId), { kind: String(kind), fields: String(fields), note: String(note) }),
});

/** Every hour: notices, reminders, expiries and pauses of trader files. */
export const watchTradeFilesJob = defineJob({
  name: "watch-trade-files",
  schema: z.unknown(),
  cron: "23 * * * *",
  async run() {
    await watchTradeFiles();
  },
});

registerMail("stock-low", {
  load: ({ merchantId, planIds }, locale) =>
    findStockLowMail(String(merchantId), String(planIds).split(",").map(Number), locale),
});

/** Every five minutes: notifies owners of merchants which plans run low. */
export const notifyLowStockJob = defineJob({
  name: "notify-low-stock",
  schema: z.unknown(),
  cron: "*/5 * * * *",
  async run() {
    await notifyLowStock();
  },
});

registerMail("merchant-review", {
  load: ({ reviewId }, locale) => findReviewMail(String(reviewId), locale),
});
registerMail("merchant-digest", {
  load: ({ merchantId, day }) => findDigest(String(merchantId), String(day)),
});

/** Queued by each review: notifies its merchant. */
export const reviewWrittenJob = defineJob({
  ...ReviewWritten,
  run: ({ reviewId }) => notifyOfReview(reviewId),
});

/** Every morning: mails merchants yesterday's sales and their open requests. */
export const sendDigestsJob = defineJob({
  name: "send-digests",
  schema: z.unknown(),
  cron: "5 6 * * *",
  run: sendDigests,
});
