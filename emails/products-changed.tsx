import { Action, Paragraph, Title } from "./parts";
import type { MailTemplate } from "./template";

type ProductsChanged = {
  products: string[];
  /** of the change, or of the list of changes, in the merchant's console */
  path: string;
};

/** As many products are named. */
const NAMED = 20;

/** Tells the owners of a merchant which of its products the shop has changed. */
export const productsChangedMail: MailTemplate<ProductsChanged> = {
  subject: ({ products }, { t }) =>
    t("products_changed.subject", { product: products[0] ?? "", more: products.length - 1 }),
  preview: (_, { t }) => t("products_changed.lead"),
  body: ({ products, path }, { t, link }) => (
    <>
      <Title>{t("products_changed.title", { count: products.length })}</Title>
      <Paragraph>{products.slice(0, NAMED).join(" · ")}</Paragraph>
      {products.length > NAMED && (
        <Paragraph>{t("products_changed.more", { count: products.length - NAMED })}</Paragraph>
      )}
      <Paragraph>{t("products_changed.lead")}</Paragraph>
      <Action href={link(path)}>{t("products_changed.open", { count: products.length })}</Action>
    </>
  ),
};
