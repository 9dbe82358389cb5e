import { getTranslations } from "next-intl/server";
import { ProductTickets } from "@/components/catalog/listing/product-ticket";
import { WishlistScreen } from "@/components/notifications/wishlist/wishlist-screen";
import { ListWishesInput } from "@/lib/notifications/wishlist/contract";
import { getWishlist } from "@/lib/notifications/wishlist/get-wishlist";
import { pageViewer } from "@/lib/platform/auth/page-viewer";
import { publicMetadata } from "@/lib/platform/pages/metadata";
import { type PageProps, pageLocation, queryValue } from "@/lib/platform/pages/page";

/** The list is the reader's own, so it is not indexed. */
export async function generateMetadata({ params }: PageProps) {
  const location = await pageLocation(params);
  const t = await getTranslations({ locale: location.locale, namespace: "notifications.wishlist" });
  const labels = { title: t("title"), description: t("description") };
  return publicMetadata("/wishlist", location, { ...labels, indexed: false });
}

export default async function WishlistPage({ params, searchParams }: PageProps) {
  const { locale, surface } = await pageLocation(params);
  const viewer = await pageViewer(locale);
  // A guest's products are in the address, which the browser writes (sync-wishlist.tsx).
  const product_ids = await queryValue(searchParams, "products");
  const input = ListWishesInput.safeParse({ product_ids }).data ?? {};
  const wishlist = await getWishlist(viewer, input, locale);
  const owner = viewer.kind === "user" ? { verified: viewer.emailVerified } : null;
  return (
    <WishlistScreen
      tickets={wishlist.total === 0 ? null : <ProductTickets items={wishlist.items} first />}
      shown={input.product_ids ?? []}
      owner={owner}
      surface={surface}
    />
  );
}
