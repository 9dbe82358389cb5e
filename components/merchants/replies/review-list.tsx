"use client";

import { useTranslations } from "next-intl";
import { columnsOf } from "@/components/console/list/columns";
import { type ListData, ListScreen } from "@/components/console/list/list-screen";
import type { RowAction } from "@/components/console/list/row-actions";
import { REPLY_TONES, reviewColumns } from "@/components/reviews/console/review-columns";
import type { MerchantReview } from "@/lib/merchants/replies/contract";
import { mayReplyTo, ReplyDialog } from "./reply-dialog";

const column = columnsOf<MerchantReview>();

/** The reviews of a merchant's products, the newest first, with its replies. */
export function MerchantReviews({ mayReply, ...data }: ListData<MerchantReview> & { mayReply: boolean }) {
  const t = useTranslations("console.merchant_reviews");
  return (
    <ListScreen
      {...data}
      title={t("title")}
      lead={t("lead")}
      empty={t("empty")}
      rowId={({ review_id }) => review_id}
      rowName={({ product_name, title }) => `${product_name}: ${title}`}
      views={[
        { id: "all", label: t("all"), filters: {} },
        { id: "without", label: t("without_reply"), filters: { replied: "false" } },
        { id: "with", label: t("with_reply"), filters: { replied: "true" } },
      ]}
      columns={[
        column.text("product", t("product"), ({ product_name }) => product_name, { main: true, width: 180 }),
        ...reviewColumns<MerchantReview>(
          { rating: t("rating"), text: t("text") },
          ({ language }) => language,
        ),
        column.time("written", t("written"), ({ created_at }) => created_at),
        column.state(
          "reply",
          t("reply"),
          ({ reply, demo }) => [
            reply && { text: t(`states.${reply.state}`), tone: REPLY_TONES[reply.state] },
            demo && { text: t("demo") },
          ],
          { width: 190 },
        ),
        column.longText(
          "reply_text",
          t("your_reply"),
          ({ reply }) => reply?.text,
          ({ reply, language }) => reply?.language ?? language,
        ),
        column.text(
          "note",
          t("answer_of_shop"),
          ({ reply }) => reply?.note && t("refused_because", { note: reply.note }),
          { panel: true },
        ),
      ]}
      actions={[false, true].map(
        (again): RowAction<MerchantReview> => ({
          id: again ? "again" : "write",
          label: t(again ? "write_again" : "write"),
          when: (review) => mayReply && mayReplyTo(review) && (review.reply !== null) === again,
          dialog: (review, onClose) => <ReplyDialog review={review} onClose={onClose} />,
        }),
      )}
    />
  );
}
