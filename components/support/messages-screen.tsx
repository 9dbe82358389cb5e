import { useTranslations } from "next-intl";
import { AccountNav } from "@/components/accounts/account-nav";
import { ScopedMessages } from "@/components/shell/scoped-messages";
import { ButtonLink } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/empty-state";
import { Link } from "@/components/ui/link";
import { LocalTime } from "@/components/ui/local-time";
import { Page } from "@/components/ui/page";
import type { ConversationList } from "@/lib/support/contract";
import { MessageForm } from "./message-form";

/** The messages of the account's owner with the shop's support (docs/product.md#817-messages-to-support). */
export function MessagesScreen({ items }: ConversationList) {
  const t = useTranslations("support.messages");
  return (
    <Page
      narrow
      above={<AccountNav />}
      title={t("title")}
      lead={t("lead")}
      aside={items.length > 0 && <ButtonLink href="/messages?new=1">{t("new")}</ButtonLink>}
    >
      {items.length === 0 ? (
        <EmptyState
          title={t("empty")}
          action={
            <ButtonLink look="primary" href="/messages?new=1">
              {t("new")}
            </ButtonLink>
          }
        >
          {t("empty_text")}
        </EmptyState>
      ) : (
        <ul className="divide-y divide-hairline rounded-ticket border border-hairline bg-raised">
          {items.map((item) => (
            <li key={item.conversation_id}>
              <Link
                href={`/messages?id=${item.conversation_id}`}
                className="group flex flex-col gap-1 rounded-ticket px-5 py-4"
              >
                <span className="flex flex-wrap items-baseline justify-between gap-x-4">
                  <span className="font-semibold group-hover:underline">
                    {item.order_number ? t("about_order", { number: item.order_number }) : t("general")}
                  </span>
                  <span className="text-13 text-quiet">{t(`state.${item.state}`)}</span>
                </span>
                <span className="line-clamp-2 wrap-anywhere">
                  <span className="text-quiet">{t(`by.${item.last_by}`)}</span> {item.beginning}
                </span>
                <LocalTime at={item.last_at} className="text-13 text-quiet" />
              </Link>
            </li>
          ))}
        </ul>
      )}
    </Page>
  );
}

/** A new message, about an order if there is one. */
export function NewMessageScreen({ email, orderNumber }: { email: string; orderNumber: string | undefined }) {
  const t = useTranslations("support.messages");
  return (
    <Page
      narrow
      above={<AccountNav />}
      title={orderNumber ? t("ask_title", { number: orderNumber }) : t("new")}
      lead={t("answers_to", { email })}
    >
      <ScopedMessages branches={["support.form"]}>
        <MessageForm email={email} orderNumber={orderNumber} withOrder={orderNumber === undefined} />
      </ScopedMessages>
    </Page>
  );
}
