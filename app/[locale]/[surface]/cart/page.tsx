import { CartScreen } from "@/components/cart/cart-screen";
import { getCart } from "@/lib/cart/get-cart";
import { listCartCoupons } from "@/lib/coupons/list-coupons";
import { findOpenOrder } from "@/lib/orders/find-open-order";
import { findReaderTax } from "@/lib/orders/tax/find-reader-tax";
import { type PageProps, pageTitle, requirePageUser } from "@/lib/platform/pages/page";

export const generateMetadata = pageTitle("cart.title", "ui.descriptions.cart");

export default async function CartPage(props: PageProps) {
  const { viewer, locale } = await requirePageUser(props, "/cart");
  const [cart, coupons, openOrder, tax] = await Promise.all([
    getCart(viewer, locale),
    listCartCoupons(viewer, locale),
    findOpenOrder(viewer),
    findReaderTax(viewer),
  ]);
  return <CartScreen cart={cart} coupons={coupons} openOrder={openOrder} tax={tax} />;
}
