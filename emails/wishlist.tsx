import { formatPrice } from "@/lib/platform/money";
import { Action, Paragraph, TextLink, Title } from "./parts";
import { formatAmount, PassHead, passHoles } from "./pass";
import type { MailTemplate } from "./template";
import { Ticket } from "./ticket";
import { type OfferedPass, passPath, toPassLine } from "./wait-list";

/** A wished pass: `previousCents` is its former, higher price; null: its product is back in stock. */
export type WishlistItem = OfferedPass & { previousCents: number | null };

export const wishlistMail: MailTemplate<{ items: WishlistItem[] }> = {
  subject({ items }, { t }) {
    const [first] = items;
    const more = items.length - 1;
    const product = first?.productName ?? "";
    return t(first?.previousCents === null ? "wishlist.subject_back" : "wishlist.subject_drop", {
      product,
      more,
    });
  },
  preview: (_, { t }) => t("wishlist.lead"),
  body({ items }, context) {
    const { t, locale, link } = context;
    return (
      <>
        <Title>{t("wishlist.title")}</Title>
        <Paragraph>{t("wishlist.lead")}</Paragraph>
        {items.map((item) => (
          <Ticket
            holes={passHoles(toPassLine(item), context)}
            key={item.vipId}
            stub={
              <Paragraph>
                <TextLink href={link(passPath(item))}>
                  {item.previousCents === null
                    ? t("wishlist.back", { price: formatAmount(item.priceCents, context) })
                    : t("wishlist.price", {
                        price: formatAmount(item.priceCents, context),
                        previous: formatPrice(item.previousCents, locale),
                      })}
                </TextLink>
              </Paragraph>
            }
          >
            <PassHead line={toPassLine(item)} context={context} />
          </Ticket>
        ))}
        <Action href={link("/wishlist")}>{t("wishlist.action")}</Action>
      </>
    );
  },
};
