import { getTranslations } from "next-intl/server";
import { CartLinkScreen } from "@/components/agents/cart-link/cart-link-screen";
import { readCartId } from "@/lib/agents/carts/cart-id";
import { priceAgentCart } from "@/lib/agents/carts/price-agent-cart";
import { publicMetadata } from "@/lib/platform/pages/metadata";
import { type PageProps, pageLocation, queryValue } from "@/lib/platform/pages/page";

export async function generateMetadata({ params }: PageProps) {
  const location = await pageLocation(params);
  const t = await getTranslations({ locale: location.locale, namespace: "agents.cart_link" });
  const labels = { title: t("title"), description: t("description") };
  return publicMetadata("/cart-link", location, { ...labels, indexed: false });
}

export default async function CartLinkPage({ params, searchParams }: PageProps) {
  const { locale } = await pageLocation(params);
  const id = (await queryValue(searchParams, "cart")) ?? "";
  const cart = readCartId(id);
  const priced = cart && { agent: cart.agent, ...(await priceAgentCart(cart.passes, locale)) };
  return <CartLinkScreen cart={priced} path={`/cart-link?cart=${encodeURIComponent(id)}`} />;
}
