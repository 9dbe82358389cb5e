import { LibraryScreen } from "@/components/delivery/library-screen";
import { GivenGifts } from "@/components/orders/gifts/given-gifts";
import { LineRefund } from "@/components/orders/refunds/line-refund";
import { isDemoAccount } from "@/lib/accounts/is-demo-account";
import { listLibrary } from "@/lib/delivery/library/list-library";
import { listGivenGifts } from "@/lib/orders/gifts/list-given-gifts";
import { listLatelyRefunded, listOpenOrders } from "@/lib/orders/list-orders";
import { type PageProps, pageTitle, requirePageUser } from "@/lib/platform/pages/page";

export const generateMetadata = pageTitle("delivery.library.title", "ui.descriptions.library");

export default async function LibraryPage(props: PageProps) {
  const { viewer, locale } = await requirePageUser(props, "/library");
  const [library, orders, refunded, gifts] = await Promise.all([
    listLibrary(viewer, locale),
    listOpenOrders(viewer, locale),
    listLatelyRefunded(viewer, locale),
    listGivenGifts(viewer, locale),
  ]);
  return (
    <LibraryScreen
      library={library}
      orders={orders}
      refunded={refunded}
      gifts={gifts}
      GivenGifts={GivenGifts}
      LineRefund={LineRefund}
      demo={isDemoAccount(viewer)}
    />
  );
}
