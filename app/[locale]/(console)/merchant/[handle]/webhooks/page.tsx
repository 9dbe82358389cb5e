import { NotFoundScreen } from "@/components/shell/not-found-screen";
import { EndpointsScreen } from "@/components/webhooks/endpoints-screen";
import { mayChange, merchant } from "@/lib/merchants/rules";
import {
  type MerchantProps,
  merchantPage,
  merchantPath,
  merchantTitle,
} from "@/lib/platform/pages/merchant-console";
import { listEndpoints } from "@/lib/webhooks/endpoints/list-endpoints";
import { sandboxReceiverUrl } from "@/lib/webhooks/sandbox-receiver";

const ACCESS = merchant("webhooks.read");

export const generateMetadata = merchantTitle(ACCESS, "console.merchant_webhooks.title");

export default async function MerchantWebhooksPage(props: MerchantProps) {
  const page = await merchantPage(props, ACCESS);
  if (!page) return <NotFoundScreen />;
  const { items } = await listEndpoints(page.viewer);
  return (
    <EndpointsScreen
      endpoints={items}
      home={merchantPath(page)}
      sandboxUrl={sandboxReceiverUrl()}
      canManage={mayChange(page.viewer, "webhooks.manage")}
    />
  );
}
