import { useTranslations } from "next-intl";
import { ScopedMessages } from "@/components/shell/scoped-messages";
import { Breadcrumb } from "@/components/ui/breadcrumb";
import { classNames } from "@/components/ui/class-names";
import { Link } from "@/components/ui/link";
import { LocalTime } from "@/components/ui/local-time";
import { Page } from "@/components/ui/page";
import type { ConversationView } from "@/lib/support/contract";
import { MessageForm } from "./message-form";

/** One conversation with support: its messages, oldest first, and the form to write back. */
export function ConversationScreen({ conversation }: { conversation: ConversationView }) {
  const t = useTranslations("support.messages");
  const { order_id, order_number, state, messages } = conversation;
  const title = order_number ? t("about_order", { number: order_number }) : t("general");
  return (
    <Page
      narrow
      above={
        <Breadcrumb
          label={t("breadcrumb")}
          items={[{ text: t("title"), href: "/messages" }, { text: title }]}
        />
      }
      title={title}
      lead={t(`state_text.${state}`)}
      aside={
        order_id && (
          <Link
            href={`/order-history?order_id=${order_id}`}
            className="text-link inline-flex min-h-11 items-center"
          >
            {t("see_order")}
          </Link>
        )
      }
    >
      <ol aria-label={t("title")} className="flex flex-col gap-4 pb-8">
        {messages.map(({ message_id, author, text, at }) => (
          <li
            key={message_id}
            className={classNames(
              "max-w-text rounded-ticket border border-hairline px-5 py-4",
              author === "staff" ? "bg-raised" : "self-end bg-tint",
            )}
          >
            <p className="flex flex-wrap items-baseline gap-x-3 pb-1 text-13 text-quiet">
              <span className="font-semibold text-ink">{t(`from.${author}`)}</span>
              <LocalTime at={at} />
            </p>
            <p className="wrap-anywhere whitespace-pre-line">{text}</p>
          </li>
        ))}
      </ol>
      <section aria-labelledby="write-back" className="border-t border-hairline pt-6">
        <h2 id="write-back" className="pb-4 text-21">
          {t("write_back")}
        </h2>
        <ScopedMessages branches={["support.form"]}>
          <MessageForm conversationId={conversation.conversation_id} />
        </ScopedMessages>
      </section>
    </Page>
  );
}
